// Discrete Laplace noise, exactly: P(X = k) is proportional to e^(-|k| / scale) for every integer k.
//
// The magnitude before the sign is geometric, P(G = k) proportional to e^(-k / t), and its binary digits are
// independent, digit i being 1 with probability 1 / (1 + e^(2^i / t)). So
//   G = H 2^m + (digits m-1 ... j) + L,
// where H, geometric too, counts how often a coin of bias e^(-2^m / t) shows true in a row (2^m > 4 t and at
// least 1, so seldom once); the digits in the middle are drawn for 64 samples at a time, eight bit-planes
// each; and L, uniform below 2^j <= t / 128, is accepted with probability e^(-L / t), else the sample is
// drawn anew. A random sign would count zero twice, so -0 is drawn anew too.
//
// The first words of these coins are common to a group of 64 nodes, and as many for every group. A node whose
// sample they leave open (one in twenty) goes on with a stream of its own; it never throws away a coin that
// has begun to show, because that would favour coins that are quick to decide. Only a proposal that was
// rejected is made anew.
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
#include "noise/noise_source.h"

namespace hushwalk {

// How a sample is put together. Any choice gives the same distribution; tests choose so that rare branches
// are taken often.
struct LaplaceLayout {
  int low_part = 7;         // 2^j is the largest power of two up to t / 2^low_part
  int tail = 2;             // 2^m is the smallest power of two above t * 2^tail, at least 1
  int magnitude_bits = 63;  // magnitudes saturate at 2^magnitude_bits - 1
  std::uint64_t kept_digits = LazyBernoulli::max_kept;
};

// A value that int64 cannot hold (probability e^(-2^63 / scale), at most e^-8192) becomes the nearest of
// -(2^63 - 1) and 2^63 - 1, which cannot be seen when what is released is clamped to public bounds well
// within int64 (the note says how far, and that the sum must not overflow). Immutable, so threads may share
// one.
class DiscreteLaplace {
 public:
  static constexpr double min_scale = 0x1p-4, max_scale = 0x1p50;

  // Error{usage} unless min_scale <= scale <= max_scale.
  explicit DiscreteLaplace(double scale, const LaplaceLayout& layout = {});

  // Independent samples for the nodes of groups `first_group`, `first_group` + 1, ... of a piece. `out`
  // begins with the first node of its first group; the last group may be cut short. Whoever asks for a node
  // gets the same sample, whatever else is asked for.
  void fill(PieceWords& words, std::uint64_t first_group, std::span<std::int64_t> out) const;

  // Independent samples from a stream: where nothing is released.
  void fill(RandomStream& stream, std::span<std::int64_t> out) const;

 private:
  struct Proposal;
  class Batch;

  LazyBernoulli bernoulli(int exponent, bool one, const LaplaceLayout& layout) const;
  std::size_t words_per_group() const;
  std::uint64_t digit(std::size_t i) const {
    return std::uint64_t{1} << (static_cast<std::size_t>(low_bits_) + i);
  }

  template <class Words>
  bool accept_low(Words& words, std::uint64_t low, std::uint64_t first_bits) const;
  template <class Words>
  std::uint64_t add_tail(Words& words, std::uint64_t magnitude) const;
  template <class Words>
  bool finish(Words& words, Proposal& proposal) const;
  template <class Words>
  Proposal propose(Words& words) const;

  std::uint64_t numerator_, denominator_;  // the scale, exactly
  int low_bits_, tail_exponent_, magnitude_bits_;
  std::uint64_t low_mask_;
  std::uint64_t surely_accepted_;  // 16 random bits from here on accept every low part
  std::vector<LazyBernoulli> digits_;
  LazyBernoulli tail_;
};

// Independent samples for the numbers `first`, `first` + 1, ... of a kind and step, by address. `first` is a
// multiple of 64, else Error{usage}.
void draw_by_address(NoiseSource& source, NoiseKind kind, std::uint64_t step, const DiscreteLaplace& noise,
                     std::uint64_t first, std::span<std::int64_t> out);

}  // namespace hushwalk
