#include "noise/release_key.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>

#include "base/fail.h"
#include "base/system_random.h"
#include "noise/random_source.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t moved_away = ~std::uint64_t{0};  // no process forks so often

constexpr std::size_t label_size = 16, number_size = 8;
using Info = std::array<unsigned char, label_size + 3 * number_size>;

// Of fixed length, so that different labels and numbers are different bytes: the label with zeros after it,
// then the numbers with their highest byte first.
Info encode(std::string_view label, const std::array<std::uint64_t, 3>& numbers) {
  if (label.size() > label_size) fail_usage("the label '{}' of a key has more than 16 characters", label);
  Info info{};
  std::ranges::copy(label, info.begin());
  for (std::size_t i = 0; i < numbers.size() * number_size; ++i)
    info[label_size + i] =
        static_cast<unsigned char>(numbers[i / number_size] >> (56 - 8 * (i % number_size)));
  return info;
}

void hkdf(ReleaseKey::Bytes key, Info info, std::span<std::byte> out) {
  const std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)> method(EVP_KDF_fetch(nullptr, "HKDF", nullptr),
                                                                 EVP_KDF_free);
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(
      method ? EVP_KDF_CTX_new(method.get()) : nullptr, EVP_KDF_CTX_free);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, const_cast<std::byte*>(key.data()), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end()};
  if (!context || EVP_KDF_derive(context.get(), reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                 parameters) != 1)
    fail("OpenSSL derives no key by HKDF: no noise is drawn");
}

}  // namespace

ReleaseKey::ReleaseKey() : bytes_{}, generation_(watched_fork_generation()) {}

ReleaseKey::ReleaseKey(Bytes bytes) : ReleaseKey() { std::ranges::copy(bytes, bytes_.begin()); }

ReleaseKey::~ReleaseKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

ReleaseKey::ReleaseKey(ReleaseKey&& other) noexcept : bytes_(other.bytes_), generation_(other.generation_) {
  other.generation_ = moved_away;
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
}

ReleaseKey& ReleaseKey::operator=(ReleaseKey&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(generation_, other.generation_);
  return *this;
}

ReleaseKey ReleaseKey::fresh() {
  ReleaseKey key;
  fill_random(key.bytes_, "noise");
  return key;
}

ReleaseKey ReleaseKey::derive(std::string_view label, const std::array<std::uint64_t, 3>& numbers) const {
  ReleaseKey key;
  hkdf(secret_bytes(), encode(label, numbers), key.bytes_);
  return key;
}

ReleaseKey::Bytes ReleaseKey::secret_bytes() const {
  if (generation_ == moved_away) fail("this release key has been moved away: no noise is drawn");
  refuse_after_fork(generation_);
  return bytes_;
}

}  // namespace hushwalk
