// A random permutation of [0, size) in constant memory: a Feistel network on the next even number of bits,
// walked until it falls inside (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
#pragma once

#include <bit>
#include <cstdint>

#include "graph/generate/counter_random.h"

namespace hushwalk {

class Permutation {
 public:
  Permutation(std::uint64_t size, const CounterRandom& random) noexcept
      : size_(size), half_bits_((static_cast<unsigned>(std::bit_width(size > 1 ? size - 1 : 1)) + 1) / 2) {
    for (std::uint64_t round = 0; round < rounds; ++round) keys_[round] = random.word(round);
  }

  std::uint64_t operator()(std::uint64_t x) const noexcept {
    do x = shuffle(x);
    while (x >= size_);
    return x;
  }

 private:
  static constexpr std::uint64_t rounds = 6;

  std::uint64_t shuffle(std::uint64_t x) const noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = x >> half_bits_, right = x & mask;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t next = left ^ (mix_bits(right ^ key) & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t size_;
  unsigned half_bits_;
  std::uint64_t keys_[rounds];
};

}  // namespace hushwalk
