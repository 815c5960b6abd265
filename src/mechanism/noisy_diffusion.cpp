// `paper`, `output` and `pushflow`: the clipped diffusion on the lattice, with two draws on every node in
// every step, or one draw at the end. In personalized scope noise begins with step 2.
//
//   paper   x <- s
//           for k = 1..K:  x <- step_k(clip(x)) + Laplace + Laplace
//
//   output  x <- s
//           for k = 1..K:  x <- step_k(clip(x))
//           x <- x + Laplace
//
//   pushflow  x <- 0, which is a h for the h of DP-PUSHFLOWCAP (Epasto et al. 2022), a = 1 - beta
//             for k = 1..K:  x <- clip(step_k(x)), to a eta times the degree
//             x <- x + Laplace
#include "mechanism/noisy_diffusion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "accounting/calibrate_chain.h"
#include "accounting/guarantee.h"
#include "base/fail.h"
#include "diffusion/groups.h"
#include "graph/graph_impl.h"
#include "mechanism/diffusion_price.h"
#include "mechanism/lattice_run.h"
#include "mechanism/links.h"
#include "mechanism/node_noise.h"
#include "mechanism/series.h"

namespace hushwalk {
namespace {

constexpr double max_slack_share = 0.05;
constexpr double noise_reach = 64;  // a draw is beyond 64 scales with probability e^-64; it saturates then

void check_slack(const Plan& plan, const Priced& priced) {
  const double share = priced.slack / priced.sensitivity;
  if (share <= max_slack_share) return;
  refuse(
      "rounding would be {:.1f} % of the sensitivity of {}, more than {:g} %: use a larger --eta, or import "
      "the graph with a smaller public bound --max-edges (now {})",
      100 * share, plan.mechanism, 100 * max_slack_share, plan.graph.max_edges);
}

std::string noisy_numbers(const Plan& plan, const Variant& variant) {
  if (variant.placement == NoisePlacement::at_end) return "every node, after the last step";
  return plan.scope == Scope::personalized ? "every node, after every step from step 2"
                                           : "every node, after every step";
}

// How far the draws of one step may carry a value.
HeadRoom head_room(const Plan& plan, const Variant& variant, double scale) {
  return {plan.graph.nodes, plan.seeds_per_ranking, noise_reach * variant.draws * scale};
}

// The lattice of a plan that has its eta and its bits.
LatticeDiffusion plan_lattice(const Plan& plan, const Variant& variant, const HeadRoom& room) {
  LatticeDiffusion lattice =
      make_lattice(plan.diffusion, state_cap(plan, variant), plan.scope, plan.lattice_bits, room);
  lattice.push_flow = variant.push_flow;
  return lattice;
}
LatticeDiffusion plan_lattice(const Plan& plan, const Variant& variant) {
  return plan_lattice(plan, variant, head_room(plan, variant, plan.noise.front().laplace_scale));
}

class NoisyDiffusionRelease final : public Release {
 public:
  NoisyDiffusionRelease(const Plan& plan, const Graph& graph, NoiseSource& source, const Variant& variant,
                        bool own)
      : plan_(plan),
        graph_(graph),
        source_(source),
        variant_(variant),
        own_(own),
        lattice_(plan_lattice(plan, variant)),
        noise_(plan.noise.front().lattice_scale) {}

