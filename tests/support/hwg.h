// Graph files by hand, from docs/formats.md: what an attacker can write, checksums included.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace hushwalk::testing {

inline constexpr std::size_t hwg_header = 256, hwg_sections = 6;

template <class T>
T load(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void store(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Where section `index` starts.
inline std::size_t hwg_section(const std::string& bytes, std::size_t index) {
  return load<std::uint64_t>(bytes, 64 + 24 * index);
}

// Makes all checksums right.
inline void set_checksums(std::string& bytes) {
  if (bytes.size() < hwg_header) return;
  for (std::size_t entry = 64; entry < 64 + 24 * hwg_sections; entry += 24) {
    const auto offset = load<std::uint64_t>(bytes, entry), size = load<std::uint64_t>(bytes, entry + 8);
    if (offset <= bytes.size() && size <= bytes.size() - offset)
      store<std::uint64_t>(bytes, entry + 16, XXH3_64bits(bytes.data() + offset, size));
  }
  store<std::uint64_t>(bytes, 248, XXH3_64bits(bytes.data(), 248));
}

}  // namespace hushwalk::testing
