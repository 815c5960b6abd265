#include "accounting/guarantee.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accounting/accountants.h"
#include "accounting/fixed_point.h"
#include "base/fail.h"

namespace hushwalk {
namespace accounting {
namespace {

constexpr int max_draws = 1000;

void check(const NoiseDesign& design) {
  if (design.steps.empty()) fail_usage("a diffusion needs at least one step");
  if (design.draws < 1 || design.draws > max_draws)
    fail_usage("`draws` is {}; it must be from 1 to {}", design.draws, max_draws);
  for (const Step& step : design.steps)
    if (!std::isfinite(step.walk) || !std::isfinite(step.stay))
      fail_usage("a coefficient of the diffusion is not a finite number");
}

std::vector<StepBound> bounds_of(const NoiseDesign& design) {
  check(design);
  return step_bounds_up(design.steps, design.eta.value(), design.scope);
}

}  // namespace

// Noise at the end only sees the whole sensitivity as one shift.
Chain chain_of(const NoiseDesign& design, double laplace_scale) {
  if (design.placement == NoisePlacement::at_end) {
    const double sensitivity = proven_sensitivity(design).value;
    return {{{{0, sensitivity, 0}, design.draws}}, Noise::laplace, laplace_scale};
  }
  std::vector<ChainStep> steps;
  for (const StepBound& bound : bounds_of(design)) steps.push_back({bound, design.draws});
  if (design.scope == Scope::personalized) steps.front().draws = 0;
  return {std::move(steps), Noise::laplace, laplace_scale};
}

}  // namespace accounting

using namespace accounting;

Sensitivity proven_sensitivity(const NoiseDesign& design) {
  const double recursion = sensitivities_up(bounds_of(design)).back();
  if (design.placement == NoisePlacement::at_end)
    if (const auto half = output_half_sensitivity_up(design.steps, design.eta.value());
        half && *half < recursion)
      return {*half, "fixed point of the lazy walk (docs/math/14-output-half.md)"};
  return {recursion, "recursion w_K (docs/math/02-sensitivity.md)"};
}

double distortion(const NoiseDesign& design) {
  check(design);
  double most = 0;
  for (const Step& step : design.steps) most = std::max(most, distortion_up(step, design.eta.value()));
  return most;
}

std::string unfit_reason(Accountant accountant, const NoiseDesign& design) {
  if (design.placement == NoisePlacement::at_end &&
      (accountant == Accountant::theorem || accountant == Accountant::composition))
    return "it needs noise in every step, and this design has noise at the end only";
  return accounting::unfit_reason(accountant, chain_of(design, 1));
}

}  // namespace hushwalk
