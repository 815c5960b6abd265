#include "base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace hushwalk {
namespace {

// U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069: Unicode's Bidi_Control.
bool changes_direction(std::string_view text) noexcept {
  if (text.starts_with("\xD8\x9C")) return true;
  if (text.size() < 3 || text[0] != '\xE2') return false;
  const auto last = static_cast<std::uint8_t>(text[2]);
  if (text[1] == '\x80') return last == 0x8E || last == 0x8F || (last >= 0xAA && last <= 0xAE);
  return text[1] == '\x81' && last >= 0xA6 && last <= 0xA9;
}

// The length of the well-formed printable character at the start of `text`, or 0.
// Ranges from table 3-7 of the Unicode standard.
std::size_t printable_character(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = at(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  const std::uint8_t second = at(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate_or_beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  const bool c1_control = lead == 0xC2 && second < 0xA0;
  return overlong || surrogate_or_beyond || c1_control || changes_direction(text) ? 0 : length;
}

// Everything as \xNN that is neither printable nor in `kept`.
std::string escaped(std::string_view text, std::string_view kept, std::size_t limit) {
  std::string result;
  while (!text.empty()) {
    if (result.size() >= limit) return result + "…";
    const std::size_t length = kept.find(text[0]) != kept.npos ? 1 : printable_character(text);
    result += length > 0 ? std::string(text.substr(0, length))
                         : fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[0]));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace

bool is_printable_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = printable_character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string quotable(std::string_view text, std::size_t limit) {
  if (text.ends_with('\r')) text.remove_suffix(1);  // of a line that ends as in DOS
  return escaped(text, "\t", limit);
}

std::string printable(std::string_view text) { return escaped(text, "\t\n", std::string::npos); }

}  // namespace hushwalk
