// Ids are numbered when all have been seen: by a table when they are small integers, else by the interner.

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "graph/import/collect.h"

namespace hushwalk {
namespace {

// --- numbers -----------------------------------------------------------------------------------------------

void for_each_end(std::vector<EdgeOfNodes>& edges, const auto& change) {
  for (auto& [u, v] : edges) u = change(u), v = change(v);
}

// Small numbers, not too sparse: a table tells each its place among those present.
NodeList number_by_table(EdgePieces& pieces, std::uint32_t largest) {
  std::vector<std::atomic<std::uint32_t>> place(std::size_t{largest} + 1);
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (const auto [u, v] : pieces[i])
        place[u].store(1, std::memory_order_relaxed), place[v].store(1, std::memory_order_relaxed);
  });
  std::vector<std::int64_t> ids;
  for (std::size_t id = 0; id < place.size(); ++id) {
    if (place[id] == 0) continue;
    place[id] = static_cast<std::uint32_t>(ids.size());
    ids.push_back(static_cast<std::int64_t>(id));
  }
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for_each_end(pieces[i], [&](std::uint32_t id) { return place[id].load(std::memory_order_relaxed); });
  });
  return NodeList::integers(std::move(ids));
}

NodeList number_by_interner(EdgeHeap& edges, Interner& interner, bool string_ids) {
  EdgePieces& pieces = edges.pieces();
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!edges.interned(i))
        for_each_end(pieces[i], [&](std::uint32_t id) {
          std::array<char, 10> digits{};
          const char* const end = std::to_chars(digits.begin(), digits.end(), id).ptr;
          return interner.intern({digits.data(), end});
        });
  });
  Interner::Finished finished = interner.finish(string_ids);
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for_each_end(pieces[i], [&](std::uint32_t handle) { return finished.node(handle); });
  });
  return std::move(finished.nodes);
}

// The table may take as much memory as the edges, and a megabyte.
bool table_fits(const EdgeHeap& edges, std::uint32_t largest) {
  return largest <= edges.held() * sizeof(EdgeOfNodes) / sizeof(std::uint32_t) + (1U << 18);
}

// --- what several processes have read ----------------------------------------------------------------------

bool is_before(const LineNote& a, const LineNote& b) {
  return std::tie(a.part, a.line) < std::tie(b.part, b.line);
}
bool is_before(const auto& a, const auto& b) { return a.part < b.part; }

template <class T>
void keep_first(std::optional<T>& here, const std::optional<T>& there) {
  if (there && (!here || is_before(*there, *here))) here = there;
}

}  // namespace

void ListSummary::add(const ParsedBlock& block, std::size_t part) {
  if (!first_block) first_block = {part, block.first_column_counts};
  if (block.bad_lines > 0) bad.push_back({part, block.bad_lines});
  if (!first_bad) first_bad = block.first_bad;
  if (!first_huge) first_huge = block.first_huge;
  edges += block.edges.size();
  wide_lines += block.wide_lines;
  all_integers &= block.all_integers;
}

void ListSummary::add(const ListSummary& others) {
  edges += others.edges;
  wide_lines += others.wide_lines;
  headers += others.headers;
  all_integers &= others.all_integers;
  bad.insert(bad.end(), others.bad.begin(), others.bad.end());
  std::ranges::stable_sort(bad, {}, &BadLines::part);
  keep_first(first_bad, others.first_bad);
  keep_first(first_huge, others.first_huge);
  keep_first(first_block, others.first_block);
  keep_first(failure, others.failure);
}

std::uint64_t ListSummary::bad_lines() const {
  std::uint64_t sum = 0;
  for (const BadLines& some : bad) sum += some.count;
  return sum;
}

// --- reading -----------------------------------------------------------------------------------------------

EdgeListReader::EdgeListReader(const TextParts& parts, const ImportOptions& options, ListStart start)
    : parts_(parts),
      options_(options),
      start_(std::move(start)),
      interner_(std::make_unique<Interner>()),
      ids_{.list = options.nodes ? &*options.nodes : nullptr,
           .interner = interner_.get(),
           .layout = start_.header.layout,
           .prefer_interner = options.string_ids} {
  report_.notices = start_.notices;
}

void EdgeListReader::read(LineBlocks& lines, const Progress& progress) {
  if (lines.part() > start_.part) {
    skip_what_says_nothing(lines);
    if (!start_.header.taken.empty() && lines.peek_line() == start_.header.taken) {
      lines.skip_line();
      ++summary_.headers;
    }
  }
  for_each_block(
      lines, progress, [&](const LineBlock& block) { return parse_edge_list(block, ids_); },
      [&](ParsedBlock block) {
        summary_.add(block, lines.part());
        largest_ = std::max(largest_, block.largest);
        any_interned_ |= block.interned;
        bad_lines_ += block.bad_lines;
        edges_.add(std::move(block.edges), block.interned);
        check_bad_lines(bad_lines_, summary_.first_bad);
      });
}

bool EdgeListReader::try_to_read(std::size_t part, std::unique_ptr<LineBlocks> begun,
                                 const Progress& progress) {
  try {
    if (!begun) begun = parts_.open_edge_list(part, options_.format);
    read(*begun, progress);
    return true;
  } catch (const Error& error) {
    summary_.failure = {part, static_cast<int>(error.code()), error.what(), error.for_custodian()};
    return false;
  }
}

