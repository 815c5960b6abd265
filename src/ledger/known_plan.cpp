#include "ledger/known_plan.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "ledger/keys.h"
#include "plan/certificate.h"
#include "plan/planner.h"

namespace hushwalk::ledger {
namespace {

Json cost_json(const Plan& plan, const PrivacyCost& curve, const Drawn& cost) {
  Json json = {{"units", cost.total.units}, {"rdp", cost.total.rdp}, {"recipient_rdp", cost.recipient.rdp}};
  // The curve of a release of which only the pure epsilon is known need not be written down.
  if (!std::ranges::equal(curve.rdp(), PrivacyCost::of(plan.parameters.epsilon).rdp()))
    for (std::size_t i = 0; i < curve.rdp().size(); ++i)
      json["curve"].push_back({number_json(PrivacyCost::orders()[i]), number_json(curve.rdp()[i])});
  return json;
}

}  // namespace

// `auto` decides for all rankings together.
std::shared_ptr<const KnownPlan> plan_to_charge(const PublicFacts& graph, const ReleaseParameters& release,
                                                const Terms& terms, std::shared_ptr<const KnownPlan> before) {
  ReleaseParameters one = choose_mechanism(release);
  one.rankings = 1;
  if (before && before->asked == one && before->plan.graph == graph) return before;
  Plan plan = make_plan(graph, one);
  if (before && before->plan == plan) return before;
  const Planner& planner = find_planner(plan.parameters.mechanism);
  const PrivacyCost curve = planner.cost(plan);
  const Drawn drawn = cost_of(plan, curve, terms);
  const int arithmetic = planner.release_arithmetic(plan);
  Json document = plan_document(plan), cost = cost_json(plan, curve, drawn);
  std::string digest = digest_of_plan(document, arithmetic);
  return std::make_shared<const KnownPlan>(KnownPlan{std::move(one), std::move(plan), std::move(document),
                                                     std::move(cost), drawn, arithmetic, std::move(digest)});
}

Drawn cost_of(const Plan& plan, const PrivacyCost& cost, const Terms& terms) {
  const Units units = plan.guarantee.pure() ? written_units_up(plan.epsilon())
                                            : computed_units_up(plan.guarantee.pure_epsilon);
  return {"", spending_of(cost, units, terms.total),
          terms.recipient ? spending_of(cost, units, *terms.recipient) : Spending{units, 0}};
}

}  // namespace hushwalk::ledger
