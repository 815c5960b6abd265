// From a request to a plan. Nothing here can see an edge: the arguments are public numbers.
#include <algorithm>
#include <cmath>

#include "accounting/round_up.h"
#include "accounting/units.h"
#include "base/fail.h"
#include "graph/csr.h"
#include "mechanism/automatic.h"
#include "mechanism/edge_flip.h"
#include "mechanism/mechanism.h"
#include "mechanism/series.h"

namespace hushwalk {

PublicFacts public_facts(const Graph& graph) {
  const GraphFacts& facts = graph.facts();
  return {facts.nodes, facts.max_edges, facts.nodes_declared, facts.max_edges_declared, facts.graph_id};
}

PublicFacts public_facts(std::uint64_t nodes, std::optional<std::uint64_t> max_edges) {
  if (nodes < 1 || nodes > max_nodes)
    fail_usage("the number of nodes is {}; it must be from 1 to {}", nodes, max_nodes);
  if (max_edges && *max_edges > all_pairs(nodes))
    fail_usage("the bound on edges is {}, but {} nodes have only {} pairs", *max_edges, nodes,
               all_pairs(nodes));
  return {nodes, max_edges.value_or(all_pairs(nodes)), /*nodes_declared=*/true, max_edges.has_value(), ""};
}

double Plan::total_epsilon() const {
  if (one_artefact || rankings == 1) return epsilon;
  const double more = accounting::mul_up(epsilon, accounting::count_up(rankings));
  constexpr double smallest = 1e-9, largest = 1e9;  // a unit; where units saturate
  return epsilon >= smallest && more < largest
             ? accounting::number(accounting::times(accounting::written_units_up(epsilon), rankings))
             : more;
}

double Plan::total_delta() const noexcept {
  return one_artefact ? certified_delta()
                      : accounting::mul_up(certified_delta(), accounting::count_up(rankings));
}

double Plan::certified_delta() const noexcept { return guarantee.pure() ? 0 : guarantee.delta.value_or(0); }

namespace {

// A parameter that the mechanism does not have is a misunderstanding, not something to ignore.
void check_parameters(const Mechanism& mechanism, const ReleaseRequest& request) {
  const Parameters has = mechanism.parameters();
  const auto check = [&](const char* name, bool given, bool Parameters::* parameter) {
    if (given && !(has.*parameter))
      fail_usage("{} goes with {}, not with {}", name, mechanisms_with(parameter), mechanism.name());
  };
  check("eta", request.eta.has_value(), &Parameters::eta);
  check("background", request.background.has_value(), &Parameters::background);
  check("taper", request.taper.has_value(), &Parameters::taper);
}

// Scores are made of them.
void check_series(const Diffusion& diffusion) {
  const Series theta = series_of(diffusion.steps());
  for (const double coefficient : {theta.zero, theta.one, theta.two, theta.rest})
    if (!std::isfinite(coefficient))
      fail_usage("the diffusion '{}' grows beyond all numbers; use smaller coefficients or fewer steps",
                 diffusion.name());
}

}  // namespace

Plan make_plan(const PublicFacts& facts, const ReleaseRequest& request) {
  if (facts.nodes == 0) fail_usage("the graph has no nodes");
  if (request.rankings == 0 || request.seeds_per_ranking == 0)
    fail_usage("a plan needs at least one ranking, of at least one seed");
  if (request.seeds_per_ranking > facts.nodes)
    fail_usage("a seed set of {} nodes is larger than the graph, {} nodes", request.seeds_per_ranking,
               facts.nodes);
  const ReleaseRequest chosen = request.mechanism == "auto" ? choose_mechanism(request) : request;
  const Mechanism& mechanism = find_mechanism(chosen.mechanism);
  check_series(chosen.diffusion);
  check_parameters(mechanism, chosen);
  Plan plan;
  plan.mechanism = chosen.mechanism;
  plan.graph = facts;
  plan.diffusion = chosen.diffusion;
  plan.scope = chosen.scope;
  plan.epsilon = chosen.epsilon.value();
  if (chosen.delta) plan.delta = chosen.delta->value();
  plan.rankings = chosen.rankings;
  plan.seeds_per_ranking = chosen.seeds_per_ranking;
  mechanism.complete(plan, chosen);
  return plan;
}

void check_plan(const Plan& plan) {
  ReleaseRequest request;
  request.mechanism = plan.mechanism;
  request.diffusion = plan.diffusion;
  request.scope = plan.scope;
  request.epsilon = Epsilon(plan.epsilon);
  if (plan.delta) request.delta = Delta(*plan.delta);
  if (plan.eta) request.eta = Eta(*plan.eta);
  request.background = plan.background;
  request.taper = plan.taper;
  request.rankings = plan.rankings;
  request.seeds_per_ranking = plan.seeds_per_ranking;
  if (make_plan(plan.graph, request) != plan)
    refuse("the plan was altered: its noise or its guarantee is not what its parameters need");
}

PrivacyCost privacy_cost(const Plan& plan) {
  check_plan(plan);
  return find_mechanism(plan.mechanism).cost(plan);
}

// Arrays of eight bytes a node, as the releases allocate them.
double plan_memory(const Plan& plan) {
  constexpr double links_arrays = 6, separate_arrays = 16, lattice_arrays = 7;
  const bool separate = plan.mechanism == "twohop" && !plan.background;
  if (const double flips = expected_flips(plan); flips > 0) return bytes_per_flip * flips;
  return 8 *
         (plan.eta   ? lattice_arrays
          : separate ? separate_arrays
                     : links_arrays) *
         static_cast<double>(plan.graph.nodes);
}

// Rough: 7 ns a draw, which `make bench` measures, and a guess of 1 ns an edge and step; twohop and shared
// read the edges once. A flip takes two draws, and its graph is diffused on in full for every ranking.
PlanTime plan_time(const Plan& plan) {
  if (const double flips = expected_flips(plan); flips > 0) {
    const double edge_steps = static_cast<double>(plan.diffusion.steps().size() * plan.rankings);
    return {(14e-9 + 2e-9 * edge_steps) * flips, 2e-3 * edge_steps};
  }
  const double rankings = plan.one_artefact ? 1 : static_cast<double>(plan.rankings),
               steps = plan.eta ? static_cast<double>(plan.diffusion.steps().size()) : 1;
  double draws = 0;
  for (const NoiseUse& use : plan.noise) draws += use.draws;
  const double noisy_steps = plan.mechanism == "paper" ? steps : 1;
  return {7e-9 * draws * noisy_steps * rankings * static_cast<double>(plan.graph.nodes),
          2e-3 * steps * rankings};
}

}  // namespace hushwalk
