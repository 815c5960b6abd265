// `paper` and `output`: the clipped diffusion on the lattice, with two draws on every node in every step, or
// one draw at the end. In personalized scope noise begins with step 2.
//
//   paper   x <- s
//           for k = 1..K:  x <- step_k(clip(x)) + Laplace + Laplace
//
//   output  x <- s
//           for k = 1..K:  x <- step_k(clip(x))
//           x <- x + Laplace
#include "mechanism/noisy_diffusion.h"

#include <algorithm>
#include <cmath>

#include "accounting/calibrate_chain.h"
#include "accounting/fixed_point.h"
#include "accounting/guarantee.h"
#include "accounting/round_up.h"
#include "base/fail.h"
#include "diffusion/groups.h"
#include "graph/graph_impl.h"
#include "mechanism/lattice_run.h"
#include "mechanism/node_noise.h"

namespace hushwalk {
namespace {

using accounting::Chain;
using accounting::ChainStep;
using accounting::StepBound;

constexpr double default_eta = 1e-6;
constexpr double max_slack_share = 0.05;
constexpr double noise_reach = 64;  // a draw is beyond 64 scales with probability e^-64; it saturates then

struct Variant {
  NoisePlacement placement;
  int draws;
};

// What the accountants see of one lattice.
struct Priced {
  Chain chain;         // scale 1
  double sensitivity;  // in units
  double slack;        // the part of it that is rounding
  std::string bound;
};

// Noise at the end sees the whole sensitivity as one shift: the recursion, or for the lazy walk half of it.
Priced price_output(const Plan& plan, const LatticeDiffusion& lattice, const std::vector<StepBound>& bounds,
                    const std::vector<StepBound>& exact_bounds) {
  const double recursion = accounting::sensitivities_up(bounds).back(),
               exact = accounting::sensitivities_up(exact_bounds).back();
  Priced priced{Chain({{{0, recursion, 0}, 1}}, accounting::Noise::discrete_laplace, 1), recursion,
                recursion - exact, "recursion w_K (docs/math/02-sensitivity.md)"};
  const double eta = std::ldexp(static_cast<double>(lattice.cap), -lattice.bits);
  const auto half = accounting::output_half_sensitivity_up(plan.diffusion.steps(), eta);
  if (!half) return priced;
  // Each of the two runs stays within sigma / a of its own fixed point, sigma the rounding of a step.
  const Step& step = plan.diffusion.steps().front();
  const double sigma = accounting::lattice_slack_up(step, plan.graph.nodes, plan.graph.max_edges, 1),
               a = 1 - 2 * step.walk;
  const double slack = accounting::mul_up(accounting::div_up(2 * sigma, a), 1 + 1e-14);
  const double total = accounting::add_up(std::ldexp(*half, lattice.bits), slack);
  if (total >= recursion) return priced;
  return {Chain({{{0, total, 0}, 1}}, accounting::Noise::discrete_laplace, 1), total, slack,
          "fixed point of the lazy walk (docs/math/14-output-half.md)"};
}

Priced price_lattice(const Plan& plan, const LatticeDiffusion& lattice, const Variant& variant) {
  const std::vector<StepBound> bounds = lattice_bounds_up(plan.diffusion, lattice, plan.graph);
  std::vector<StepBound> exact_bounds = bounds;
  for (StepBound& bound : exact_bounds) bound.slack = 0;
  if (variant.placement == NoisePlacement::at_end) return price_output(plan, lattice, bounds, exact_bounds);
  std::vector<ChainStep> steps;
  for (const StepBound& bound : bounds) steps.push_back({bound, variant.draws});
  if (plan.scope == Scope::personalized) steps.front().draws = 0;
  const double sensitivity = accounting::sensitivities_up(bounds).back();
  return {Chain(std::move(steps), accounting::Noise::discrete_laplace, 1), sensitivity,
          sensitivity - accounting::sensitivities_up(exact_bounds).back(),
          "recursion w_K (docs/math/02-sensitivity.md)"};
}

void check_slack(const Plan& plan, const Priced& priced) {
  const double share = priced.slack / priced.sensitivity;
  if (share <= max_slack_share) return;
  refuse(
      "rounding would be {:.1f} % of the sensitivity of {}, more than {:g} %: use a larger --eta, or import "
      "the graph with a smaller public bound --max-edges (now {})",
      100 * share, plan.mechanism, 100 * max_slack_share, plan.graph.max_edges);
}

// The noise before rounding is known, to see how much room it needs.
double expected_scale(const Plan& plan, const ReleaseRequest& request, const Variant& variant) {
  const std::span<const Step> steps = plan.diffusion.steps();
  const NoiseDesign design{{steps.begin(), steps.end()},
                           request.eta.value_or(Eta(default_eta)),
                           plan.scope,
                           variant.placement,
                           variant.draws};
  return calibrate(design, request.epsilon, request.delta).laplace_scale.value();
}

std::string noisy_numbers(const Plan& plan, const Variant& variant) {
  if (variant.placement == NoisePlacement::at_end) return "every node, after the last step";
  return plan.scope == Scope::personalized ? "every node, after every step from step 2"
                                           : "every node, after every step";
}

class NoisyDiffusionRelease final : public Release {
 public:
  NoisyDiffusionRelease(const Plan& plan, const Graph& graph, const RandomSource& source,
                        const Variant& variant)
      : plan_(plan),
        graph_(graph),
        source_(source),
        variant_(variant),
        lattice_(plan_lattice(plan, variant.draws)),
        noise_(plan.noise.front().lattice_scale) {}

