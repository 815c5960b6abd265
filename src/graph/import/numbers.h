// Lines of non-negative integers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/import/edge_line.h"

namespace hushwalk {

// Takes the next blank-separated word off `rest`; empty at the end.
inline std::string_view next_word(std::string_view& rest) {
  const std::size_t first = std::min(rest.find_first_not_of(" \t\r"), rest.size());
  const std::size_t end = std::min(rest.find_first_of(" \t\r", first), rest.size());
  const std::string_view word = rest.substr(first, end - first);
  rest.remove_prefix(end);
  return word;
}

inline std::optional<std::uint64_t> to_number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// All words of the line, if each is a number.
inline std::optional<std::vector<std::uint64_t>> to_numbers(std::string_view line) {
  std::vector<std::uint64_t> numbers;
  while (!trim(line).empty()) {
    const auto number = to_number(next_word(line));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace hushwalk
