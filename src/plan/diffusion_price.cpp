#include "plan/diffusion_price.h"

#include <algorithm>
#include <cmath>

#include "accounting/fixed_point.h"
#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk {
namespace {

using accounting::Chain;
using accounting::ChainStep;
using accounting::PushFlow;
using accounting::StepBound;

// Noise at the end sees the whole sensitivity as one shift.
Priced one_shift(double sensitivity, double slack, std::string bound) {
  return {Chain({{{0, sensitivity, 0}, 1}}, accounting::Noise::discrete_laplace, 1), sensitivity, slack,
          std::move(bound)};
}

double rounding_of_a_step(const Plan& plan) {
  return accounting::lattice_slack_up(plan.parameters.diffusion.steps().front(), plan.graph.nodes,
                                      plan.graph.max_edges,
                                      /*unit=*/1);
}

// Two runs, each within sigma / a of its own fixed point, sigma the rounding of a step.
double fixed_point_slack(const Plan& plan, double a) {
  return accounting::mul_up(accounting::div_up(2 * rounding_of_a_step(plan), a), 1 + 1e-14);
}

// The recursion, or for the lazy walk half of it.
Priced price_output(const Plan& plan, const LatticeDiffusion& lattice, const std::vector<StepBound>& bounds,
                    const std::vector<StepBound>& exact_bounds) {
  const double recursion = accounting::sensitivities_up(bounds).back();
  const double eta = std::ldexp(static_cast<double>(lattice.cap), -lattice.bits);
  if (const auto half = accounting::output_half_sensitivity_up(plan.parameters.diffusion.steps(), eta)) {
    const double slack = fixed_point_slack(plan, 1 - 2 * plan.parameters.diffusion.steps().front().walk);
    const double total = accounting::add_up(std::ldexp(*half, lattice.bits), slack);
    if (total < recursion)
      return one_shift(total, slack, "fixed point of the lazy walk (docs/math/14-output-half.md)");
  }
  return one_shift(recursion, recursion - accounting::sensitivities_up(exact_bounds).back(), by_recursion);
}

// For a state that is clipped to `cap` times the degree. Both bounds fall with the teleport probability a,
// the cap of the state being fixed, so a is rounded down.
PushFlow push_flow(const Plan& plan, double cap) {
  const std::optional<double> beta = accounting::lazy_beta(plan.parameters.diffusion.steps());
  if (!beta)
    refuse("{} is proven for the lazy walk only: use `diffusion ppr`, or `mechanism output`",
           plan.parameters.mechanism);
  const double a = std::nextafter(1 - *beta, 0.0);
  return {a, accounting::div_up(cap, a), plan.parameters.diffusion.steps().size()};
}

Priced price_push_flow(const Plan& plan, const LatticeDiffusion& lattice) {
  const PushFlow flow = push_flow(plan, static_cast<double>(lattice.cap));
  // The tail of the fixed point is in units of 1, everything else in those of the cap.
  PushFlow real = flow;
  real.cap = std::ldexp(flow.cap, -lattice.bits);
  const double fixed_slack = fixed_point_slack(plan, flow.teleport),
               fixed = accounting::add_up(
                   std::ldexp(accounting::pushflow_fixed_point_sensitivity_up(real), lattice.bits),
                   fixed_slack);
  // Here rounding is charged once for the pair, inside the recursion: sigma / a in the limit.
  const double published_slack = fixed_slack / 2,
               published = accounting::add_up(
                   accounting::pushflow_published_sensitivity_up(flow, plan.parameters.scope),
                   published_slack);
  return published < fixed
             ? one_shift(published, published_slack,
                         "published bound of push-flow (docs/math/15-pushflow.md)")
             : one_shift(fixed, fixed_slack, "fixed point of push-flow (docs/math/15-pushflow.md)");
}

}  // namespace

std::vector<StepBound> lattice_bounds_up(const Diffusion& diffusion, const LatticeDiffusion& lattice,
                                         const PublicFacts& facts) {
  std::vector<StepBound> bounds =
      accounting::step_bounds_up(diffusion.steps(), static_cast<double>(lattice.cap), lattice.scope);
  // In personalized scope the first step reads the seeds' own edges only: the same in both graphs.
  for (std::size_t k = lattice.scope == Scope::personalized ? 1 : 0; k < bounds.size(); ++k)
    bounds[k].slack =
        accounting::lattice_slack_up(diffusion.steps()[k], facts.nodes, facts.max_edges, /*unit=*/1);
  return bounds;
}

Priced price_lattice(const Plan& plan, const LatticeDiffusion& lattice, const Variant& variant) {
  if (variant.push_flow) return price_push_flow(plan, lattice);
  const std::vector<StepBound> bounds = lattice_bounds_up(plan.parameters.diffusion, lattice, plan.graph);
  std::vector<StepBound> exact_bounds = bounds;
  for (StepBound& bound : exact_bounds) bound.slack = 0;
  if (variant.placement == NoisePlacement::at_end) return price_output(plan, lattice, bounds, exact_bounds);
  std::vector<ChainStep> steps;
  steps.reserve(bounds.size());
  for (const StepBound& bound : bounds) steps.push_back({bound, variant.draws});
  if (plan.parameters.scope == Scope::personalized) steps.front().draws = 0;
  const double sensitivity = accounting::sensitivities_up(bounds).back();
  return {Chain(std::move(steps), accounting::Noise::discrete_laplace, 1), sensitivity,
          sensitivity - accounting::sensitivities_up(exact_bounds).back(), by_recursion};
}

double expected_scale(const Plan& plan, const Variant& variant) {
  if (variant.push_flow) {
    const PushFlow flow = push_flow(plan, state_cap(plan, variant));
    return std::min(accounting::pushflow_published_sensitivity_up(flow, plan.parameters.scope),
                    accounting::pushflow_fixed_point_sensitivity_up(flow)) /
           plan.epsilon();
  }
  const std::span<const Step> steps = plan.parameters.diffusion.steps();
  const NoiseDesign design{{steps.begin(), steps.end()},
                           *plan.parameters.eta,
                           plan.parameters.scope,
                           variant.placement,
                           variant.draws};
  return calibrate(design, plan.parameters.epsilon, plan.parameters.delta).laplace_scale.value();
}

double state_cap(const Plan& plan, const Variant& variant) {
  const double eta = plan.parameters.eta->value();
  return variant.push_flow ? eta * (1 - 2 * plan.parameters.diffusion.steps().front().walk) : eta;
}

}  // namespace hushwalk
