// `paper`, `output` and `pushflow`: the clipped diffusion on the lattice, with two draws on every node in
// every step, or one draw at the end. In personalized scope noise begins with step 2.
#include "plan/noisy_diffusion.h"

#include <algorithm>
#include <cmath>

#include "accounting/calibrate_chain.h"
#include "accounting/guarantee.h"
#include "base/fail.h"
#include "noise/discrete_laplace.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

using accounting::LatticePrice;

constexpr double max_slack_share = 0.05;
constexpr double noise_reach = 64;  // a draw is beyond 64 scales with probability e^-64; it saturates then

[[noreturn]] void refuse_walk(const Plan& plan) {
  refuse("{} is proven for the lazy walk only: use `diffusion ppr`, or `mechanism output`",
         plan.parameters.mechanism);
}

// The noise before rounding is known, to see how much room it needs.
double expected_scale(const Plan& plan, const Variant& variant) {
  const std::span<const Step> steps = plan.parameters.diffusion.steps();
  if (variant.push_flow) {
    const auto flow = accounting::push_flow_of(steps, state_cap(plan, variant));
    if (!flow) refuse_walk(plan);
    return accounting::push_flow_sensitivity_up(*flow, plan.parameters.scope) / plan.epsilon();
  }
  const NoiseDesign design{{steps.begin(), steps.end()},
                           *plan.parameters.eta,
                           plan.parameters.scope,
                           variant.placement,
                           variant.draws};
  return calibrate(design, plan.parameters.epsilon, plan.parameters.delta).laplace_scale.value();
}

void check_slack(const Plan& plan, const LatticePrice& priced) {
  const double share = priced.slack / priced.sensitivity;
  if (share <= max_slack_share) return;
  refuse(
      "rounding would be {:.1f} % of the sensitivity of {}, more than {:g} %: use a larger `eta`, or import the graph with a smaller public bound `max_edges` (now {})",
      100 * share, plan.parameters.mechanism, 100 * max_slack_share, plan.graph.max_edges);
}

std::string noisy_numbers(const Plan& plan, const Variant& variant) {
  if (variant.placement == NoisePlacement::at_end) return "every node, after the last step";
  return plan.parameters.scope == Scope::personalized ? "every node, after every step from step 2"
                                                      : "every node, after every step";
}

// How far the draws of one step may carry a value.
HeadRoom head_room(const Plan& plan, const Variant& variant, double scale) {
  return {plan.graph.nodes, plan.parameters.seeds_per_ranking, noise_reach * variant.draws * scale};
}

// The lattice of a plan that has its eta and its bits.
LatticeDiffusion lattice_with(const Plan& plan, const Variant& variant, const HeadRoom& room) {
  LatticeDiffusion lattice = make_lattice(plan.parameters.diffusion, state_cap(plan, variant),
                                          plan.parameters.scope, plan.lattice_bits, room);
  lattice.push_flow = variant.push_flow;
  return lattice;
}

std::string theorem_of(const Plan& plan, Accountant accountant) {
  switch (accountant) {
    case Accountant::pure:
      return "the Laplace mechanism on the sensitivity of the clipped diffusion, bounded by the " +
             plan.sensitivity_bound;
    case Accountant::theorem:
      return plan.parameters.scope == Scope::edge
                 ? "Theorem 1 of Wei, Chien and Li (docs/math/05-theorem-1.md)"
                 : "Theorem 2 of Wei, Chien and Li, corrected (docs/math/06-theorem-2.md)";
    case Accountant::shift:
      return "shift reduction with the best shifts (docs/math/07-shift-accountant.md)";
    case Accountant::composition:
      return "composition of the steps (docs/math/19-composition.md)";
  }
  return "";
}

// One step, or two where the first shows nothing secret: the bound is that of one clipped step, and is
// attained.
std::vector<TightRequest> tight_steps(ReleaseParameters request) {
  const int first = request.scope == Scope::personalized ? 2 : 1;
  const auto with = [&](const std::string& name, Diffusion diffusion, double eta,
                        bool sampled) -> TightRequest {
    request.diffusion = std::move(diffusion);
    request.eta = Eta(eta);
    return {fmt::format("{}, steps {}, eta {:g}", name, request.diffusion.steps().size(), eta), request,
            sampled};
  };
  return {with("ppr", Diffusion::ppr(0.8, first), 0.03, true),
          with("pagerank", Diffusion::pagerank(0.8, first), first == 1 ? 0.025 : 0.02, false),
          with("ppr", Diffusion::ppr(0.8, first + 1), 0.03, true),
          with("heat", Diffusion::heat(2, first + 3), 0.01, false),
          with("ppr", Diffusion::ppr(), 1e-6, false)};
}

