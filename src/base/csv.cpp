#include "hushwalk/csv.h"

#include <charconv>

namespace hushwalk {

namespace {

// Spreadsheets read a number behind the sign as a number.
bool is_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('+') || text.starts_with('-') ? 1 : 0);
  if (digits.empty() || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return false;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error != std::errc::invalid_argument && end == digits.data() + digits.size();
}

// Spreadsheets would run it as a formula, or drop its apostrophe.
bool needs_apostrophe(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r\n'").find(text[0]) != text.npos && !is_number(text);
}

}  // namespace

std::string csv_field(std::string_view text) {
  const bool apostrophe = needs_apostrophe(text);
  if (!apostrophe && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = apostrophe ? "\"'" : "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

}  // namespace hushwalk
