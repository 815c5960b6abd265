// Noise for a target: the smallest scale whose price is at most epsilon.
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <utility>

#include "accounting/calibrate_chain.h"
#include "accounting/round_up.h"
#include "base/fail.h"
#include "hushwalk/accounting.h"

namespace hushwalk {

using namespace accounting;

namespace {

constexpr double narrow = 1.01;     // a bracket this tight is left to the root finder
constexpr double close_enough = 2;  // in units of rounding: the bracket that ends the search
constexpr double as_asked = 1e-12;  // a pure price this close to the target is the target
constexpr std::uintmax_t max_tries = 100;

// What account() certifies, with the scale free.
class Price {
 public:
  Price(std::vector<FittingChain> chains, std::optional<double> delta)
      : chains_(std::move(chains)), delta_(delta) {}

  double pure(double scale) const { return cheapest_pure(at(scale)).epsilon; }
  Guarantee operator()(double scale) const { return certified(at(scale), delta_); }

 private:
  std::vector<FittingChain> at(double scale) const {
    std::vector<FittingChain> scaled;
    scaled.reserve(chains_.size());
    for (const FittingChain& chain : chains_) scaled.push_back(chain.with_scale(scale));
    return scaled;
  }

  std::vector<FittingChain> chains_;
  std::optional<double> delta_;
};

// The first scale, from this one on in growing steps, that costs at most epsilon.
template <class Cost>
double raised_until_safe(double scale, double epsilon, const Cost& cost) {
  double step = next_up(scale) - scale;
  for (; cost(scale) > epsilon; step *= 2) scale += step;
  return scale;
}

// A pure price is one number over the scale, up to rounding.
double pure_scale(const Price& price, double epsilon) {
  const LaplaceScale first(div_up(price.pure(1), epsilon));  // outside its limits the search might not end
  return raised_until_safe(first.value(), epsilon, [&](double scale) { return price.pure(scale); });
}

// The smallest scale up to `high` with a price of at most epsilon, given that `high` has one. The steps down
// grow, and halving tightens the bracket before interpolation may trust the function: far below the price
// may overflow, and with a large delta it is 0 from some scale on.
double smallest_scale(const Price& price, double epsilon, double high) {
  const auto cost = [&](double scale) { return price(scale).epsilon; };
  double low = high / narrow;
  for (double factor = narrow; cost(low) <= epsilon; low = high / factor) {
    high = low;
    factor *= factor;
  }
  while (high > low * narrow) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    (cost(middle) <= epsilon ? high : low) = middle;
  }
#ifdef __clang_analyzer__  // would have a value of Boost's both 0 and not 0, and then another one not set
  return high;
#else
  const auto excess = [&](double scale) { return cost(scale) / epsilon - 1; };
  const double rounding = close_enough * (next_up(high) - high);
  const auto close = [&](double a, double b) { return std::abs(a - b) <= rounding; };
  std::uintmax_t tries = max_tries;
  const auto bracket = boost::math::tools::toms748_solve(excess, low, high, close, tries);
  return raised_until_safe(bracket.first, epsilon, cost);
#endif
}

}  // namespace

CalibratedChain accounting::calibrate_chains(const std::vector<FittingChain>& chains, double epsilon,
                                             std::optional<double> delta) {
  const Price price(chains, delta);
  const double simple = pure_scale(price, epsilon);
  const Guarantee there = price(simple);
  if (there.epsilon >= epsilon * (1 - as_asked)) return {simple, there};
  const double scale = smallest_scale(price, epsilon, simple);
  return {scale, price(scale)};
}

Calibration calibrate(const NoiseDesign& design, Epsilon epsilon, std::optional<Delta> delta) {
  if (proven_sensitivity(design).value == 0)
    fail_usage("this diffusion needs no noise: in {} scope {} step{} show{} nothing that is secret",
               design.scope == Scope::personalized ? "personalized" : "edge", design.steps.size(),
               design.steps.size() == 1 ? "" : "s", design.steps.size() == 1 ? "s" : "");
  const CalibratedChain found = calibrate_chains(fitting_chains(design, 1), epsilon.value(),
                                                 delta ? std::optional(delta->value()) : std::nullopt);
  return {LaplaceScale(found.scale), found.guarantee};
}

}  // namespace hushwalk
