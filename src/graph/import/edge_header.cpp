#include "graph/import/edge_header.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/utf8.h"

namespace hushwalk {
namespace {

using namespace std::string_view_literals;

// --- words that name columns -------------------------------------------------------------------------------

constexpr std::array end_words = {
    "source"sv,    "src"sv,      "target"sv, "dst"sv,      "dest"sv,      "destination"sv, "from"sv,
    "to"sv,        "user"sv,     "friend"sv, "node"sv,     "vertex"sv,    "follower"sv,    "followee"sv,
    "following"sv, "followed"sv, "sender"sv, "receiver"sv, "recipient"sv, "person"sv,      "member"sv,
    "customer"sv,  "account"sv,  "item"sv,   "product"sv,  "movie"sv,     "author"sv,      "coauthor"sv};
constexpr std::array other_words = {"id"sv, "ids"sv, "uid"sv, "name"sv, "index"sv, "a"sv, "b"sv, "key"sv};

constexpr std::array row_words = {"id"sv, "index"sv, "row"sv, "unnamed"sv};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The words of a name: fromUser, from_user and "from user 1" have two.
std::vector<std::string> words_in(std::string_view name) {
  std::vector<std::string> words;
  bool new_word = true, lower = false;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (is_letter(c) && (new_word || (capital && lower))) words.emplace_back();
    if (is_letter(c)) words.back() += static_cast<char>(capital ? c - 'A' + 'a' : c);
    new_word = !is_letter(c);
    lower = is_letter(c) && !capital;
  }
  return words;
}

// "source", "user_id", "To Node 2": names of a column with an end of an edge, and of nobody.
bool names_an_end(std::string_view name) {
  const auto words = words_in(name);
  const auto is_one_of = [](const auto& list) {
    return [&](const std::string& word) { return std::ranges::find(list, word) != list.end(); };
  };
  return std::ranges::any_of(words, is_one_of(end_words)) &&
         std::ranges::all_of(words, [&](const auto& word) {
           return is_one_of(end_words)(word) || is_one_of(other_words)(word);
         });
}

// "", "id", "row_index", "Unnamed: 0" (pandas): names of a column that tells rows apart, and holds no end.
bool names_a_row(std::string_view name) {
  const auto words = words_in(name);
  return name.empty() || (!words.empty() && std::ranges::all_of(words, [](const std::string& word) {
           return std::ranges::find(row_words, word) != row_words.end();
         }));
}

// --- columns -----------------------------------------------------------------------------------------------

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::size_t column_named(const std::string& name, const std::vector<std::string>& header,
                         const LineBlocks& lines) {
  const auto found = std::ranges::count(header, name);
  if (found == 1) return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
  fail("{}:{}: {} column '{}'; the columns are: {}", lines.name(), lines.line_number(),
       found == 0 ? "there is no" : "there is more than one", quotable(name),
       quotable(fmt::format("{}", fmt::join(header, ", "))));
}

// The layout that `columns` asks for; names are looked up in the first line, which is then a header.
LineLayout find_columns(const ImportOptions& options, LineBlocks& lines, LineLayout layout) {
  const auto& [source, target] = *options.columns;
  const std::string text(*lines.peek_line());
  if (layout.separator == 0) layout.separator = likely_separator(text);
  const auto first = whole_number(source), second = whole_number(target);
  if (first && second) {
    if (*first == 0 || *second == 0) fail_usage("`columns` are counted from 1");
    layout.first = *first - 1, layout.second = *second - 1;
  } else {
    const auto header = fields_of(text, layout.separator);
    layout.first = column_named(source, header, lines);
    layout.second = column_named(target, header, lines);
    lines.skip_line();
  }
  if (layout.first == layout.second) fail_usage("`columns` takes two different columns");
  return layout;
}

bool by_name(const ImportOptions& options) {
  return options.columns && !(whole_number(options.columns->first) && whole_number(options.columns->second));
}

// What a first line `id,source,target` means for the ids, which are taken from the columns before: words, or
// nothing.
std::string other_columns(std::string_view text, const LineLayout& layout) {
  const auto fields = fields_of(text, layout.separator);
  if (fields.size() < 3 || (names_an_end(fields[0]) && names_an_end(fields[1]))) return "";
  std::vector<std::string> ends;
  std::ranges::copy_if(fields, std::back_inserter(ends), names_an_end);
  if (ends.size() != 2 && names_a_row(fields[0])) ends = {fields[1], fields[2]};
  if (ends.size() != 2) return "";
  return fmt::format(
      "ids were taken from the first two columns, '{}' and '{}'; if they are in '{}' and '{}', say `columns {},{}`",
      quotable(fields[0]), quotable(fields[1]), quotable(ends[0]), quotable(ends[1]), quotable(ends[0]),
      quotable(ends[1]));
}

std::optional<FirstLine> set_aside(LineBlocks& lines, const LineLayout& layout) {
  const std::string_view text = *lines.peek_line();
  EdgeLineReader reader(layout);
  const EdgeLine line = reader.read(text);
  if (line.kind != EdgeLine::edge || looks_like_integer(line.first) || looks_like_integer(line.second))
    return std::nullopt;
  std::optional<FirstLine> first;
  first.emplace(LineNote{lines.line_number(), "", quotable(text), lines.part()}, std::string(line.first),
                std::string(line.second), names_an_end(line.first) && names_an_end(line.second));
  lines.skip_line();
  return first;
}

// What the first line that says something means.
EdgeHeader read_first_line(LineBlocks& lines, const ImportOptions& options, ImportReport& report) {
  EdgeHeader header{.layout = {.separator = options.delimiter.value_or('\0')}};
  if (!lines.peek_line()) return header;
  if (!options.columns) header.other_columns = other_columns(*lines.peek_line(), header.layout);
  if (!header.other_columns.empty()) report.notices.push_back(header.other_columns);
  if (options.columns) header.layout = find_columns(options, lines, header.layout);
  if (by_name(options)) return header;
  if (options.header) {
    report.notices.push_back(fmt::format("skipped the header '{}'", quotable(*lines.peek_line())));
    lines.skip_line();
  } else {
    header.set_aside = set_aside(lines, header.layout);
  }
  return header;
}

}  // namespace

