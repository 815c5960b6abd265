#include "noise/discrete_gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/fail.h"
#include "noise/exact_bernoulli.h"
#include "noise/rational.h"

namespace hushwalk {
namespace {

double checked_sigma(double sigma) {
  if (!(sigma >= DiscreteGaussian::min_sigma && sigma <= DiscreteGaussian::max_sigma))
    fail_usage("sigma of discrete Gaussian noise must be between 1 and 2^49, not {}", sigma);
  return sigma;
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(double sigma)
    : numerator_(exact_fraction(checked_sigma(sigma)).numerator),
      denominator_(exact_fraction(sigma).denominator),
      laplace_scale_(static_cast<std::uint64_t>(sigma) + 1),
      laplace_(std::floor(sigma) + 1) {}

void DiscreteGaussian::fill(RandomStream& stream, std::span<std::int64_t> out) const {
  std::array<std::int64_t, 64> candidates;
  std::size_t done = 0;
  while (done < out.size()) {
    laplace_.fill(stream, candidates);
    for (const std::int64_t candidate : candidates)
      if (done < out.size() && accept(stream, candidate)) out[done++] = candidate;
  }
}

// With probability exp(-(|y| - sigma^2 / t)^2 / (2 sigma^2)), sigma = s / d and y of scale t: the exponent is
// (|y| t d^2 - s^2)^2 / (2 s^2 t^2 d^2).
bool DiscreteGaussian::accept(RandomStream& stream, std::int64_t candidate) const {
  const Integer s2 = numerator_ * numerator_, d2 = denominator_ * denominator_;
  const Integer magnitude = std::abs(candidate);
  const Integer difference = magnitude * laplace_scale_ * d2 - s2;
  WordReader words(stream);
  return draw_exp<Integer>(words, difference * difference, 2 * s2 * laplace_scale_ * laplace_scale_ * d2);
}

}  // namespace hushwalk
