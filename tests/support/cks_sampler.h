// Discrete Laplace noise as Canonne, Kamath and Steinke wrote it down ("The discrete Gaussian for
// differential privacy", NeurIPS 2020, Algorithms 1 and 2), in whole numbers only. Slow and simple: the
// oracle of the tests and the peer of the benchmark. Shares nothing with src/noise but the stream of random
// words.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "noise/random_source.h"

namespace hushwalk::testing {

class CksLaplace {
 public:
  // P(X = k) is proportional to e^(-|k| s / t): the scale is t / s.
  CksLaplace(std::uint64_t t, std::uint64_t s) : t_(t), s_(s) {
    if (t == 0 || s == 0 || t > max_t) throw std::invalid_argument("the scale does not fit");
  }

  std::int64_t draw(RandomStream& stream) const {
    for (;;) {
      const std::uint64_t u = below(stream, t_);
      if (!exp_minus(stream, u, t_)) continue;
      std::uint64_t v = 0;
      while (exp_minus(stream, 1, 1)) ++v;
      const std::uint64_t y = (u + t_ * v) / s_;
      const bool negative = below(stream, 2) == 1;
      if (negative && y == 0) continue;
      return negative ? -static_cast<std::int64_t>(y) : static_cast<std::int64_t>(y);
    }
  }

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr std::uint64_t max_t = std::uint64_t{1}
                                         << 54;  // t * v and t * k fit for any v, k ever seen

  // Uniform in [0, bound), without bias: products below 2^64 mod bound are drawn anew (Lemire 2019).
  static std::uint64_t below(RandomStream& stream, std::uint64_t bound) {
    for (;;) {
      const Wide product = Wide{stream.next_word()} * bound;
      const auto rest = static_cast<std::uint64_t>(product);
      if (rest >= bound || rest >= -bound % bound) return static_cast<std::uint64_t>(product >> 64);
    }
  }

  // True with probability e^(-numerator / denominator), a number up to 1.
  static bool exp_minus(RandomStream& stream, std::uint64_t numerator, std::uint64_t denominator) {
    std::uint64_t k = 1;
    while (below(stream, denominator * k) < numerator) ++k;
    return k % 2 == 1;
  }

  std::uint64_t t_, s_;
};

}  // namespace hushwalk::testing
