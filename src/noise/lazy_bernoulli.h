// Sixty-four coins at once whose bias is exactly 1 / e^x or 1 / (1 + e^x), x rational.
// docs/math/20-discrete-sampler.md, 2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "noise/rational.h"

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

// (e^y - 1)^2 e^x / ((e^x - 1)^2 e^y) for x = 1 / fine > y = 1 / coarse, the scales being
// numerator / denominator: how often noise of scale `fine` needs nothing more to have scale `coarse`
// (coarsening.h). Digits as above; it is irrational too.
struct CoarseningBias {
  Fraction fine, coarse;
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

  static constexpr unsigned planes = 8;

  // Of 64 coins: those that show true, and those that eight digits do not decide. Bit l of both and of all
  // planes is coin l.
  struct Lanes {
    std::uint64_t below = 0, undecided = ~std::uint64_t{0};
  };
  Lanes compare(std::span<const std::uint64_t, planes> random) const {
    Lanes lanes;
    for (std::size_t i = 0; i < planes; ++i) {
      const std::uint64_t different = lanes.undecided & (random[i] ^ first_[i]);
      lanes.below |= different & first_[i];  // a random 0 under a digit 1: the uniform real is smaller
      lanes.undecided ^= different;
    }
    return lanes;
  }

  // The same for one coin: negative when it shows true, 0 when it is not decided.
  int compare(std::uint8_t random) const { return int{random} - int{first_byte_}; }

  // Goes on with a coin that eight digits do not decide. `Words` has next_word().
  template <class Words>
  bool settle(Words& words) const {
    for (std::uint64_t i = 0;; ++i) {
      const std::uint64_t word = words.next_word();
      const std::uint64_t digits = i < kept_ ? next_[i] : bias_.digits(planes + 64 * i);
      if (word != digits) return word < digits;
    }
  }

 private:
  ExpFraction bias_;
  std::array<std::uint64_t, planes> first_;  // a digit each, in all bits
  std::uint8_t first_byte_;                  // the same eight digits
  std::array<std::uint64_t, max_kept> next_{};
  std::uint64_t kept_;
};

}  // namespace hushwalk