// Priced by shifts.
TightRequest tight_shifts(ReleaseParameters request) {
  const int steps = request.scope == Scope::personalized ? 5 : 4;
  request.diffusion = Diffusion::heat(2, steps);
  request.eta = Eta(0.01);
  request.delta = Delta(1e-6);
  return {fmt::format("delta 1e-6, heat, steps {}, eta 0.01", steps), request, false};
}

// The caps of both ends are attained with and without the edge, and the rest of an infinite run is small: the
// fixed-point bound is attained for a teleport probability from 1/3 on. The published one is the smaller at
// two rounds.
std::vector<TightRequest> tight_push_flow(ReleaseParameters request) {
  const auto with = [&](double beta, int rounds, double cap, bool sampled) -> TightRequest {
    request.diffusion = Diffusion::ppr(beta, rounds);
    request.eta = Eta(cap);
    return {fmt::format("beta {:g}, rounds {}, eta {:g}", beta, rounds, cap), request, sampled};
  };
  return {with(0.5, 25, 0.03, true), with(0.8, 2, 0.03, false), with(0.8, 100, 0.01, false),
          with(0.8, 100, default_eta, false)};
}

// Whoever verifies a certificate prices its steps again, also those of a certificate that somebody has made
// up: a millisecond and a half each.
constexpr std::size_t most_priced_steps = 1'000;

void check_work(const ReleaseParameters& asked, const Variant& variant) {
  const std::size_t steps = asked.diffusion.steps().size();
  if (asked.delta && variant.placement == NoisePlacement::every_step && steps > most_priced_steps)
    refuse(
        "with a `delta`, noise in every step is certified for at most {} steps, not {}; use fewer steps, no `delta`, or `mechanism output`",
        most_priced_steps, steps);
}

class NoisyDiffusion final : public Planner {
 public:
  NoisyDiffusion(std::string name, Variant variant, bool own = false)
      : name_(std::move(name)), variant_(variant), own_(own) {}

  std::string name() const override { return name_; }
  ParameterUse uses() const override { return {.eta = true}; }

  void complete(Plan& plan) const override {
    if (own_) check_own_links(plan);
    ReleaseParameters& asked = plan.parameters;
    if (asked.scope == Scope::personalized && asked.diffusion.steps().size() == 1)
      refuse(
          "one step shows the recipient nothing but their own edges, which {} has no noise for; use more `steps`, `mechanism twohop` or `scope edge`",
          name_);
    check_work(asked, variant_);
    asked.eta = asked.eta.value_or(Eta(default_eta));
    plan.needs_max_edges = true;
    const double scale = expected_scale(plan, variant_), cap = state_cap(plan, variant_);
    // Room for the noise that rounding may add, and for the sampler.
    const HeadRoom room = head_room(plan, variant_, scale * (1 + 2 * max_slack_share));
    plan.lattice_bits = std::min(finest_lattice(asked.diffusion, cap, room),
                                 std::ilogb(DiscreteLaplace::max_scale) - 2 - std::ilogb(scale));
    const LatticePrice priced = price_lattice(plan, lattice_with(plan, variant_, room), variant_);
    check_slack(plan, priced);
    certify(plan, priced);
    static_cast<void>(lattice_of(plan, variant_));  // what cannot run is refused now
  }

  // Noise in every step has a better curve than its pure epsilon tells.
  PrivacyCost cost(const Plan& plan) const override {
    const accounting::Chain chain = price_lattice(plan, lattice_of(plan, variant_), variant_).chain;
    std::vector<accounting::FittingChain> chains;
    for (const auto& fitting : accounting::fitting_chains(chain))
      chains.push_back(fitting.with_scale(plan.noise.front().lattice_scale));
    return accounting::cost_of(chains);
  }

  PlanWork work(const Plan& plan) const override {
    const double steps = static_cast<double>(plan.parameters.diffusion.steps().size());
    return array_work(plan, 7, steps, variant_.placement == NoisePlacement::every_step ? steps : 1);
  }

