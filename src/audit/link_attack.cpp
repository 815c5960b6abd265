// Whoever knows every edge but one computes the numbers of both worlds, sees an answer and says which of them
// it fits better: the likelihood ratio test, which no other guess beats (Neyman and Pearson).
#include <algorithm>
#include <cmath>
#include <limits>

#include "audit/statistical.h"
#include "base/fail.h"
#include "hushwalk/audit.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/mechanism.h"

namespace hushwalk {
namespace {

using auditing::AdjacentPair;
using auditing::Comparison;
using auditing::Sample;
using auditing::Subject;

AdjacentPair pair_of(const Graph& graph, const auditing::Edge& edge, const SeedVector& seed) {
  AdjacentPair pair{"", graph.nodes(), {}, edge, seed};
  for (Node u = 0; u < graph.nodes(); ++u)
    for (const Node v : graph.neighbors(u))
      if (u < v &&
          std::pair(u, v) != std::pair(std::min(edge.first, edge.second), std::max(edge.first, edge.second)))
        pair.edges.emplace_back(u, v);
  return pair;
}

void check(const AdjacentPair& pair, Scope scope, std::uint64_t trials) {
  const auto [u, v] = pair.edge;
  if (u == v || u >= pair.nodes || v >= pair.nodes)
    fail_usage("an edge has two different nodes of the graph");
  if (scope == Scope::personalized && (pair.seed.contains(u) || pair.seed.contains(v)))
    fail_usage("the edge touches the seed, whose owner knows it");
  if (trials == 0) fail_usage("an attack needs at least one trial");
}

AttackRow row(double epsilon, double right, std::uint64_t trials) {
  const double success = right / static_cast<double>(trials);
  return {epsilon, success, 1.96 * std::sqrt(success * (1 - success) / static_cast<double>(trials)),
          1 / (1 + std::exp(-epsilon))};
}

// Without noise an answer is that of one world or of the other.
AttackRow exact_attack(const AdjacentPair& pair, const Diffusion& diffusion, std::uint64_t trials) {
  const bool told_apart = diffuse_exactly(pair.without(), diffusion, pair.seed) !=
                          diffuse_exactly(pair.with(), diffusion, pair.seed);
  return row(std::numeric_limits<double>::infinity(), static_cast<double>(trials) * (told_apart ? 1 : 0.5),
             trials);
}

AttackRow noisy_attack(const AdjacentPair& pair, const ReleaseParameters& request, std::uint64_t trials,
                       const Progress& progress) {
  ReleaseParameters made = request;
  made.seeds_per_ranking = pair.seed.entries().size();
  const Plan plan = make_plan(public_facts(pair.nodes), made);
  const Subject subject{find_mechanism(plan.parameters.mechanism), plan};
  const Comparison known = auditing::compare_often(subject, pair, 4);
  if (known.moved.empty()) return row(plan.epsilon(), static_cast<double>(trials) / 2, trials);
  const Graph without = pair.without(), with = pair.with();
  const std::uint64_t half = (trials + 1) / 2;
  double draws = 0;  // of four: to choose the attack and to count, in both worlds
  const auto draw = [&](const Graph& graph) {
    const double before = draws++;
    return sample(subject, graph, pair.seed, known.moved, half, [&](std::uint64_t done) {
      if (progress)
        progress("attacking", (before + static_cast<double>(done) / static_cast<double>(half)) / 4);
    });
  };
  const auditing::WorldStatistic statistic(draw(without), draw(with), known);
  double right = 0;
  const auto count = [&](const Sample& answers, bool is_without) {
    for (std::size_t t = 0; t < answers.trials(); ++t) {
      const double value = statistic(answers.trial(t), 0);
      right += value == 0 ? 0.5 : (value > 0) == is_without;
    }
  };
  count(draw(without), true);
  count(draw(with), false);
  return row(plan.epsilon(), right, 2 * half);
}

}  // namespace

std::vector<AttackRow> link_attack(const Graph& graph, std::pair<Node, Node> edge, const SeedVector& seed,
                                   const ReleaseParameters& request, std::span<const double> epsilons,
                                   std::uint64_t trials, const Progress& progress) {
  refuse_several_processes();
  const AdjacentPair pair = pair_of(graph, edge, seed);
  check(pair, request.scope, trials);
  std::vector<AttackRow> rows = {exact_attack(pair, request.diffusion, trials)};
  for (const double epsilon : epsilons) {
    ReleaseParameters made = request;
    made.epsilon = Epsilon(epsilon);
    rows.push_back(noisy_attack(pair, made, trials, part_of(progress, rows.size() - 1, 1, epsilons.size())));
  }
  return rows;
}

}  // namespace hushwalk
