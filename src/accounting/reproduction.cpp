#include "accounting/reproduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/renyi.h"

namespace hushwalk::accounting {
namespace {

// min over tau of (K - tau) g(shift(tau)) + g(gamma^{K-tau} start(tau)), all over the scale.
template <class Shift, class Start>
double smallest_over_tau(const ConstantChain& chain, double order, Shift shift, Start start) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t tau = 0; tau < chain.steps; ++tau) {
    const auto left = static_cast<double>(chain.steps - tau);
    const double carry = std::pow(chain.gain, left) * start(tau);
    best = std::min(best, left * laplace_renyi_up(order, shift(tau) / chain.laplace_scale) +
                              laplace_renyi_up(order, carry / chain.laplace_scale));
  }
  return best;
}

// rho (1 - gamma^tau) / (1 - gamma)
double tracked(const ConstantChain& chain, std::size_t tau) {
  const auto t = static_cast<double>(tau);
  return chain.distortion * (chain.gain == 1 ? t : (1 - std::pow(chain.gain, t)) / (1 - chain.gain));
}

}  // namespace

UnsoundBound printed_theorem_2(const ConstantChain& chain, double order) {
  return UnsoundBound(smallest_over_tau(
      chain, order, [&](std::size_t tau) { return tau == 0 ? 0 : chain.distortion; },
      [&](std::size_t tau) { return tracked(chain, tau); }));
}

UnsoundBound diameter_bound(const ConstantChain& chain, double diameter, double order) {
  return UnsoundBound(smallest_over_tau(
      chain, order, [&](std::size_t) { return chain.distortion; }, [&](std::size_t) { return diameter; }));
}

}  // namespace hushwalk::accounting
