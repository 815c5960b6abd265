// From a request to a plan. Nothing here can see an edge: the arguments are public numbers.
#include <cmath>

#include "accounting/round_up.h"
#include "accounting/units.h"
#include "base/fail.h"
#include "diffusion/series.h"
#include "plan/planner.h"

namespace hushwalk {

double Plan::total_epsilon() const {
  const std::uint64_t rankings = parameters.rankings;
  if (one_artefact() || rankings == 1) return epsilon();
  const double more = accounting::mul_up(epsilon(), accounting::count_up(rankings));
  constexpr double smallest = 1e-9, largest = 1e9;  // a unit; where units saturate
  return epsilon() >= smallest && more < largest
             ? accounting::number(accounting::times(accounting::written_units_up(epsilon()), rankings))
             : more;
}

double Plan::total_delta() const noexcept {
  return one_artefact() ? certified_delta()
                        : accounting::mul_up(certified_delta(), accounting::count_up(parameters.rankings));
}

double Plan::certified_delta() const noexcept { return guarantee.pure() ? 0 : guarantee.delta.value_or(0); }

namespace {

// Scores are made of them.
void check_series(const Diffusion& diffusion) {
  const Series theta = series_of(diffusion.steps());
  for (const double coefficient : {theta.zero, theta.one, theta.two, theta.rest})
    if (!std::isfinite(coefficient))
      fail_usage("the diffusion '{}' grows beyond all numbers; use smaller coefficients or fewer steps",
                 diffusion.name());
}

}  // namespace

Plan make_plan(const PublicFacts& facts, const ReleaseParameters& request) {
  if (facts.nodes == 0) fail_usage("the graph has no nodes");
  if (request.rankings == 0 || request.seeds_per_ranking == 0)
    fail_usage("a plan needs at least one ranking, of at least one seed");
  if (request.seeds_per_ranking > facts.nodes)
    fail_usage("a seed set of {} nodes is larger than the graph, {} nodes", request.seeds_per_ranking,
               facts.nodes);
  Plan plan;
  plan.parameters = choose_mechanism(request);
  plan.graph = facts;
  const Planner& planner = find_planner(plan.parameters.mechanism);
  check_series(plan.parameters.diffusion);
  check_uses(plan.parameters, planner.uses(), planner.name());
  plan.artefact = planner.artefact();
  planner.complete(plan);
  return plan;
}

void check_plan(const Plan& plan) {
  if (make_plan(plan.graph, plan.parameters) != plan)
    refuse("the plan was altered: its noise or its guarantee is not what its parameters need");
}

PrivacyCost privacy_cost(const Plan& plan) {
  check_plan(plan);
  return find_planner(plan.parameters.mechanism).cost(plan);
}

// Answers that use what the recipient knows, and several releases, have theorems of their own.
std::vector<std::string> machine_checked(const Plan& plan) {
  std::vector<std::string> names = find_planner(plan.parameters.mechanism).machine_checked(plan);
  if (names.empty() || plan.certified_delta() > 0) return {};
  if (plan.one_artefact() && plan.parameters.scope == Scope::personalized) names.push_back("joint.billboard");
  if (!plan.one_artefact() && plan.parameters.rankings > 1) names.push_back("joint.family_private");
  return names;
}

PlanWork plan_work(const Plan& plan) { return find_planner(plan.parameters.mechanism).work(plan); }

// Rough: 7 ns a draw, which `make bench` measures, and a guess of 1 ns an edge and step.
PlanWork array_work(const Plan& plan, double arrays, double steps, double noisy_steps) {
  const double nodes = static_cast<double>(plan.graph.nodes),
               rankings = plan.one_artefact() ? 1 : static_cast<double>(plan.parameters.rankings);
  double draws = 0;
  for (const NoiseUse& use : plan.noise) draws += use.draws;
  return {8 * arrays * nodes, 7e-9 * draws * noisy_steps * rankings * nodes, 2e-3 * steps * rankings};
}

void check_own_links(const Plan& plan) {
  if (plan.parameters.scope == Scope::edge)
    refuse("{} adds the recipient's own links, which edge scope protects; use `scope personalized`",
           plan.parameters.mechanism);
}

}  // namespace hushwalk
