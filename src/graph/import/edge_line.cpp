#include "graph/import/edge_line.h"

#include <algorithm>

#include "base/utf8.h"

namespace hushwalk {
namespace {

constexpr std::string_view blanks = " \t\r";

// Cuts the part of `rest` before the first of `separators`, and the separator itself, off its front.
std::string_view cut(std::string_view& rest, std::string_view separators) {
  const std::size_t end = std::min(rest.find_first_of(separators), rest.size());
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

EdgeLine two_integers(std::string_view line) {
  EdgeLine result;
  std::string_view rest = line;
  result.first = cut(rest, " \t,");
  // A separator is blanks with at most one comma among them.
  const bool comma = line.substr(result.first.size()).starts_with(',');
  rest = trim(rest);
  if (!comma && rest.starts_with(',')) rest = trim(rest.substr(1));
  result.second = cut(rest, " \t,");
  result.more = !trim(rest).empty();
  if (looks_like_integer(result.first) && looks_like_integer(result.second)) result.kind = EdgeLine::edge;
  return result;
}

const char* fault_of_id(std::string_view id) {
  if (id.empty()) return "an id is empty";
  if (id.starts_with('"'))
    return "quoted ids are not read; write the file without quotes, or skip a quoted header with `header`";
  if (!is_printable_utf8(id)) return "an id is not UTF-8 text, or holds control characters";
  return nullptr;
}

}  // namespace

std::string_view trim(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool looks_like_integer(std::string_view id) noexcept {
  if (id.starts_with('-')) id.remove_prefix(1);
  return !id.empty() && std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
}

EdgeLine read_edge_line(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.front() == '#' || line.front() == '%') return {};
  EdgeLine result = two_integers(line);
  if (line.find('\r') != std::string_view::npos) {
    result.kind = EdgeLine::bad;
    result.reason =
        "it has a carriage return inside; if lines end in that, convert the file with: tr '\\r' '\\n'";
  }
  if (result.kind != EdgeLine::nothing) return result;

  const bool by_tab = line.find('\t') != std::string_view::npos;
  const bool by_comma = !by_tab && line.find(',') != std::string_view::npos;
  const std::string_view separator = by_comma ? "," : by_tab ? "\t" : " ";
  std::string_view rest = line;
  result.kind = EdgeLine::bad;
  result.first = trim(cut(rest, separator));
  if (rest.empty() && !(by_comma && line.ends_with(','))) {
    result.reason = "it has one id, not two";
    return result;
  }
  if (by_tab && result.first.ends_with(',')) {
    result.reason = "a comma and a tab follow the first id; use one separator";
    return result;
  }
  if (!by_comma && !by_tab) rest = trim(rest);
  result.second = trim(cut(rest, separator));
  result.more = !trim(rest).empty();
  for (const std::string_view id : {result.first, result.second}) {
    if (const char* fault = fault_of_id(id)) {
      result.reason = fault;
      return result;
    }
  }
  result.kind = EdgeLine::edge;
  return result;
}

}  // namespace hushwalk
