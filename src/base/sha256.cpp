#include "base/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "base/fail.h"

namespace hushwalk {

std::string sha256_hex(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  static EVP_MD* const sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);  // slow, so once
  if (!sha256 || EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, sha256, nullptr) != 1)
    fail("SHA-256 is not available");
  std::string hex;
  hex.reserve(std::size_t{2} * size);
  for (const unsigned char byte : std::span(hash).first(size)) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

}  // namespace hushwalk
