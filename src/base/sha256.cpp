#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/fail.h"

namespace hushwalk {

std::string sha256_hex(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha256(), nullptr) != 1)
    fail("SHA-256 is not available");
  return fmt::format("{:02x}", fmt::join(std::span(hash).first(size), ""));
}

}  // namespace hushwalk
