#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hushwalk {

// XXH3, 64 bits: finds damage, not forgery.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace hushwalk
