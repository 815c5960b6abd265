// All three curves have the form  D = ln(e^{(a-1)x} ((1-c) + c e^{-y})) / (a-1)  at order a. Where y is large
//   D = x + log1p(c expm1(-y)) / (a-1)
// loses nothing. Where y is small the two terms cancel, and the same quantity is
//   (a-1) D = [(a-1)x - c y] + c [y + expm1(-y)] + [log1p(u) - u],   u = c expm1(-y),
// with each bracket computed without cancellation; c <= 1/2 bounds what is left between them.
#include "accounting/renyi.h"

#include <algorithm>
#include <boost/math/special_functions/log1p.hpp>
#include <cassert>
#include <cmath>

#include "accounting/round_up.h"

namespace hushwalk::accounting {
namespace {

constexpr double series_limit = 1;        // y below which the brackets are used
constexpr double smallest_cost = 1e-300;  // added to a cost above 0, because squares of tiny shifts underflow

// e^{-y} - 1 + y for 0 <= y <= 1, by its series.
double exp_remainder(double y) {
  double term = y * y / 2, sum = 0;
  for (int n = 3; sum + term != sum; ++n) {
    sum += term;
    term *= -y / n;
  }
  return sum;
}

// z - tanh(z) for 0 <= z <= 1: (z cosh z - sinh z) / cosh z, the numerator a series of positive terms.
double tanh_remainder(double z) {
  double power = z * z * z / 6, sum = 0;  // z^{2n+1} / (2n+1)!
  for (int n = 1; sum + 2 * n * power != sum; ++n) {
    sum += 2 * n * power;
    power *= z * z / ((2 * n + 2) * (2 * n + 3));
  }
  return sum / std::cosh(z);
}

// The form above; `excess` is (a-1)x - c y, needed where y is small only.
double mixture(double a_minus_1, double x, double c, double y, double excess) {
  if (!(y < series_limit)) return x + std::log1p(c * std::expm1(-y)) / a_minus_1;
  const double u = c * std::expm1(-y);
  return (excess + c * exp_remainder(y) + boost::math::log1pmx(u)) / a_minus_1;
}

double raised(double value) { return add_up(raise(value, renyi_margin), smallest_cost); }

}  // namespace

double laplace_renyi_up(double order, double x) {
  assert(order > 1 && x >= 0);
  if (x == 0 || order == infinite_order) return x;
  const double a_minus_1 = order - 1, m = 2 * order - 1;
  return std::min(x, raised(mixture(a_minus_1, x, a_minus_1 / m, m * x, 0)));
}

// dg/dx = a (1 - E) / (a + (a-1) E) with E = e^{-(2a-1)x}.
double laplace_one_minus_slope(double order, double x) {
  const double m = 2 * order - 1, e = std::exp(-m * x);
  return e * m / (order + (order - 1) * e);
}

double laplace_slope_inverse(double order, double slope, double one_minus_slope) {
  const double m = 2 * order - 1;
  return std::log1p(m / order * slope / one_minus_slope) / m;
}

// c = (q - Q) / ((1+q)(1-Q)) with q = e^{-1/t}, Q = q^{2a-1}. With h = 1/2t, m = 2a - 1 it is
// (1 - tanh(h)/tanh(mh)) / 2, so the excess over the continuous curve is k h N / tanh(mh) with
// N = m tanh(h) - tanh(mh) = (p(2(a-1)h) - 2(a-1) p(h) + m T^2 S) / (1 + T S), where p(z) = z - tanh(z),
// T = tanh(h), S = tanh(2(a-1)h): no difference of nearly equal numbers, even near order 1.
double discrete_laplace_renyi_up(double order, double shift, double scale) {
  assert(order > 1 && shift >= 0 && shift == std::floor(shift) && scale > 0);
  const double x = shift / scale, x_up = div_up(shift, scale);
  if (shift == 0 || order == infinite_order) return x_up;
  const double a_minus_1 = order - 1, m = 2 * order - 1, s = 1 / scale, h = s / 2;
  const double q = std::exp(-s);
  const double c = q * std::expm1(-2 * a_minus_1 * s) / ((1 + q) * std::expm1(-m * s));
  const double y = m * x;
  double excess = 0;
  if (y < series_limit) {
    const double T = std::tanh(h), S = std::tanh(2 * a_minus_1 * h);
    const double n = tanh_remainder(2 * a_minus_1 * h) - 2 * a_minus_1 * tanh_remainder(h) + m * T * T * S;
    excess = shift * h * n / ((1 + T * S) * std::tanh(m * h));
  }
  return std::min(x_up, raised(mixture(a_minus_1, x, c, y, excess)));
}

double gaussian_renyi_up(double order, double x) {
  assert(order > 1 && x >= 0);
  return x == 0 ? 0 : mul_up(mul_up(order, x), x) / 2;
}

double randomized_response_renyi_up(double order, double epsilon) {
  assert(order > 1 && epsilon >= 0);
  if (epsilon == 0 || order == infinite_order) return epsilon;
  const double a_minus_1 = order - 1;
  const double c = 1 / (1 + std::exp(epsilon)), excess = a_minus_1 * epsilon * std::tanh(epsilon / 2);
  return std::min(epsilon, raised(mixture(a_minus_1, epsilon, c, 2 * a_minus_1 * epsilon, excess)));
}

}  // namespace hushwalk::accounting
