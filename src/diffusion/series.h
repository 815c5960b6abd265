// A diffusion as a series in the walk matrix P: p = sum over k of theta_k P^k s.
#pragma once

#include <span>

#include "hushwalk/step.h"

namespace hushwalk {

struct Series {
  double zero = 0, one = 0, two = 0;  // theta_0, theta_1, theta_2
  double rest = 0;                    // all further ones together
  double beyond_one() const noexcept { return two + rest; }
};

// Multiplies (walk P + stay) ... out, keeping three coefficients and the sum of all.
inline Series series_of(std::span<const Step> steps) {
  Series theta{.zero = 1};
  double sum = 1;
  for (const Step& step : steps) {
    theta.two = step.stay * theta.two + step.walk * theta.one;
    theta.one = step.stay * theta.one + step.walk * theta.zero;
    theta.zero = step.stay * theta.zero + step.restart;
    sum = (step.walk + step.stay) * sum + step.restart;
  }
  theta.rest = sum - theta.zero - theta.one - theta.two;
  return theta;
}

}  // namespace hushwalk