  std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Numbers> answers;
    const double total = static_cast<double>(seeds.size() * lattice_.steps.size());
    double done = 0;
    while (answers.size() < seeds.size()) {
      const std::size_t begin = answers.size(), left = seeds.size() - begin;
      const std::size_t group = std::min(choose_lanes(graph_.nodes(), left), left);
      auto states = run_on_lattice(
          csr_of(graph_), lattice_, seeds.subspan(begin, group), variant_.draws,
          [&](std::size_t step, std::size_t seed, std::span<std::vector<std::int64_t>> draws) {
            return draw(first + begin + seed, step, draws);
          },
          [&] {
            done += static_cast<double>(group);
            if (progress) progress("diffusing", done / total);
          });
      for (auto& state : states) answers.push_back({std::move(state)});
    }
    return answers;
  }

  double scale(const SeedVector&, std::size_t, Node) const override {
    return plan_.noise.front().lattice_scale;
  }

  PrivateScores scores(const Numbers& numbers, const SeedVector&) const override {
    PrivateScores answer;
    answer.scores.reserve(numbers.front().size());
    for (const std::int64_t units : numbers.front())
      answer.scores.push_back(std::ldexp(static_cast<double>(units), -lattice_.bits));
    // Of the last step; noise of earlier steps has passed through the diffusion.
    answer.far_error = answer.near_error =
        std::sqrt(2.0 * variant_.draws) * plan_.noise.front().laplace_scale;
    return answer;
  }

 private:
  bool draw(std::uint64_t answer, std::size_t step, std::span<std::vector<std::int64_t>> draws) const {
    if (variant_.placement == NoisePlacement::at_end ? step + 1 < lattice_.steps.size()
                                                     : plan_.scope == Scope::personalized && step == 0)
      return false;
    for (std::size_t i = 0; i < draws.size(); ++i)
      draw_noise({source_, answer}, step * draws.size() + i, noise_, draws[i]);
    return true;
  }

  const Plan& plan_;
  const Graph& graph_;
  const RandomSource& source_;
  Variant variant_;
  LatticeDiffusion lattice_;
  DiscreteLaplace noise_;
};

class NoisyDiffusion final : public Mechanism {
 public:
  NoisyDiffusion(std::string name, Variant variant) : name_(std::move(name)), variant_(variant) {}

  std::string name() const override { return name_; }

