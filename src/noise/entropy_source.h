// Random words that nobody can find again, for audits and simulations, which release nothing: AES-256 in
// counter mode (NIST SP 800-38A), by OpenSSL, each stream under a fresh key and counter from the operating
// system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "noise/random_source.h"

struct evp_cipher_st;

namespace hushwalk {

// Where keys come from and how long one serves. Only tests choose anything but the defaults.
struct EntropySettings {
  // Fills `bytes` from the operating system; false when it cannot, with the reason in errno.
  bool (*entropy)(std::span<std::byte> bytes) noexcept;
  // A block is 16 bytes. Counter mode differs from random words in that no block repeats under one key, which
  // shows after about 2^64 blocks; 2^32 keep an observer's advantage below 2^-64.
  std::uint64_t blocks_per_key;
};

// Fails closed: without entropy the stream throws Error{failed} and gives no words. A stream takes a new key
// after a fork and after `blocks_per_key` blocks, and wipes the old one.
class EntropySource {
 public:
  EntropySource();
  explicit EntropySource(const EntropySettings& settings);
  EntropySource(const EntropySource&) = delete;
  EntropySource& operator=(const EntropySource&) = delete;

  // May be called by many threads at once. No two streams are ever alike.
  std::unique_ptr<RandomStream> stream() const;

 private:
  EntropySettings settings_;
  std::shared_ptr<const evp_cipher_st> cipher_;
};

}  // namespace hushwalk
