// Graph files by hand, from docs/formats.md: what an attacker can write, checksums included.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace hushwalk::testing {

inline constexpr std::size_t hwg_header = 256, hwg_sections = 6, hwg_piece = 16384;

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

inline std::uint64_t hwg_checksum(const std::string& bytes, std::size_t at, std::size_t size) {
  return XXH3_64bits(bytes.data() + at, size);
}

// Makes all checksums right.
inline void set_checksums(std::string& bytes) {
  if (bytes.size() < hwg_header) return;
  const bool in_pieces = load<std::uint32_t>(bytes, 8) == 2;
  std::size_t piece = hwg_header;
  for (std::size_t entry = 64; entry < 64 + 24 * hwg_sections; entry += 24) {
    const auto offset = load<std::uint64_t>(bytes, entry), size = load<std::uint64_t>(bytes, entry + 8);
    if (offset > bytes.size() || size > bytes.size() - offset) break;
    if (!in_pieces) store(bytes, entry + 16, hwg_checksum(bytes, offset, size));
    for (std::size_t at = 0; in_pieces && at < size && piece + 8 <= bytes.size(); at += hwg_piece, piece += 8)
      store(bytes, piece, hwg_checksum(bytes, offset + at, std::min(hwg_piece, size - at)));
  }
  store(bytes, 248, hwg_checksum(bytes, 0, 248));
}

// The same graph in the first version of the format.
inline std::string in_version_1(const std::string& bytes) {
  std::string old = bytes.substr(0, hwg_header);
  store<std::uint32_t>(old, 8, 1);
  std::fill(old.begin() + 208, old.begin() + 248, '\0');
  for (std::size_t entry = 64; entry < 64 + 24 * hwg_sections; entry += 24) {
    const auto offset = load<std::uint64_t>(bytes, entry), size = load<std::uint64_t>(bytes, entry + 8);
    old.resize((old.size() + 63) / 64 * 64);
    store<std::uint64_t>(old, entry, old.size());
    old += bytes.substr(offset, size);
  }
  store<std::uint64_t>(old, 56, old.size());
  set_checksums(old);
  return old;
}

}  // namespace hushwalk::testing
