// Discrete Laplace noise, exactly: P(X = k) is proportional to e^(-|k| / scale) for every integer k.
//
// The magnitude before the sign is geometric, P(G = k) proportional to e^(-k / t), and its binary digits are
// independent, digit i being 1 with probability 1 / (1 + e^(2^i / t)). So
//   G = H 2^m + (digits m-1 ... j) + L,
// where H, geometric too, counts how often a coin of bias e^(-2^m / t) shows true in a row (2^m > 4 t, so
// seldom once); the digits in the middle are drawn for 64 samples at a time, eight bit-planes each; and L,
// uniform below 2^j <= t / 128, is accepted with probability e^(-L / t), else the sample is drawn anew. A
// random sign would count zero twice, so -0 is drawn anew too.
//
// Every coin is compared exactly (lazy_bernoulli.h, exact_bernoulli.h): the distribution is this one, not one
// close to it, and what is proved of discrete Laplace noise holds with no extra delta. (Biases rounded to any
// number of bits would bound the support, and a release that can be ruled out is not pure.) There is no
// floating point once the scale has been taken. Proof, coin by coin: docs/math/20-discrete-sampler.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "noise/lazy_bernoulli.h"
#include "noise/random_source.h"

namespace hushwalk {

// How a sample is put together. Any choice gives the same distribution; tests choose so that rare branches
// are taken often.
struct LaplaceLayout {
  int low_part = 7;         // 2^j is the largest power of two up to t / 2^low_part
  int tail = 2;             // 2^m is the smallest power of two above t * 2^tail
  int magnitude_bits = 63;  // magnitudes saturate at 2^magnitude_bits - 1
  std::uint64_t kept_digits = LazyBernoulli::max_kept;
};

// A value that int64 cannot hold (probability e^(-2^63 / scale), at most e^-8192) becomes the nearest of
// -(2^63 - 1) and 2^63 - 1, which cannot be seen when what is released is clamped to public bounds well
// within int64 (the note says how far, and that the sum must not overflow). Immutable, so threads may share
// one.
class DiscreteLaplace {
 public:
  static constexpr double min_scale = 1, max_scale = 0x1p50;

  // Error{usage} unless min_scale <= scale <= max_scale.
  explicit DiscreteLaplace(double scale, const LaplaceLayout& layout = {});

  // Independent samples.
  void fill(RandomStream& stream, std::span<std::int64_t> out) const;

 private:
  static constexpr std::size_t lanes = 64;

  struct Block;

  std::size_t draw_block(WordReader& words, std::span<std::int64_t, lanes> out) const;
  void draw_digits(WordReader& words, Block& block) const;
  void add_low_parts(WordReader& words, Block& block) const;
  bool accept_low(WordReader& words, std::uint64_t low, std::uint64_t first_bits) const;
  std::uint64_t add_tail(WordReader& words, std::uint64_t magnitude) const;
  LazyBernoulli bernoulli(int exponent, bool one, const LaplaceLayout& layout) const;

  std::uint64_t numerator_, denominator_;  // the scale, exactly
  int low_bits_, tail_exponent_, magnitude_bits_;
  std::uint64_t surely_accepted_;  // 16 random bits from here on accept every low part
  std::vector<LazyBernoulli> digits_;
  LazyBernoulli tail_;
};

// The samplers of a set of scales, for noise with a scale per entry. Immutable, so threads may share one.
class DiscreteLaplaceSet {
 public:
  explicit DiscreteLaplaceSet(std::span<const double> scales);  // in any order, repeats allowed

  // out[i] has scale scales[i]; Error{usage} when that was not among the scales of the set.
  void fill(RandomStream& stream, std::span<const double> scales, std::span<std::int64_t> out) const;

 private:
  std::vector<double> scales_;  // ascending
  std::vector<DiscreteLaplace> samplers_;
};

}  // namespace hushwalk