// Lines may be bad only because the ids are in other columns.
void EdgeListReader::check_bad_lines(std::uint64_t so_far, const std::optional<LineNote>& first_bad) const {
  if (so_far <= options_.skip_bad_lines) return;
  const std::string& other_columns = start_.header.other_columns;
  std::string remedy = other_columns.empty() ? "" : "; " + other_columns;
  if (options_.skip_bad_lines > 0)
    remedy += fmt::format(" (the first of {} malformed lines so far; {} may be skipped)", so_far,
                          options_.skip_bad_lines);
  fail_at(parts_.name(first_bad->part), *first_bad, remedy);
}

void EdgeListReader::check(const ListSummary& all) const {
  std::uint64_t so_far = 0;
  for (const ListSummary::BadLines& some : all.bad) {
    if (all.failure && some.part > all.failure->part) break;
    check_bad_lines(so_far += some.count, all.first_bad);
  }
  if (all.failure)
    throw Error(static_cast<ErrorCode>(all.failure->code), all.failure->message, all.failure->for_custodian);
}

// --- the end -----------------------------------------------------------------------------------------------

// What the first line is: an edge, or a header, which is reported. With a public list the decision rests on
// that list alone, so that it cannot change with an edge elsewhere.
bool EdgeListReader::first_line_is_edge(const ListSummary& all) {
  const FirstLine& line = *start_.header.set_aside;
  const bool above_integers =
      ids_.list != nullptr ? ids_.list->are_integers() : all.all_integers && all.edges > 0;
  const bool listed = ids_.list != nullptr && ids_.list->find(line.first) && ids_.list->find(line.second);
  if (above_integers && !listed) {
    report_.notices.push_back(fmt::format("skipped the header '{}': ids are integers", line.note.text));
    return false;
  }
  if (ids_.list != nullptr && !listed)
    fail_at(parts_.name(line.note.part),
            {line.note.line, "an id is not in the node list (a header? then say `header`)", line.note.text});
  if (ids_.list == nullptr && line.likely_header)
    report_.notices.push_back(
        fmt::format("{} ('{}') was read as an edge; if it names the columns, say `header`",
                    parts_.place(line.note), line.note.text));
  return true;
}

void EdgeListReader::add_first_line(std::uint64_t times) {
  const FirstLine& line = *start_.header.set_aside;
  const bool interned = ids_.list == nullptr;
  any_interned_ |= interned;
  const EdgeOfNodes edge = interned
                               ? EdgeOfNodes{interner_->intern(line.first), interner_->intern(line.second)}
                               : EdgeOfNodes{*ids_.list->find(line.first), *ids_.list->find(line.second)};
  edges_.add(std::vector<EdgeOfNodes>(times, edge), interned);
}

void EdgeListReader::tell(const ListSummary& all) {
  report_.bad_lines = all.bad_lines();
  if (report_.bad_lines > 0)
    report_.notices.push_back(fmt::format("skipped {} malformed lines, the first at {}: {}: '{}'",
                                          report_.bad_lines, parts_.place(*all.first_bad),
                                          all.first_bad->reason, all.first_bad->text));
  if (!options_.columns && all.first_block && all.first_block->first_column_counts)
    report_.notices.emplace_back(
        "the first column numbers the lines and was taken as ids; if the ids are in the second and third, say `columns 2,3`");
  if (all.wide_lines > 0 && !options_.columns)
    report_.notices.push_back(
        fmt::format("ignored what follows the two ids on {} lines (weights, times, …)", all.wide_lines));
}

NodeList EdgeListReader::number() {
  if (ids_.list != nullptr) return *ids_.list;
  if (!any_interned_ && !options_.string_ids && table_fits(edges_, largest_))
    return number_by_table(edges_.pieces(), largest_);
  return number_by_interner(edges_, *interner_, options_.string_ids);
}

Collected EdgeListReader::finish(const ListSummary& all, bool has_first_line) {
  const bool adds_edge = start_.header.set_aside && first_line_is_edge(all);
  if (adds_edge && has_first_line) add_first_line(1 + all.headers);
  if (all.first_huge && all.all_integers && !adds_edge && !options_.string_ids && ids_.list == nullptr)
    fail_at(parts_.name(all.first_huge->part), *all.first_huge, "; to take ids as text, say `string_ids`");
  tell(all);
  NodeList nodes = number();
  return {std::move(nodes), std::move(edges_), std::move(report_)};
}

std::unique_ptr<LineBlocks> find_start(const TextParts& parts, std::unique_ptr<LineBlocks> lines,
                                       const ImportOptions& options, ListStart& start) {
  const auto says_nothing = [&] {
    skip_what_says_nothing(*lines);
    return !lines->peek_line();
  };
  while (start.part + 1 < parts.size() && says_nothing())
    lines = parts.open_edge_list(++start.part, options.format);
  ImportReport report;
  start.header = read_edge_header(*lines, options, report);
  start.notices = std::move(report.notices);
  return lines;
}

Collected collect_edge_list(const TextParts& parts, std::unique_ptr<LineBlocks> lines,
                            const ImportOptions& options, const Progress& progress) {
  ListStart start;
  lines = find_start(parts, std::move(lines), options, start);
  EdgeListReader reader(parts, options, start);
  for (std::size_t part = start.part;;) {
    reader.read(*lines, part_of(progress, part, 1, parts.size()));
    if (++part == parts.size()) break;
    lines = parts.open_edge_list(part, options.format);
  }
  return reader.finish(reader.summary(), true);
}

}  // namespace hushwalk
