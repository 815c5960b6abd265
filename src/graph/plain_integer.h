#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hushwalk {

// The integer that `text` writes in plain decimal form, without leading zeros, if it is one of 64 bits:
// writing it again gives the same text.
inline std::optional<std::int64_t> plain_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.starts_with('0') && text != "0") return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace hushwalk
