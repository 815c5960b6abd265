// Rényi divergences D_order(noise + shift || noise) in closed form, for orders above 1 and infinity. The
// formulas are accurate to 1e-13 relative (orders 1 + 1e-6 to 1e6, shift/scale 1e-12 to 1e6) and then raised
// by `renyi_margin`: `_up` is never below the truth. Note: docs/math/03-laplace-renyi.md.
#pragma once

#include <cstdint>
#include <limits>

namespace hushwalk::accounting {

inline constexpr double infinite_order = std::numeric_limits<double>::infinity();

// Covers the rounding errors of the formulas below, which tests/oracle measures to stay under a tenth of it.
inline constexpr double renyi_margin = 1e-13;

// Laplace, x = shift / scale: g(x) = ln(a/(2a-1) e^{(a-1)x} + (a-1)/(2a-1) e^{-ax}) / (a-1) at order a; g(x)
// = x at order infinity.
double laplace_renyi_up(double order, double x);

// The x at which dg/dx is `slope`, given as the pair (slope, 1 - slope) because a slope near 1 has no digits
// left. Not rounded: it serves to find shifts, never to price them.
double laplace_slope_inverse(double order, double slope, double one_minus_slope);
double laplace_one_minus_slope(double order, double x);  // 1 - dg/dx

// Discrete Laplace, P(k) proportional to e^{-|k|/scale}, moved by a whole number. Convex in the shift with
// D(0) = 0, hence superadditive. Note: docs/math/11-discrete-laplace.md.
double discrete_laplace_renyi_up(double order, double shift, double scale);

// Gaussian, x = shift / standard deviation: order x^2 / 2 (infinite at order infinity, unless x is 0).
double gaussian_renyi_up(double order, double x);

// Randomized response that is epsilon-DP: a bit kept with probability e^eps / (1 + e^eps). It dominates every
// epsilon-DP mechanism, so this is also the curve of a pure guarantee. Mironov 2017, Proposition 5.
double randomized_response_renyi_up(double order, double epsilon);

}  // namespace hushwalk::accounting
