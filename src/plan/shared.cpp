// `shared`: B_v = sum over u ~ v of w(d_u) + Laplace(2 S_w / epsilon), once for everybody.
// docs/math/16-shared.md.
#include <limits>

#include "accounting/edge_cost.h"
#include "accounting/guarantee.h"
#include "accounting/round_up.h"
#include "plan/link_plan.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

class Shared final : public Planner {
 public:
  std::string name() const override { return "shared"; }
  ParameterUse uses() const override { return {.taper = true}; }
  Artefact artefact() const override { return Artefact::numbers; }

  void complete(Plan& plan) const override {
    ReleaseParameters& asked = plan.parameters;
    asked.taper = asked.taper.value_or(plan.epsilon() < 0.1 ? std::numeric_limits<double>::infinity() : 1000);
    plan.lattice_bits = QuantisedTaper::fraction_bits;
    const QuantisedTaper taper(1, taper_of(*asked.taper));
    const double moved = links_of(taper.sensitivity(nodes_for_taper(plan.graph.nodes)));
    plan.sensitivity = 2 * moved;
    plan.sensitivity_bound = "both ends of an edge (docs/math/16-shared.md)";
    const double scale = accounting::div_up(plan.sensitivity, plan.epsilon());
    plan.noise = {link_noise("links of every node", scale)};
    plan.guarantee =
        accounting::pure_guarantee(asked.epsilon, accounting::shared_cost_up(scale, moved), asked.delta);
    plan.theorem =
        asked.scope == Scope::edge
            ? "the Laplace mechanism on weighted link counts (docs/math/16-shared.md)"
            : "the Laplace mechanism on weighted link counts, and the billboard lemma for answers that use the recipient's own links (docs/math/16-shared.md, docs/math/17-joint-dp.md)";
  }

  PlanWork work(const Plan& plan) const override { return array_work(plan, 6); }

  bool has_short_artefact_key() const override { return true; }

  std::string strangers_are_ranked_by(const Plan&) const override { return "by their number of links alone"; }

  std::vector<std::string> machine_checked(const Plan&) const override {
    return {"shared.shared_dp", "final.shared_private"};
  }

  std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const override {
    ReleaseParameters tapered = request;
    tapered.taper = 4;
    return {{"defaults", request}, {"taper 4", tapered}};
  }
};

}  // namespace

std::unique_ptr<Planner> shared_planner() { return std::make_unique<Shared>(); }

}  // namespace hushwalk
