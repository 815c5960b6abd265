#include "base/sha256.h"

#include <openssl/evp.h>

#include "base/fail.h"
#include "base/keyed_hash.h"

namespace hushwalk {

Sha256 sha256(std::span<const std::byte> bytes) {
  static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);  // slow, so once
  Sha256 hash{};
  if (!algorithm || EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, algorithm, nullptr) != 1)
    fail("SHA-256 is not available");
  return hash;
}

std::string sha256_hex(std::span<const std::byte> bytes) { return to_hex(sha256(bytes)); }

}  // namespace hushwalk
