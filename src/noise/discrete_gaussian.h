// Discrete Gaussian noise, exactly: P(X = k) is proportional to e^(-k^2 / (2 sigma^2)) for every integer k.
// For comparisons only, and slow: Algorithm 3 of Canonne, Kamath and Steinke, "The discrete Gaussian for
// differential privacy" (NeurIPS 2020), in integers without limit.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <span>

#include "noise/discrete_laplace.h"
#include "noise/random_source.h"

namespace hushwalk {

class DiscreteGaussian {
 public:
  static constexpr double min_sigma = 1, max_sigma = 0x1p49;

  // Error{usage} unless min_sigma <= sigma <= max_sigma.
  explicit DiscreteGaussian(double sigma);

  // Independent samples.
  void fill(RandomStream& stream, std::span<std::int64_t> out) const;

 private:
  using Integer = boost::multiprecision::cpp_int;

  bool accept(RandomStream& stream, std::int64_t candidate) const;

  Integer numerator_, denominator_;  // sigma, exactly
  Integer laplace_scale_;
  DiscreteLaplace laplace_;
};

}  // namespace hushwalk