void skip_what_says_nothing(LineBlocks& lines) {
  const auto says_nothing = [](std::string_view line) {
    return EdgeLineReader().read(line).kind == EdgeLine::nothing;
  };
  while (lines.peek_line() && says_nothing(*lines.peek_line())) lines.skip_line();
}

EdgeHeader read_edge_header(LineBlocks& lines, const ImportOptions& options, ImportReport& report) {
  skip_what_says_nothing(lines);
  const std::string first(lines.peek_line().value_or(""));
  const std::uint64_t number = lines.line_number();
  EdgeHeader header = read_first_line(lines, options, report);
  if (lines.line_number() != number) header.taken = first;
  return header;
}

bool first_column_counts(std::string_view block, const LineLayout& layout) {
  constexpr int enough = 5, most = 100;
  int lines = 0;
  std::size_t last = 0;
  bool one_by_one = true, beside_text = true;
  while (!block.empty() && lines < most) {
    const auto fields = fields_of(block.substr(0, block.find('\n')), layout.separator);
    block.remove_prefix(std::min(block.find('\n'), block.size() - 1) + 1);
    const auto number = fields.size() < 3 ? std::nullopt : whole_number(fields[0]);
    if (!number || (lines > 0 && *number <= last)) return false;
    one_by_one = one_by_one && (lines == 0 || *number - last == 1);
    beside_text = beside_text && !looks_like_integer(fields[1]) && !looks_like_integer(fields[2]);
    last = *number;
    ++lines;
  }
  return lines >= enough && (one_by_one || beside_text);
}

}  // namespace hushwalk
