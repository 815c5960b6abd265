// Noise for a target: the smallest scale whose price is at most epsilon.
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "accounting/design.h"
#include "accounting/guarantee.h"
#include "accounting/round_up.h"
#include "base/fail.h"
#include "hushwalk/accounting.h"

namespace hushwalk {

using namespace accounting;

namespace {

constexpr double log_tolerance = 0x1p-40;  // below 1e-12 relative
constexpr std::uintmax_t max_tries = 200;
constexpr double safe_step = 0x1p-41;  // how far a scale is raised until its price is at most epsilon

// The scale at which w_K costs exactly epsilon, or the next double where the division rounds down.
double pure_scale(double sensitivity, double epsilon) {
  double scale = div_up(sensitivity, epsilon);
  while (div_up(sensitivity, scale) > epsilon) scale = next_up(scale);
  return scale;
}

// What a scale costs by another accountant than `pure`. The shift accountant is never above the theorem or
// composition (docs/math/07-shift-accountant.md) and fits wherever `pure` does, so it alone decides the
// scale; account() asks all.
class Others {
 public:
  Others(const NoiseDesign& design, std::optional<double> delta)
      : chain_(chain_of(design, 1)), delta_(delta) {}

  double epsilon(double scale) const {
    return price(Accountant::shift, chain_.with_scale(scale), delta_, {}).epsilon;
  }

 private:
  Chain chain_;
  std::optional<double> delta_;
};

// The smallest scale up to `high` at which the others cost at most epsilon, given that they do at high.
double others_scale(const Others& others, double epsilon, double high) {
  const auto excess = [&](double log_scale) { return others.epsilon(std::exp(log_scale)) / epsilon - 1; };
  double above = std::log(high), below = above - 1;
  for (; excess(below) <= 0; below -= 1) above = below;
  // With a large delta the cost is 0 from some scale on, and a flat piece misleads the root finder.
  while (excess(above) < -0.5) {
    const double middle = (above + below) / 2;
    (excess(middle) <= 0 ? above : below) = middle;
  }
  std::uintmax_t tries = max_tries;
  const auto close = [](double a, double b) { return std::abs(a - b) <= log_tolerance; };
  const auto bracket = boost::math::tools::toms748_solve(excess, below, above, close, tries);
  double scale = std::exp(bracket.second);
  while (others.epsilon(scale) > epsilon) scale *= 1 + safe_step;
  return scale;
}

}  // namespace

Calibration calibrate(const NoiseDesign& design, Epsilon epsilon, std::optional<Delta> delta) {
  const double sensitivity = proven_sensitivity(design).value, target = epsilon.value();
  if (sensitivity == 0)
    fail_usage("this diffusion needs no noise: in {} scope {} step{} show{} nothing that is secret",
               design.scope == Scope::personalized ? "personalized" : "edge", design.steps.size(),
               design.steps.size() == 1 ? "" : "s", design.steps.size() == 1 ? "s" : "");
  const auto at = [&](double scale) {
    const LaplaceScale laplace_scale(scale);
    return Calibration{laplace_scale, account({design, laplace_scale}, delta)};
  };
  const double simple = pure_scale(sensitivity, target);
  const Others others(design, delta ? std::optional(delta->value()) : std::nullopt);
  // account() prefers pure when the others are hardly better; so does calibration.
  if (others.epsilon(simple) * pure_preference >= target) return at(simple);
  const Calibration cheaper = at(others_scale(others, target, simple));
  // Just where that preference changes sides, account() may still charge the pure price for the cheaper
  // scale.
  return cheaper.guarantee.epsilon <= target ? cheaper : at(simple);
}

}  // namespace hushwalk
