#include "graph/import/matrix_market.h"

#include <algorithm>
#include <cctype>

#include "graph/import/numbers.h"

namespace hushwalk {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

[[noreturn]] void fail_here(LineBlocks& lines, std::string_view reason) {
  const auto line = lines.peek_line();
  fail_at(lines.name(), {lines.line_number(), std::string(reason), quotable(line.value_or(""))});
}

// Returns whether entries have values.
bool check_banner(LineBlocks& lines) {
  std::string_view rest = *lines.peek_line();
  next_word(rest);
  const std::string object = lower(next_word(rest)), format = lower(next_word(rest)),
                    field = lower(next_word(rest)), symmetry = lower(next_word(rest));
  if (object != "matrix" || format != "coordinate")
    fail_here(lines, "only Matrix Market files of the kind 'matrix coordinate' are read");
  if (field != "pattern" && field != "real" && field != "integer")
    fail_here(lines, "the field of a Matrix Market file must be pattern, real or integer");
  if (symmetry != "general" && symmetry != "symmetric")
    fail_here(lines, "the symmetry of a Matrix Market file must be general or symmetric");
  return field != "pattern";
}

}  // namespace

bool starts_matrix_market(LineBlocks& lines) {
  const auto line = lines.peek_line();
  return line && lower(line->substr(0, banner.size())) == lower(banner);
}

MatrixMarketHeader read_matrix_market_header(LineBlocks& lines) {
  if (!starts_matrix_market(lines)) fail_here(lines, "a Matrix Market file starts with %%MatrixMarket");
  const bool values = check_banner(lines);
  do {
    lines.skip_line();
  } while (lines.peek_line() && (trim(*lines.peek_line()).empty() || lines.peek_line()->starts_with('%')));
  if (!lines.peek_line()) fail("{} ends before the size line of its matrix", lines.name());
  const auto size = to_numbers(*lines.peek_line());
  if (!size || size->size() != 3) fail_here(lines, "the size line must hold rows, columns and entries");
  if ((*size)[0] != (*size)[1]) fail_here(lines, "the matrix of a graph must be square");
  if ((*size)[0] > max_nodes) fail_here(lines, fmt::format("a graph can have at most {} nodes", max_nodes));
  lines.skip_line();
  return {.nodes = (*size)[0], .entries = (*size)[2], .values = values};
}

ParsedBlock parse_matrix_market(const LineBlock& block, const MatrixMarketHeader& header) {
  ParsedBlock parsed;
  const std::string_view text = block.text;
  for (std::size_t at = 0; at < text.size() && !parsed.fatal;) {
    const std::size_t end = text.find('\n', at);
    std::string_view rest = text.substr(at, end - at);
    if (!trim(rest).empty() && rest.front() != '%') {
      const auto i = to_number(next_word(rest)), j = to_number(next_word(rest));
      if (!i || !j)
        parsed.fatal = note_line(block, at, "an entry must start with two integers");
      else if (*i < 1 || *j < 1 || *i > header.nodes || *j > header.nodes)
        parsed.fatal = note_line(block, at, fmt::format("an index is not in 1..{}", header.nodes));
      else
        parsed.edges.push_back({static_cast<Node>(*i - 1), static_cast<Node>(*j - 1)});
    }
    at = end + 1;
  }
  return parsed;
}

}  // namespace hushwalk
