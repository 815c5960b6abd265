// Sixty-four coins at once whose bias is exactly 1 / e^x or 1 / (1 + e^x), x rational.
#pragma once

#include <array>
#include <cstdint>

#include "noise/random_source.h"

namespace hushwalk {

// 1 / (e^x + one), x = numerator / denominator > 0, to as many binary digits as anybody asks for.
struct ExpFraction {
  std::uint64_t numerator, denominator;
  bool one;

  // Digits 64 * index + 1 to 64 * index + 64 after the binary point, the first one on top. Integer arithmetic
  // with both bounds of every rounding, repeated with more bits until the bounds agree. They do in the end,
  // because e^x is irrational.
  std::uint64_t digits(std::uint64_t index) const;
};

// A uniform real is compared with the bias bit by bit, in all 64 lanes, until every lane is decided: about
// eight random words. The first digits are kept; beyond them (a lane gets there with probability 2^-128) they
// are computed on the spot, so the bias is exact and not rounded to any number of bits.
class LazyBernoulli {
 public:
  static constexpr std::uint64_t max_kept = 2;

  // `kept` words of digits are computed now; fewer than max_kept only in tests, to get to the rest.
  explicit LazyBernoulli(const ExpFraction& bias, std::uint64_t kept = max_kept);

  // Bit l is true with the bias, independently for every l.
  std::uint64_t draw(WordReader& words) const;

 private:
  std::uint64_t digits(std::uint64_t index) const {
    return index < kept_ ? first_[index] : bias_.digits(index);
  }

  ExpFraction bias_;
  std::uint64_t kept_;
  std::array<std::uint64_t, max_kept> first_{};
};

}  // namespace hushwalk
