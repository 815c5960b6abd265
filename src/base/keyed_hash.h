// Hashes under a key, by OpenSSL, and SHA-256 of what comes in pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/sha256.h"

struct evp_mac_ctx_st;
struct evp_md_ctx_st;

namespace hushwalk {

// HMAC-SHA-256 (RFC 2104) of what is added, piece by piece.
class HmacSha256 {
 public:
  explicit HmacSha256(std::span<const std::byte> key);
  HmacSha256(HmacSha256&&) noexcept = default;
  void add(std::span<const std::byte> bytes);
  Sha256 finish();

 private:
  struct Free {
    void operator()(evp_mac_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_mac_ctx_st, Free> context_;
};

// HKDF with SHA-256 (RFC 5869), 32 bytes; `info` of at most 1024 bytes.
Sha256 hkdf_sha256(std::span<const std::byte> key, std::span<const std::byte> salt, std::string_view info);

class Sha256Stream {
 public:
  Sha256Stream();
  void add(std::string_view text);
  std::string hex();  // of all that was added; nothing may be added afterwards

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// In a time that tells nothing of where they differ.
bool same_secret(std::span<const std::byte> a, std::span<const std::byte> b) noexcept;

std::string to_hex(std::span<const unsigned char> bytes);
// Error{failed} unless it is `out.size()` bytes in hex digits; `what` is for the message.
void from_hex(std::string_view hex, std::span<unsigned char> out, const char* what);

}  // namespace hushwalk
