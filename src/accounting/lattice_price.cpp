#include "accounting/lattice_price.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {
namespace {

// Noise at the end sees the whole sensitivity as one shift.
LatticePrice one_shift(double sensitivity, double slack, std::string bound) {
  return {Chain({{{0, sensitivity, 0}, 1}}, Noise::discrete_laplace, 1), sensitivity, slack,
          std::move(bound)};
}

double rounding_of_a_step(const LatticeDesign& design) {
  return lattice_slack_up(design.steps.front(), design.nodes, design.max_edges, /*unit=*/1);
}

// Two runs, each within sigma / a of its own fixed point, sigma the rounding of a step.
double fixed_point_slack(const LatticeDesign& design, double a) {
  return mul_up(div_up(2 * rounding_of_a_step(design), a), 1 + 1e-14);
}

double last_sensitivity_up(std::vector<StepBound> bounds, bool with_slack) {
  if (!with_slack)
    for (StepBound& bound : bounds) bound.slack = 0;
  return sensitivities_up(bounds).back();
}

}  // namespace

std::vector<StepBound> lattice_bounds_up(const LatticeDesign& design) {
  std::vector<StepBound> bounds = step_bounds_up(design.steps, design.cap, design.scope);
  // In personalized scope the first step reads the seeds' own edges only: the same in both graphs.
  for (std::size_t k = design.scope == Scope::personalized ? 1 : 0; k < bounds.size(); ++k)
    bounds[k].slack = lattice_slack_up(design.steps[k], design.nodes, design.max_edges, /*unit=*/1);
  return bounds;
}

LatticePrice price_every_step(const LatticeDesign& design, int draws) {
  const std::vector<StepBound> bounds = lattice_bounds_up(design);
  std::vector<ChainStep> steps;
  steps.reserve(bounds.size());
  for (const StepBound& bound : bounds) steps.push_back({bound, draws});
  if (design.scope == Scope::personalized) steps.front().draws = 0;
  const double sensitivity = last_sensitivity_up(bounds, true);
  return {Chain(std::move(steps), Noise::discrete_laplace, 1), sensitivity,
          sensitivity - last_sensitivity_up(bounds, false), by_recursion};
}

LatticePrice price_at_end(const LatticeDesign& design) {
  const std::vector<StepBound> bounds = lattice_bounds_up(design);
  const double recursion = last_sensitivity_up(bounds, true);
  const double eta = std::ldexp(design.cap, -design.bits);
  if (const auto half = output_half_sensitivity_up(design.steps, eta)) {
    const double slack = fixed_point_slack(design, 1 - 2 * design.steps.front().walk);
    const double total = add_up(std::ldexp(*half, design.bits), slack);
    if (total < recursion)
      return one_shift(total, slack, "fixed point of the lazy walk (docs/math/14-output-half.md)");
  }
  return one_shift(recursion, recursion - last_sensitivity_up(bounds, false), by_recursion);
}

// Both bounds fall with the teleport probability a, the cap of the state being fixed, so a is rounded down.
std::optional<PushFlow> push_flow_of(std::span<const Step> steps, double cap) {
  const std::optional<double> beta = lazy_beta(steps);
  if (!beta) return std::nullopt;
  const double a = std::nextafter(1 - *beta, 0.0);
  return PushFlow{a, div_up(cap, a), steps.size()};
}

double push_flow_sensitivity_up(const PushFlow& flow, Scope scope) {
  return std::min(pushflow_published_sensitivity_up(flow, scope), pushflow_fixed_point_sensitivity_up(flow));
}

LatticePrice price_push_flow(const LatticeDesign& design) {
  const auto flow = push_flow_of(design.steps, design.cap);
  if (!flow) refuse("push-flow is proven for the lazy walk only");
  // The tail of the fixed point is in units of 1, everything else in those of the cap.
  PushFlow real = *flow;
  real.cap = std::ldexp(flow->cap, -design.bits);
  const double fixed_slack = fixed_point_slack(design, flow->teleport),
               fixed =
                   add_up(std::ldexp(pushflow_fixed_point_sensitivity_up(real), design.bits), fixed_slack);
  // Here rounding is charged once for the pair, inside the recursion: sigma / a in the limit.
  const double published_slack = fixed_slack / 2,
               published = add_up(pushflow_published_sensitivity_up(*flow, design.scope), published_slack);
  return published < fixed
             ? one_shift(published, published_slack,
                         "published bound of push-flow (docs/math/15-pushflow.md)")
             : one_shift(fixed, fixed_slack, "fixed point of push-flow (docs/math/15-pushflow.md)");
}

}  // namespace hushwalk::accounting
