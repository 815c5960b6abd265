// `circles`: noisy degrees fix a public order; then every node releases its links into clusters of nodes
// before it and after it, clusters that grow out of what was released. docs/math/26-circles.md. Where epsilon
// is too small for rows it is `shared`.
#include "plan/circles.h"

#include <fmt/format.h>

#include "accounting/circles.h"
#include "accounting/guarantee.h"
#include "base/fail.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

using accounting::CirclesDesign;

std::vector<NoiseUse> noise_of(const CirclesDesign& design) {
  const auto use = [](std::string on, double scale) { return NoiseUse{std::move(on), scale, scale, 1}; };
  const auto cells = [&](const char* which) {
    return fmt::format("links of every node into each cluster of {} nodes, in blocks of {}", which,
                       design.block);
  };
  return {
      use("links of every node, for their order", design.coarse), use(cells("earlier"), design.forward),
      use(cells("later"), design.backward),
      use("links of nodes whose rows are given up, in the place of those for their order", design.fine),
      use("links of the first nodes to the others, where rows are given up after the first", design.leaving)};
}

class Circles final : public Planner {
 public:
  std::string name() const override { return "circles"; }
  ParameterUse uses() const override { return {.taper = true}; }
  Artefact artefact() const override { return Artefact::numbers; }
  // Since version 2 the degrees choose how many clusters there are, and without rows it is `shared`.
  int release_arithmetic(const Plan&) const override { return 2; }

  void complete(Plan& plan) const override {
    const ReleaseParameters& asked = plan.parameters;
    if (!releases_rows(asked)) return without_rows_->complete(plan);
    if (asked.taper)
      refuse(
          "circles has no taper from epsilon {} on, where an edge must move one cell in each sweep and no more; leave `taper` out, or use `mechanism shared`",
          accounting::circles_from);
    const CirclesDesign design = accounting::circles_design(plan.graph.nodes, asked.epsilon);
    plan.sensitivity = 4;
    plan.sensitivity_bound = "the degrees of both ends, and one cell in each sweep (docs/math/26-circles.md)";
    plan.noise = noise_of(design);
    plan.guarantee =
        accounting::pure_guarantee(asked.epsilon, accounting::circles_cost_up(design).worst(), asked.delta);
    plan.theorem =
        "adaptive blocks, of which one edge moves a degree at either end and one cell in each sweep (docs/math/25-adaptive-blocks.md, docs/math/26-circles.md)";
    if (asked.scope == Scope::personalized)
      plan.theorem +=
          "; the billboard lemma for answers that use the recipient's own links (docs/math/17-joint-dp.md)";
  }

  PlanWork work(const Plan& plan) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->work(plan);
    const CirclesDesign design = accounting::circles_design(plan.graph.nodes, plan.parameters.epsilon);
    const double nodes = static_cast<double>(plan.graph.nodes), cells = 2.0 * design.clusters;
    return {nodes * (60 + 16 * cells), 7e-9 * nodes * (4 + cells), 6e-3};
  }

  std::string strangers_are_ranked_by(const Plan& plan) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->strangers_are_ranked_by(plan);
    return "by the circles they belong to, and not by whom they have in common with the seed";
  }
  std::string released_numbers_decide(const Plan& plan) const override {
    return releases_rows(plan.parameters)
               ? "where the released numbers show no circles, by their number of links alone"
               : "";
  }

  std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const override {
    return releases_rows(request) ? Planner::tight_requests(request) : without_rows_->tight_requests(request);
  }

  std::vector<std::string> machine_checked(const Plan& plan) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->machine_checked(plan);
    return {"circles.circles_dp", "lossless.lossless", "final.circles_private"};
  }

 private:
  std::unique_ptr<Planner> without_rows_ = shared_planner();
};

}  // namespace

bool releases_rows(const ReleaseParameters& parameters) {
  return parameters.epsilon.value() >= accounting::circles_from;
}

std::unique_ptr<Planner> circles_planner() { return std::make_unique<Circles>(); }

}  // namespace hushwalk
