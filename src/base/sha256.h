#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hushwalk {

using Sha256 = std::array<unsigned char, 32>;
Sha256 sha256(std::span<const std::byte> bytes);

// 64 hex digits.
std::string sha256_hex(std::span<const std::byte> bytes);
inline std::string sha256_hex(std::string_view text) { return sha256_hex(std::as_bytes(std::span(text))); }

}  // namespace hushwalk
