// Nearly every line of a large edge list is two small integers, so these have a fast path without a look at
// the line as a whole; any other line is read by an EdgeLineReader.

#include "graph/import/edge_list.h"

#include <charconv>
#include <optional>

#include "graph/import/edge_header.h"

namespace hushwalk {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

// Reads an integer below 2^32 without leading zeros at p and moves p behind it; false if there is none.
bool read_small(const char*& p, std::uint32_t& result) {
  const auto digit = [&] { return static_cast<unsigned>(*p - '0'); };
  const char* const start = p;
  std::uint64_t value = 0;
  for (; digit() <= 9; ++p) value = 10 * value + digit();  // may wrap, but not within ten digits
  const std::ptrdiff_t length = p - start;
  result = static_cast<std::uint32_t>(value);
  return length > 0 && length <= 10 && value == result && (*start != '0' || length == 1);
}

struct SmallEdge {
  std::uint32_t u, v;
  bool more;         // columns follow
  const char* next;  // the start of the next line
};

// The line at p as two small integers, if it is that. There is a line end behind p.
bool read_small_edge(const char* p, SmallEdge& edge) {
  if (!read_small(p, edge.u)) return false;
  const char* const behind = p;
  p = skip_blanks(p);
  if (*p == ',') p = skip_blanks(p + 1);
  if (p == behind || !read_small(p, edge.v)) return false;
  edge.more = false;
  if (*p != '\n') {
    if (!is_blank(*p) && *p != ',' && *p != '\r') return false;
    for (; *p != '\n'; ++p) {
      if (*p == '\r' && p[1] != '\n') return false;
      edge.more |= !is_blank(*p) && *p != '\r';
    }
  }
  edge.next = p + 1;
  return true;
}

// Ids as they are: small numbers only.
struct NumberIds {
  static constexpr bool takes_numbers = true, takes_text = false;
  ParsedBlock& block;
  std::optional<Node> number(std::uint32_t id) const {
    block.largest = std::max(block.largest, id);
    return id;
  }
  std::optional<Node> text(std::string_view) const { return std::nullopt; }
};

struct Handles {
  static constexpr bool takes_numbers = false, takes_text = true;
  Interner& interner;
  std::optional<Node> number(std::uint32_t) const { return std::nullopt; }
  std::optional<Node> text(std::string_view id) const { return interner.intern(id); }
};

struct Listed {
  static constexpr bool takes_numbers = true, takes_text = true;
  const NodeList& list;
  std::optional<Node> number(std::uint32_t id) const {
    return list.are_integers() ? list.find(std::int64_t{id}) : list.find(std::to_string(id));
  }
  std::optional<Node> text(std::string_view id) const { return list.find(id); }
};

bool is_huge(std::string_view id) {
  std::int64_t value = 0;
  return looks_like_integer(id) &&
         std::from_chars(id.data(), id.data() + id.size(), value).ec == std::errc::result_out_of_range;
}

// Parses the block into `parsed`; false when it holds an id that `ids` cannot take.
template <class Ids>
bool parse(const LineBlock& block, const LineLayout& layout, const Ids& ids, ParsedBlock& parsed) {
  EdgeLineReader reader(layout);
  const bool usual = layout == LineLayout{};
  const std::string_view text = block.text;
  const char* const end = text.data() + text.size();
  const auto note = [&](const char* at, std::string reason) {
    return note_line(block, static_cast<std::size_t>(at - text.data()), std::move(reason));
  };
  const auto add = [&](const char* at, std::optional<Node> u, std::optional<Node> v) {
    if (u && v)
      parsed.edges.push_back({*u, *v});
    else if (!parsed.fatal)
      parsed.fatal = note(at, fmt::format("the {} id is not in the node list", u ? "second" : "first"));
  };
  parsed.edges.reserve(text.size() / 12);
  for (const char* p = text.data(); p < end;) {
    if constexpr (Ids::takes_numbers) {
      if (SmallEdge small; usual && read_small_edge(p, small)) {
        add(p, ids.number(small.u), ids.number(small.v));
        parsed.wide_lines += small.more;
        p = small.next;
        continue;
      }
    }
    const std::string_view rest(p, static_cast<std::size_t>(end - p));
    const EdgeLine line = reader.read(rest.substr(0, rest.find('\n')));
    if (line.kind == EdgeLine::bad) {
      ++parsed.bad_lines;
      if (!parsed.first_bad) parsed.first_bad = note(p, line.reason);
    } else if (line.kind == EdgeLine::edge) {
      if constexpr (!Ids::takes_text) return false;
      parsed.all_integers =
          parsed.all_integers && looks_like_integer(line.first) && looks_like_integer(line.second);
      if (!parsed.first_huge && (is_huge(line.first) || is_huge(line.second)))
        parsed.first_huge = note(p, "an id does not fit in 64 bits");
      add(p, ids.text(line.first), ids.text(line.second));
      parsed.wide_lines += line.more;
    }
    p += rest.find('\n') + 1;
  }
  return true;
}

}  // namespace

ParsedBlock parse_edge_list(const LineBlock& block, IdSpace& ids) {
  ParsedBlock parsed;
  if (ids.list != nullptr) {
    parse(block, ids.layout, Listed{*ids.list}, parsed);
  } else if (ids.prefer_interner || !parse(block, ids.layout, NumberIds{parsed}, parsed)) {
    ids.prefer_interner = true;
    parsed = {};
    parsed.interned = true;
    parse(block, ids.layout, Handles{*ids.interner}, parsed);
  }
  parsed.first_column_counts = first_column_counts(block.text, ids.layout);
  if (parsed.edges.capacity() > parsed.edges.size() * 5 / 4) parsed.edges.shrink_to_fit();
  return parsed;
}

}  // namespace hushwalk
