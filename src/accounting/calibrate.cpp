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

constexpr int scale_bits = 40;  // of the relative precision; 2^-40 is below 1e-12
constexpr std::uintmax_t max_tries = 200;
constexpr double safe_step = 0x1p-41;  // how far a scale is raised until its price is at most epsilon

// The scale at which w_K costs exactly epsilon, or the next double where the division rounds down.
double pure_scale(double sensitivity, double epsilon) {
  double scale = div_up(sensitivity, epsilon);
  while (div_up(sensitivity, scale) > epsilon) scale = next_up(scale);
  return scale;
}

// What a scale costs by all accountants but `pure`.
class Others {
 public:
  Others(const NoiseDesign& design, std::optional<double> delta)
      : accountants_(fitting_accountants(design)), chain_(chain_of(design, 1)), delta_(delta) {
    std::erase(accountants_, Accountant::pure);
  }

  double epsilon(double scale) const {
    chain_.scale = scale;
    return cheapest(accountants_, chain_, delta_).epsilon;
  }

 private:
  std::vector<Accountant> accountants_;
  mutable Chain chain_;
  std::optional<double> delta_;
};

// The smallest scale in (0, high] at which the others cost at most epsilon, given that they do at high.
double others_scale(const Others& others, double epsilon, double high) {
  const auto excess = [&](double log_scale) {
    return std::log(others.epsilon(std::exp(log_scale)) / epsilon);
  };
  double above = std::log(high), below = above;
  do below -= 1;
  while (excess(below) <= 0);
  std::uintmax_t tries = max_tries;
  const auto close = [](double a, double b) { return std::abs(a - b) <= 0x1p-40; };
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
