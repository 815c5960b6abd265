#include "base/keyed_hash.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>

#include "base/fail.h"

namespace hushwalk {
namespace {

const unsigned char* raw(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

char* sha256_name() {
  static char name[] = "SHA256";
  return name;
}

}  // namespace

void HmacSha256::Free::operator()(evp_mac_ctx_st* context) const noexcept { EVP_MAC_CTX_free(context); }

HmacSha256::HmacSha256(std::span<const std::byte> key) {
  static EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, "HMAC", nullptr);  // slow, so once
  context_.reset(algorithm ? EVP_MAC_CTX_new(algorithm) : nullptr);
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, sha256_name(), 0),
                                   OSSL_PARAM_construct_end()};
  if (!context_ || EVP_MAC_init(context_.get(), raw(key), key.size(), parameters) != 1)
    fail("OpenSSL makes no HMAC");
}

void HmacSha256::add(std::span<const std::byte> bytes) {
  if (EVP_MAC_update(context_.get(), raw(bytes), bytes.size()) != 1) fail("OpenSSL makes no HMAC");
}

Sha256 HmacSha256::finish() {
  Sha256 tag{};
  std::size_t size = 0;
  if (EVP_MAC_final(context_.get(), tag.data(), &size, tag.size()) != 1 || size != tag.size())
    fail("OpenSSL makes no HMAC");
  return tag;
}

Sha256 hkdf_sha256(std::span<const std::byte> key, std::span<const std::byte> salt, std::string_view info) {
  static EVP_KDF* const algorithm = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(
      algorithm ? EVP_KDF_CTX_new(algorithm) : nullptr, EVP_KDF_CTX_free);
  const auto octets = [](const char* name, const void* data, std::size_t size) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<void*>(data), size);
  };
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, sha256_name(), 0),
                                   octets(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
                                   octets(OSSL_KDF_PARAM_SALT, salt.data(), salt.size()),
                                   octets(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
                                   OSSL_PARAM_construct_end()};
  Sha256 out{};
  if (!context || EVP_KDF_derive(context.get(), out.data(), out.size(), parameters) != 1)
    fail("OpenSSL derives no key by HKDF");
  return out;
}

void Sha256Stream::Free::operator()(evp_md_ctx_st* context) const noexcept { EVP_MD_CTX_free(context); }

Sha256Stream::Sha256Stream() : context_(EVP_MD_CTX_new()) {
  if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
    fail("SHA-256 is not available");
}

void Sha256Stream::add(std::string_view text) {
  if (EVP_DigestUpdate(context_.get(), text.data(), text.size()) != 1) fail("SHA-256 is not available");
}

std::string Sha256Stream::hex() {
  Sha256 hash{};
  if (EVP_DigestFinal_ex(context_.get(), hash.data(), nullptr) != 1) fail("SHA-256 is not available");
  return to_hex(hash);
}

bool same_secret(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string to_hex(std::span<const unsigned char> bytes) {
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

void from_hex(std::string_view hex, std::span<unsigned char> out, const char* what) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (hex.size() != 2 * out.size() || hex.find_first_not_of(digits) != hex.npos)
    fail("{} is not {} bytes in hex digits", what, out.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<unsigned char>(digits.find(hex[2 * i]) << 4 | digits.find(hex[2 * i + 1]));
}

}  // namespace hushwalk