  void complete(Plan& plan, const ReleaseRequest& request) const override {
    if (plan.scope == Scope::personalized && plan.diffusion.steps().size() == 1)
      refuse(
          "one step shows the recipient nothing but their own edges, which {} has no noise for; use more "
          "--steps, "
          "--mechanism twohop or --scope edge",
          name_);
    const double eta = request.eta.value_or(Eta(default_eta)).value(),
                 scale = expected_scale(plan, request, variant_);
    plan.eta = eta;
    // Room for the noise that rounding may add, and for the sampler.
    const HeadRoom room = head_room(plan, variant_.draws, scale * (1 + 2 * max_slack_share));
    plan.lattice_bits = std::min(finest_lattice(plan.diffusion, eta, room),
                                 std::ilogb(DiscreteLaplace::max_scale) - 2 - std::ilogb(scale));
    const LatticeDiffusion lattice = make_lattice(plan.diffusion, eta, plan.scope, plan.lattice_bits, room);
    const Priced priced = price_lattice(plan, lattice, variant_);
    check_slack(plan, priced);
    const accounting::CalibratedChain calibrated =
        accounting::calibrate_chains(accounting::fitting_chains(priced.chain), plan.epsilon, plan.delta);
    if (calibrated.scale < DiscreteLaplace::min_scale || calibrated.scale > DiscreteLaplace::max_scale)
      refuse("the noise of {} would be {} lattice units, outside what the sampler can draw: 1 to 2^50", name_,
             calibrated.scale);
    const auto real = [&](double units) { return std::ldexp(units, -plan.lattice_bits); };
    plan.sensitivity = real(priced.sensitivity);
    plan.sensitivity_bound = priced.bound;
    plan.slack = real(priced.slack);
    plan.noise = {{noisy_numbers(plan, variant_), real(calibrated.scale), calibrated.scale, variant_.draws}};
    plan.guarantee = calibrated.guarantee;
    plan.theorem = theorem_of(plan, calibrated.guarantee.accountant);
    static_cast<void>(plan_lattice(plan, variant_.draws));  // what cannot run is refused now
  }

  // Noise in every step has a better curve than its pure epsilon tells.
  PrivacyCost cost(const Plan& plan) const override {
    const Chain chain = price_lattice(plan, plan_lattice(plan, variant_.draws), variant_).chain;
    std::vector<accounting::FittingChain> chains;
    for (const auto& fitting : accounting::fitting_chains(chain))
      chains.push_back(fitting.with_scale(plan.noise.front().lattice_scale));
    return accounting::cost_of(chains);
  }

  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, const RandomSource& source,
                                 const Progress&) const override {
    return std::make_unique<NoisyDiffusionRelease>(plan, graph, source, variant_);
  }

 private:
  static std::string theorem_of(const Plan& plan, Accountant accountant) {
    switch (accountant) {
      case Accountant::pure:
        return "the Laplace mechanism on the sensitivity of the clipped diffusion, bounded by the " +
               plan.sensitivity_bound;
      case Accountant::theorem:
        return plan.scope == Scope::edge
                   ? "Theorem 1 of Wei, Chien and Li (docs/math/05-theorem-1.md)"
                   : "Theorem 2 of Wei, Chien and Li, corrected (docs/math/06-theorem-2.md)";
      case Accountant::shift:
        return "shift reduction with the best shifts (docs/math/07-shift-accountant.md)";
      case Accountant::composition:
        return "composition of the steps (docs/math/19-composition.md)";
    }
    return "";
  }

  std::string name_;
  Variant variant_;
};

}  // namespace

HeadRoom head_room(const Plan& plan, int draws, double scale) {
  return {plan.graph.nodes, plan.seeds_per_ranking, noise_reach * draws * scale};
}

LatticeDiffusion plan_lattice(const Plan& plan, int draws) {
  return make_lattice(plan.diffusion, *plan.eta, plan.scope, plan.lattice_bits,
                      head_room(plan, draws, plan.noise.front().laplace_scale));
}

std::unique_ptr<Mechanism> make_paper() {
  return std::make_unique<NoisyDiffusion>("paper", Variant{NoisePlacement::every_step, 2});
}
std::unique_ptr<Mechanism> make_output() {
  return std::make_unique<NoisyDiffusion>("output", Variant{NoisePlacement::at_end, 1});
}

}  // namespace hushwalk