  std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Numbers> answers;
    const double total = static_cast<double>(seeds.size() * lattice_.steps.size());
    double done = 0;
    while (answers.size() < seeds.size()) {
      const std::size_t begin = answers.size(), left = seeds.size() - begin;
      const std::size_t group = std::min(choose_lanes(graph_.nodes(), left), left);
      std::vector<std::unique_ptr<NoiseSource>> sources;
      for (std::size_t i = 0; i < group; ++i) sources.push_back(source_.answer(first + begin + i));
      auto states = run_on_lattice(
          csr_of(graph_), lattice_, seeds.subspan(begin, group), variant_.draws,
          [&](std::size_t step, std::size_t seed, std::span<std::vector<std::int64_t>> draws) {
            return draw(*sources[seed], step, draws);
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

  PrivateScores scores(const Numbers& numbers, const SeedVector& seed) const override {
    PrivateScores answer;
    answer.scores.reserve(numbers.front().size());
    for (const std::int64_t units : numbers.front())
      answer.scores.push_back(std::ldexp(static_cast<double>(units), -lattice_.bits));
    // Of the last step; noise of earlier steps has passed through the diffusion.
    answer.far_error = answer.near_error =
        std::sqrt(2.0 * variant_.draws) * plan_.noise.front().laplace_scale;
    if (own_) own_links(graph_, seed).add_to(answer.scores, series_of(plan_.diffusion.steps()).one);
    return answer;
  }

 private:
  bool draw(NoiseSource& answer, std::size_t step, std::span<std::vector<std::int64_t>> draws) const {
    if (variant_.placement == NoisePlacement::at_end ? step + 1 < lattice_.steps.size()
                                                     : plan_.scope == Scope::personalized && step == 0)
      return false;
    constexpr std::array kinds = {NoiseKind::step_first, NoiseKind::step_second};
    for (std::size_t i = 0; i < draws.size(); ++i) draw_noise({answer, kinds.at(i), step}, noise_, draws[i]);
    return true;
  }

  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  Variant variant_;
  bool own_;  // adds what the recipient knows
  LatticeDiffusion lattice_;
  DiscreteLaplace noise_;
};

class NoisyDiffusion final : public Mechanism {
 public:
  NoisyDiffusion(std::string name, Variant variant, bool own = false)
      : name_(std::move(name)), variant_(variant), own_(own) {}

  std::string name() const override { return name_; }
  Parameters parameters() const override { return {.eta = true}; }

  void complete(Plan& plan, const ReleaseRequest& request) const override {
    if (own_) check_own_links(plan);
    if (plan.scope == Scope::personalized && plan.diffusion.steps().size() == 1)
      refuse(
          "one step shows the recipient nothing but their own edges, which {} has no noise for; use more "
          "--steps, "
          "--mechanism twohop or --scope edge",
          name_);
    plan.eta = request.eta.value_or(Eta(default_eta)).value();
    const double scale = expected_scale(plan, variant_), cap = state_cap(plan, variant_);
    // Room for the noise that rounding may add, and for the sampler.
    const HeadRoom room = head_room(plan, variant_, scale * (1 + 2 * max_slack_share));
    plan.lattice_bits = std::min(finest_lattice(plan.diffusion, cap, room),
                                 std::ilogb(DiscreteLaplace::max_scale) - 2 - std::ilogb(scale));
    const LatticeDiffusion lattice = plan_lattice(plan, variant_, room);
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
    plan.theorem = theorem_of(plan, calibrated.guarantee.accountant) + (own_ ? own_links_words : "");
    static_cast<void>(plan_lattice(plan, variant_));  // what cannot run is refused now
  }

  // Noise in every step has a better curve than its pure epsilon tells.
  PrivacyCost cost(const Plan& plan) const override {
    const accounting::Chain chain = price_lattice(plan, plan_lattice(plan, variant_), variant_).chain;
    std::vector<accounting::FittingChain> chains;
    for (const auto& fitting : accounting::fitting_chains(chain))
      chains.push_back(fitting.with_scale(plan.noise.front().lattice_scale));
    return accounting::cost_of(chains);
  }

  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress&) const override {
    return std::make_unique<NoisyDiffusionRelease>(plan, graph, noise, variant_, own_);
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
  bool own_;
};

}  // namespace

std::unique_ptr<Mechanism> make_paper() {
  return std::make_unique<NoisyDiffusion>("paper", Variant{NoisePlacement::every_step, 2});
}
std::unique_ptr<Mechanism> make_output() {
  return std::make_unique<NoisyDiffusion>("output", Variant{NoisePlacement::at_end, 1});
}
std::unique_ptr<Mechanism> make_push_flow(bool own) {
  return std::make_unique<NoisyDiffusion>(own ? "pushflow+own" : "pushflow",
                                          Variant{NoisePlacement::at_end, 1, /*push_flow=*/true}, own);
}

}  // namespace hushwalk
