// The source of noise of every release: AES-256 in counter mode (NIST SP 800-38A), by OpenSSL, under keys
// that HKDF derives from the release key for each kind of number, step and piece of the node list.
#pragma once

#include <memory>

#include "noise/noise_source.h"
#include "noise/release_key.h"

struct evp_cipher_st;

namespace hushwalk {

// A group of a kind and step is drawn once, an answer is asked for once: the second time is Error{failed},
// because numbers with the same noise tell their difference. So is a forked child that draws, and a draw that
// would use more than 2^32 blocks of one key.
class KeyedNoise final : public NoiseSource {
 public:
  explicit KeyedNoise(ReleaseKey key);
  ~KeyedNoise() override;

  std::unique_ptr<NoiseSource> answer(std::uint64_t number) override;
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override;

  // For the other processes of one job, each of which draws the noise of nodes of its own.
  const ReleaseKey& key_for_job() const noexcept { return key_; }

  // Blocks of a node's own stream. With at most 2^17 of all groups of a piece together, 2^31 + 2^17 under one
  // key.
  static constexpr std::uint64_t own_blocks = std::uint64_t{1} << 15;

 private:
  struct Ciphers;
  class Drawn;
  class Piece;

  KeyedNoise(ReleaseKey key, std::shared_ptr<const Ciphers> ciphers);

  ReleaseKey key_;
  std::shared_ptr<const Ciphers> ciphers_;
  std::shared_ptr<Drawn> drawn_;
};

}  // namespace hushwalk
