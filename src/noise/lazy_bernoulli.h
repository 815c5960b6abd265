// Sixty-four coins at once whose bias is exactly 1 / e^x or 1 / (1 + e^x), x rational.
// docs/math/20-discrete-sampler.md, 2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "noise/random_source.h"

namespace hushwalk {

// 1 / (e^x + one), x = numerator / denominator > 0, to as many binary digits as anybody asks for.
struct ExpFraction {
  std::uint64_t numerator, denominator;
  bool one;

  // The 64 digits that follow the first `first` ones after the binary point. Integer
  // arithmetic with both bounds of every rounding, repeated with more bits until the bounds agree. They do in
  // the end, because e^x is irrational.
  std::uint64_t digits(std::uint64_t first) const;
};

// A uniform real is compared with the bias digit by digit: the first eight in all 64 lanes at once, the
// others (a lane gets there with probability 2^-8) 64 digits at a time. Two words of them are kept. Beyond
// (probability 2^-136) they are computed on the spot, so the bias is exact and not rounded to any number of
// bits.
class LazyBernoulli {
 public:
  static constexpr std::uint64_t max_kept = 2;

  // `kept` words of digits are computed now; fewer than max_kept only in tests, to get to the rest.
  explicit LazyBernoulli(const ExpFraction& bias, std::uint64_t kept = max_kept);

  // Bit l is true with the bias, independently for every l.
  std::uint64_t draw(WordReader& words) const {
    std::uint64_t undecided = ~std::uint64_t{0}, below = 0;
    const auto random = words.next_words<planes>();
    for (std::size_t i = 0; i < planes; ++i) {
      const std::uint64_t different = undecided & (random[i] ^ first_[i]);
      below |= different & first_[i];  // a random 0 under a digit 1: the uniform real is smaller
      undecided ^= different;
    }
    for (; undecided != 0; undecided &= undecided - 1)
      if (settle(words)) below |= undecided & -undecided;
    return below;
  }

 private:
  static constexpr unsigned planes = 8;

  bool settle(WordReader& words) const;

  ExpFraction bias_;
  std::array<std::uint64_t, planes> first_;  // a digit each, in all bits
  std::array<std::uint64_t, max_kept> next_{};
  std::uint64_t kept_;
};

}  // namespace hushwalk
