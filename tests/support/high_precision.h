// The curves of accounting word for word as printed, in 100 decimal digits: no trick against cancellation is
// needed.
#pragma once

#include <gtest/gtest.h>

#include <boost/multiprecision/mpfr.hpp>

namespace hushwalk::testing {

using Big = boost::multiprecision::mpfr_float_100;

inline Big big_laplace(const Big& order, const Big& x) {
  const Big m = 2 * order - 1;
  return x + log(order / m + (order - 1) / m * exp(-m * x)) / (order - 1);
}

inline Big big_discrete_laplace(const Big& order, const Big& shift, const Big& scale) {
  const Big q = exp(-1 / scale), Q = pow(q, 2 * order - 1);
  const Big A = (1 - q * Q) / ((1 + q) * (1 - Q));
  return shift / scale + log(A + (1 - A) * exp(-(2 * order - 1) * shift / scale)) / (order - 1);
}

inline Big big_randomized_response(const Big& order, const Big& epsilon) {
  const Big p = exp(epsilon) / (1 + exp(epsilon)), q = 1 - p;
  return epsilon + log(p + q * exp(-2 * (order - 1) * epsilon)) / (order - 1);
}

inline Big big_improved_epsilon(const Big& order, const Big& rdp, const Big& delta) {
  return rdp + log((order - 1) / order) - (log(delta) + log(order)) / (order - 1);
}

// Never below the truth, and above it by a relative width at most.
inline ::testing::AssertionResult just_above(double value, const Big& truth, double width) {
  const Big excess = Big(value) / truth - 1;
  if (excess >= 0 && excess <= width) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << value << " is off by " << excess.convert_to<double>();
}

}  // namespace hushwalk::testing
