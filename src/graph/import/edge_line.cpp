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

// --- fields ------------------------------------------------------------------------------------------------

// How long the quoted field at the start of `text` is, both quotes included; npos when it is not closed.
std::size_t quoted_length(std::string_view text) {
  for (std::size_t at = 1; (at = text.find('"', at)) != std::string_view::npos; at += 2)
    if (!text.substr(at + 1).starts_with('"')) return at + 1;
  return std::string_view::npos;
}

struct Field {
  std::string_view text = {};  // between the quotes, if it has them
  bool doubled = false;        // with quotes in it that stand for one each
  bool last = true;            // no separator follows
  const char* fault = nullptr;
};

std::string_view skip_blanks(std::string_view text, char separator) {
  const std::size_t start = text.find_first_not_of(separator == '\t' ? " " : " \t");
  return text.substr(std::min(start, text.size()));
}

// Cuts the first field and the separator behind it off the front of `rest`.
Field cut_field(std::string_view& rest, char separator) {
  rest = skip_blanks(rest, separator);
  Field field;
  if (rest.starts_with('"')) {
    const std::size_t length = quoted_length(rest);
    if (length == std::string_view::npos)
      return {.fault = "a quote is not closed; an id cannot hold a line end"};
    field.text = rest.substr(1, length - 2);
    field.doubled = field.text.find('"') != std::string_view::npos;
    rest = skip_blanks(rest.substr(length), separator);
    if (separator != ' ' && !rest.empty() && rest.front() != separator)
      return {.fault = "text follows a closing quote; a quote inside quotes is written twice"};
  } else {
    field.text = trim(rest.substr(0, rest.find(separator)));
    rest.remove_prefix(std::min(rest.find(separator), rest.size()));
  }
  field.last = separator == ' ' ? trim(rest).empty() : rest.empty();
  if (!field.last && rest.front() == separator) rest.remove_prefix(1);
  return field;
}

// Whether `c` separates fields: it stands outside of quoted ones.
bool has_separator(std::string_view line, char c) {
  if (line.find('"') == std::string_view::npos) return line.find(c) != std::string_view::npos;
  bool at_start = true;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (at_start && line[i] == '"') {
      const std::size_t length = quoted_length(line.substr(i));
      if (length == std::string_view::npos) return false;
      i += length - 1;
    } else if (line[i] == c) {
      return true;
    }
    at_start = line[i] == ' ' || line[i] == '\t' || line[i] == ',';
  }
  return false;
}

char usual_separator(std::string_view line) {
  return has_separator(line, '\t') ? '\t' : has_separator(line, ',') ? ',' : ' ';
}

std::string without_doubles(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text.substr(i).starts_with("\"\"")) ++i;
  }
  return result;
}

const char* fault_of_id(std::string_view id) {
  if (id.empty()) return "an id is empty";
  if (!is_printable_utf8(id)) return "an id is not UTF-8 text, or holds control characters";
  return nullptr;
}

EdgeLine bad(const char* reason) { return {.kind = EdgeLine::bad, .reason = reason}; }

const char* too_few(std::string_view line, const LineLayout& layout) {
  if (layout.second > 1 || layout.first > 1) return "it has too few columns";
  if (layout.separator == 0 && line.find(';') != std::string_view::npos)
    return "it has one id, not two; if semicolons separate them, say `delimiter semicolon`";
  if (layout.separator == 0 && line.find('|') != std::string_view::npos)
    return "it has one id, not two; if bars separate them, say `delimiter bar`";
  return "it has one id, not two";
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

std::vector<std::string> fields_of(std::string_view line, char separator) {
  const char used = separator == 0 ? usual_separator(trim(line)) : separator;
  std::string_view rest = used == '\t' ? line.substr(0, line.find_last_not_of('\r') + 1) : trim(line);
  std::vector<std::string> fields;
  for (Field field{.last = false}; !field.last;) {
    field = cut_field(rest, used);
    if (field.fault != nullptr) return {};
    fields.push_back(field.doubled ? without_doubles(field.text) : std::string(field.text));
  }
  return fields;
}

char likely_separator(std::string_view line) {
  for (const char c : {'\t', ',', ';', '|'})
    if (has_separator(trim(line), c)) return c;
  return ' ';
}

EdgeLine EdgeLineReader::read(std::string_view line) {
  const std::string_view trimmed = trim(line);
  if (trimmed.empty() || trimmed.front() == '#' || trimmed.front() == '%') return {};
  if (trimmed.find('\r') != std::string_view::npos)
    return bad(
        "it has a carriage return inside; if lines end in that, convert the file with: tr '\\r' '\\n'");
  if (layout_ == LineLayout{})
    if (const EdgeLine integers = two_integers(trimmed); integers.kind == EdgeLine::edge) return integers;
  if (layout_.separator == '\t') return read_fields(line.substr(0, line.find_last_not_of('\r') + 1), '\t');
  return read_fields(trimmed, layout_.separator == 0 ? usual_separator(trimmed) : layout_.separator);
}

EdgeLine EdgeLineReader::read_fields(std::string_view line, char separator) {
  EdgeLine result{.kind = EdgeLine::edge};
  std::string_view rest = line;
  for (std::size_t column = 0; column <= std::max(layout_.first, layout_.second); ++column) {
    const Field field = cut_field(rest, separator);
    if (field.fault != nullptr) return bad(field.fault);
    if (field.last && column < std::max(layout_.first, layout_.second)) return bad(too_few(line, layout_));
    if (column != layout_.first && column != layout_.second) continue;
    const bool is_first = column == layout_.first;
    std::string& unquoted = unquoted_[is_first ? 0 : 1];
    if (field.doubled) unquoted = without_doubles(field.text);
    (is_first ? result.first : result.second) = field.doubled ? std::string_view(unquoted) : field.text;
  }
  if (layout_.separator == 0 && separator == '\t' && result.first.ends_with(','))
    return bad("a comma and a tab follow the first id; use one separator");
  for (const std::string_view id : {result.first, result.second})
    if (const char* fault = fault_of_id(id)) return bad(fault);
  result.more = !trim(rest).empty();
  return result;
}

}  // namespace hushwalk
