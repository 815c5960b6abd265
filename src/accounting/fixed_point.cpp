#include "accounting/fixed_point.h"

#include <algorithm>
#include <cmath>

#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {
namespace {

// A dozen operations and one pow, each within two units in the last place, all terms positive.
constexpr double formula_margin = 1e-14;

// (1-a)^exponent from ln(1-a); an error of the logarithm counts as often as the exponent says.
double remains_up(double log_one_minus_a, std::uint64_t exponent) {
  const double log_value = count_up(exponent) * log_one_minus_a;
  return raise(std::exp(log_value), formula_margin * (1 + std::abs(log_value)));
}

void check(const PushFlow& flow) {
  if (!(flow.teleport > 0 && flow.teleport < 1))
    refuse("the teleport probability is {}; the sensitivity of pushflow is proven within (0, 1) only",
           flow.teleport);
  if (!(flow.cap > 0 && std::isfinite(flow.cap)))
    refuse("the cap of pushflow is {}; without a positive and finite cap it has no sensitivity", flow.cap);
  if (flow.rounds == 0) refuse("pushflow needs at least one round");
}

}  // namespace

std::optional<double> lazy_beta(std::span<const Step> steps) {
  if (steps.empty()) return std::nullopt;
  const Step first = steps.front();
  const double beta = 2 * first.walk;
  const bool lazy = first.walk == first.stay && beta > 0 && beta < 1 && first.restart == 1 - beta;
  const bool constant = std::ranges::all_of(steps, [&](const Step& step) {
    return step.walk == first.walk && step.stay == first.stay && step.restart == first.restart;
  });
  return lazy && constant ? std::optional(beta) : std::nullopt;
}

std::optional<double> output_half_sensitivity_up(std::span<const Step> steps, double eta) {
  const std::optional<double> beta = lazy_beta(steps);
  if (!beta) return std::nullopt;
  const double a = 1 - *beta;
  return raise(
      eta * (*beta / a) * std::max(1.0, 4 * a / (1 + a)) + 4 * remains_up(std::log(*beta), steps.size()),
      formula_margin);
}

double pushflow_published_sensitivity_up(const PushFlow& flow, Scope scope) {
  check(flow);
  const std::uint64_t exponent = scope == Scope::personalized ? flow.rounds - 1 : flow.rounds;
  // 1 - (1-a)^R without cancellation where a R is small.
  const double spread = -std::expm1(static_cast<double>(exponent) * std::log1p(-flow.teleport));
  return raise((3 - flow.teleport) * flow.cap * spread, formula_margin);
}

double pushflow_fixed_point_sensitivity_up(const PushFlow& flow) {
  check(flow);
  const double a = flow.teleport;
  return raise(flow.cap * std::max(1 - a, 2 * a) + 2 * remains_up(std::log1p(-a), flow.rounds),
               formula_margin);
}

}  // namespace hushwalk::accounting