  std::string strangers_are_ranked_by(const Plan&) const override {
    return variant_.placement == NoisePlacement::at_end
               ? "by the diffusion, clipped by eta, with noise at its end"
               : "by the diffusion, clipped by eta, with noise in its steps";
  }

  // Noise in every step, half of w_K and push-flow are proven on paper only.
  std::vector<std::string> machine_checked(const Plan& plan) const override {
    if (variant_.placement != NoisePlacement::at_end || plan.sensitivity_bound != accounting::by_recursion)
      return {};
    return {"lattice.coded_move", "step.first_step", "step.diffusion_dp", "final.laplace_private"};
  }

  std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const override {
    if (variant_.push_flow) return tight_push_flow(request);
    std::vector<TightRequest> requests = tight_steps(request);
    if (variant_.placement == NoisePlacement::every_step) requests.push_back(tight_shifts(request));
    return requests;
  }

  // Push-flow is there to be compared with, not to be chosen.
  std::vector<ReleaseParameters> variants(const ReleaseParameters& request) const override {
    std::vector<ReleaseParameters> tried;
    if (variant_.push_flow) return tried;
    for (const double eta : {1e-8, 1e-7, 1e-6, 1e-5, 1e-4}) {
      tried.push_back(request);
      tried.back().eta.emplace(eta);
    }
    return tried;
  }

 private:
  void certify(Plan& plan, const LatticePrice& priced) const {
    const std::optional<Delta>& delta = plan.parameters.delta;
    const accounting::CalibratedChain calibrated =
        accounting::calibrate_chains(accounting::fitting_chains(priced.chain), plan.epsilon(),
                                     delta ? std::optional(delta->value()) : std::nullopt);
    if (calibrated.scale < 1 || calibrated.scale > DiscreteLaplace::max_scale)
      refuse("the noise of {} would be {} lattice units, outside what is drawn on a lattice: 1 to 2^50",
             name_, calibrated.scale);
    const auto real = [&](double units) { return std::ldexp(units, -plan.lattice_bits); };
    plan.sensitivity = real(priced.sensitivity);
    plan.sensitivity_bound = priced.bound;
    plan.slack = real(priced.slack);
    plan.noise = {{noisy_numbers(plan, variant_), real(calibrated.scale), calibrated.scale, variant_.draws}};
    plan.guarantee = calibrated.guarantee;
    plan.theorem = theorem_of(plan, calibrated.guarantee.accountant) + (own_ ? own_links_words : "");
  }

  std::string name_;
  Variant variant_;
  bool own_;  // adds what the recipient knows
};

}  // namespace

double state_cap(const Plan& plan, const Variant& variant) {
  const double eta = plan.parameters.eta->value();
  return variant.push_flow ? eta * (1 - 2 * plan.parameters.diffusion.steps().front().walk) : eta;
}

LatticePrice price_lattice(const Plan& plan, const LatticeDiffusion& lattice, const Variant& variant) {
  const std::span<const Step> steps = plan.parameters.diffusion.steps();
  const accounting::LatticeDesign design{{steps.begin(), steps.end()},
                                         plan.parameters.scope,
                                         static_cast<double>(lattice.cap),
                                         lattice.bits,
                                         plan.graph.nodes,
                                         plan.graph.max_edges};
  if (variant.push_flow) return accounting::price_push_flow(design);
  return variant.placement == NoisePlacement::at_end ? accounting::price_at_end(design)
                                                     : accounting::price_every_step(design, variant.draws);
}

LatticeDiffusion lattice_of(const Plan& plan, const Variant& variant) {
  return lattice_with(plan, variant, head_room(plan, variant, plan.noise.front().laplace_scale));
}

std::unique_ptr<Planner> paper_planner() { return std::make_unique<NoisyDiffusion>("paper", paper_variant); }
std::unique_ptr<Planner> output_planner() {
  return std::make_unique<NoisyDiffusion>("output", output_variant);
}
std::unique_ptr<Planner> push_flow_planner() {
  return std::make_unique<NoisyDiffusion>("pushflow", push_flow_variant);
}
std::unique_ptr<Planner> push_flow_own_planner() {
  return std::make_unique<NoisyDiffusion>("pushflow+own", push_flow_variant, true);
}

}  // namespace hushwalk
