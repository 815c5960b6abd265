#include "noise/entropy_source.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/fail.h"
#include "noise/noise_source.h"

namespace hushwalk {
namespace {

constexpr std::size_t key_bytes = 32, counter_bytes = 16;

// getentropy waits until the system's generator has been seeded, and never gives less than it was asked for.
bool system_entropy(std::span<std::byte> bytes) noexcept {
  return getentropy(bytes.data(), bytes.size()) == 0;
}

// Key and counter on their way from the system to the cipher.
struct KeyMaterial {
  KeyMaterial() = default;
  ~KeyMaterial() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
  KeyMaterial(const KeyMaterial&) = delete;
  KeyMaterial& operator=(const KeyMaterial&) = delete;

  const unsigned char* key() const noexcept { return reinterpret_cast<const unsigned char*>(bytes.data()); }
  const unsigned char* counter() const noexcept { return key() + key_bytes; }

  std::array<std::byte, key_bytes + counter_bytes> bytes{};
};

class EntropyStream final : public RandomStream {
 public:
  EntropyStream(const EntropySettings& settings, std::shared_ptr<const EVP_CIPHER> cipher)
      : settings_(settings), cipher_(std::move(cipher)), context_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
    if (!context_) fail("no memory for a cipher");
    take_new_key();
  }

  void fill(std::span<std::uint64_t> words) override {
    while (!words.empty()) {
      if (blocks_left_ == 0 || generation_ != fork_generation.load(std::memory_order_relaxed)) take_new_key();
      const std::uint64_t most = std::min(blocks_left_, longest_run) * words_per_block;
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(words.size(), most));
      encrypt(words.first(count));
      blocks_left_ -= (count + words_per_block - 1) / words_per_block;
      words = words.subspan(count);
    }
  }

 private:
  static constexpr std::uint64_t longest_run = std::uint64_t{1}
                                               << 24;  // blocks; OpenSSL counts bytes in an int

  void take_new_key() {
    blocks_left_ = 0;                      // should anything below fail, the old key is not used again
    EVP_CIPHER_CTX_reset(context_.get());  // wipes the old key
    generation_ = fork_generation;
    KeyMaterial fresh;
    errno = 0;
    if (!settings_.entropy(fresh.bytes))
      fail(
          "the operating system gives no entropy ({}): no noise is drawn; run where the system call getrandom is allowed: a sandbox may forbid it",
          std::strerror(errno));
    if (EVP_EncryptInit_ex2(context_.get(), cipher_.get(), fresh.key(), fresh.counter(), nullptr) != 1)
      fail("OpenSSL refuses a key for AES-256-CTR: no noise is drawn");
    blocks_left_ = settings_.blocks_per_key;
  }

  void encrypt(std::span<std::uint64_t> words) {
    std::fill(words.begin(), words.end(), 0);
    auto* const bytes = reinterpret_cast<unsigned char*>(words.data());
    const int length = static_cast<int>(words.size_bytes());
    int written = 0;
    if (EVP_EncryptUpdate(context_.get(), bytes, &written, bytes, length) != 1 || written != length)
      fail("OpenSSL fails to encrypt: no noise is drawn");
  }

  EntropySettings settings_;
  std::shared_ptr<const EVP_CIPHER> cipher_;
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context_;  // wiped when it is freed
  std::uint64_t blocks_left_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace

EntropySource::EntropySource()
    : EntropySource({.entropy = system_entropy, .blocks_per_key = std::uint64_t{1} << 32}) {}

EntropySource::EntropySource(const EntropySettings& settings)
    : settings_(settings), cipher_(EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr), EVP_CIPHER_free) {
  if (!cipher_) fail("OpenSSL has no AES-256-CTR: no noise is drawn");
}

std::unique_ptr<RandomStream> EntropySource::stream() const {
  return std::make_unique<EntropyStream>(settings_, cipher_);
}

}  // namespace hushwalk
