// `edgeflip`: every pair of nodes is flipped (linked if it was not, and the other way round) with probability
// p >= 1 / (1 + e^epsilon), once for everybody. docs/math/21-edgeflip.md.
#include <algorithm>
#include <cmath>

#include "accounting/edge_cost.h"
#include "accounting/guarantee.h"
#include "base/fail.h"
#include "noise/discrete_laplace.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

constexpr double most_bytes = 0x1p33;  // of memory for one flipped graph
constexpr double bytes_per_flip = 32;  // at the peak, while rows are built of the flipped pairs

double expected_flips(const Plan& plan) {
  return plan.noise.front().flip_probability * static_cast<double>(all_pairs(plan.graph.nodes));
}

// The largest t with 1 - e^(-1/t) >= 1 / (1 + e^epsilon), which is 1 / ln(1 + e^-epsilon), rounded down by
// more than the error of the formula.
double skip_scale(double epsilon) {
  constexpr double margin = 4e-14;
  return std::min(DiscreteLaplace::max_scale, (1 - margin) / std::log1p(std::exp(-epsilon)));
}

void check_memory(const Plan& plan) {
  const double bytes = bytes_per_flip * expected_flips(plan);
  if (bytes <= most_bytes) return;
  const double fits = most_bytes / bytes_per_flip / static_cast<double>(all_pairs(plan.graph.nodes));
  refuse(
      "{} would flip about {:.3g} pairs of {} nodes, which takes {:.3g} GB; at most {:.3g} GB are allowed: use an `epsilon` of {:.3g} or more, or another `mechanism`",
      plan.parameters.mechanism, expected_flips(plan), plan.graph.nodes, bytes / 1e9, most_bytes / 1e9,
      std::log(1 / fits - 1) + 0.005);
}

class EdgeFlip final : public Planner {
 public:
  explicit EdgeFlip(bool own) : own_(own) {}

  std::string name() const override { return own_ ? "edgeflip+own" : "edgeflip"; }
  ParameterUse uses() const override { return {}; }
  Artefact artefact() const override { return Artefact::pairs; }

  void complete(Plan& plan) const override {
    if (own_) check_own_links(plan);
    const double scale = skip_scale(plan.epsilon());
    plan.sensitivity = 1;
    plan.sensitivity_bound = "an edge is one pair of nodes (docs/math/21-edgeflip.md)";
    plan.noise = {{.on = "every pair of nodes, linked or not",
                   .lattice_scale = scale,
                   .flip_probability = -std::expm1(-1 / scale)}};
    plan.guarantee = accounting::pure_guarantee(plan.parameters.epsilon, accounting::flip_cost_up(scale),
                                                plan.parameters.delta);
    plan.theorem =
        plan.parameters.scope == Scope::edge
            ? "randomized response on every pair of nodes (docs/math/21-edgeflip.md)"
            : "randomized response on every pair of nodes, and the billboard lemma for answers that use the pairs at their own seeds (docs/math/21-edgeflip.md, docs/math/17-joint-dp.md)";
    if (own_) plan.theorem += own_links_words;
    check_memory(plan);
  }

  // A flip takes two draws, and its graph is diffused on in full for every ranking.
  PlanWork work(const Plan& plan) const override {
    const double flips = expected_flips(plan),
                 edge_steps =
                     static_cast<double>(plan.parameters.diffusion.steps().size() * plan.parameters.rankings);
    return {bytes_per_flip * flips, (14e-9 + 2e-9 * edge_steps) * flips, 2e-3 * edge_steps};
  }

  std::string strangers_are_ranked_by(const Plan&) const override {
    return "by the diffusion on a graph of which pairs are flipped at random";
  }

  std::vector<std::string> machine_checked(const Plan&) const override {
    return {"edgeflip.edgeflip_dp", "joint.edgeflip_private", "joint.flip_bias"};
  }

  std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const override {
    ReleaseParameters few_steps = request;
    few_steps.diffusion = Diffusion::ppr(0.8, 3);  // which only scores are made of
    return {{"ppr, steps 3", few_steps}};
  }

  std::vector<ReleaseParameters> variants(const ReleaseParameters&) const override { return {}; }  // too slow

 private:
  bool own_;
};

}  // namespace

std::unique_ptr<Planner> edge_flip_planner() { return std::make_unique<EdgeFlip>(false); }
std::unique_ptr<Planner> edge_flip_own_planner() { return std::make_unique<EdgeFlip>(true); }

}  // namespace hushwalk
