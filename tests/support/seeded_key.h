// Release keys that repeat themselves: for tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "noise/keyed_noise.h"

namespace hushwalk::testing {

using KeyBytes = std::array<std::byte, ReleaseKey::size>;

inline KeyBytes key_bytes(std::uint64_t seed) {
  KeyBytes bytes{};
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(seed >> (8 * i));
  return bytes;
}

inline ReleaseKey seeded_key(std::uint64_t seed) { return ReleaseKey(key_bytes(seed)); }

}  // namespace hushwalk::testing
