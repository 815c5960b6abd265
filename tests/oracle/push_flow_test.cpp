// `pushflow` as it runs: the numbers are those of the push algorithm, and one edge moves them by no more than
// the plan says, on fine lattices and on coarse ones, where rounding must be seen to count.
#include <gtest/gtest.h>

#include <cmath>

#include "audit/climb.h"
#include "diffusion/lattice_run.h"
#include "hushwalk/error.h"
#include "mechanism/mechanism.h"
#include "plan/noisy_diffusion.h"
#include "support/graphs.h"
#include "support/sanitized.h"
#include "support/seeded.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using testing::Seeded;

Plan plan_for(std::uint64_t nodes, std::uint64_t seeds, Scope scope, const Diffusion& diffusion, double cap) {
  ReleaseParameters request;
  request.mechanism = "pushflow";
  request.scope = scope;
  request.diffusion = diffusion;
  request.eta = Eta(cap);
  request.seeds_per_ranking = seeds;
  return make_plan(public_facts(nodes), request);
}

// DP-PUSHFLOWCAP word for word: what a node has pushed never exceeds its cap.
std::vector<double> push(const Graph& graph, const SeedVector& seed, Scope scope, double a, double c,
                         std::size_t rounds) {
  const std::size_t n = graph.nodes();
  std::vector<double> residual(n), pushed(n), kept(n);
  for (const auto& [node, weight] : seed.entries()) residual[node] = weight;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<double> next = residual;
    for (Node v = 0; v < n; ++v) {
      const bool free = scope == Scope::personalized && seed.contains(v);
      const auto degree = static_cast<double>(graph.degree(v));
      const double flow = free ? residual[v] : std::min(residual[v], c * degree - pushed[v]);
      pushed[v] += flow;
      kept[v] += a * flow;
      next[v] += -flow + (1 - a) / 2 * flow;
      for (const Node u : graph.neighbors(v)) next[u] += (1 - a) / 2 * flow / degree;
    }
    residual = next;
  }
  return kept;
}

SeedVector random_seeds(Seeded& random, std::uint64_t nodes) {
  if (random.coin()) return SeedVector(static_cast<Node>(random.below(nodes)));
  return SeedVector::weighted({{0, 1.0}, {static_cast<Node>(1 + random.below(nodes - 1)), 2.0}});
}

// Under the same key the noise is the same on every graph, so that two releases differ by
// what they compute. In edge scope a graph without edges lets nothing through.
TEST(PushFlow, IsThePushAlgorithm) {
  Seeded random(1);
  for (int i = 0; i < 300; ++i) {
    const auto n = 2 + random.below(9);
    std::vector<std::pair<Node, Node>> edges;
    const double density = random.uniform();
    for (Node v = 0; v < n; ++v)
      for (Node u = 0; u < v; ++u)
        if (random.uniform() < density) edges.emplace_back(u, v);
    const SeedVector seed = random_seeds(random, n);
    const Scope scope = random.coin() ? Scope::edge : Scope::personalized;
    const double beta = random.uniform(0.05, 0.95), c = random.log_uniform(1e-3, 3);
    const int rounds = random.between(scope == Scope::edge ? 1 : 2, 30);
    const Plan plan = plan_for(n, seed.entries().size(), scope, Diffusion::ppr(beta, rounds), c);
    const auto numbers = [&](const Graph& graph) {
      KeyedNoise noise(testing::seeded_key(7));
      return find_mechanism("pushflow")
          .start(plan, graph, noise, {})
          ->numbers(std::span(&seed, 1), 0, {})
          .front()
          .front();
    };
    const Graph graph = testing::make_graph(n, edges), empty = testing::make_graph(n, {});
    const auto here = numbers(graph), there = numbers(empty);
    const auto expected = push(graph, seed, scope, 1 - beta, c, plan.parameters.diffusion.steps().size()),
               nothing = push(empty, seed, scope, 1 - beta, c, plan.parameters.diffusion.steps().size());
    for (Node v = 0; v < n; ++v) {
      const double moved = std::ldexp(static_cast<double>(here[v] - there[v]), -plan.lattice_bits);
      EXPECT_NEAR(moved, expected[v] - nothing[v], 1e-12) << i << ' ' << v;
      EXPECT_TRUE(scope == Scope::personalized || nothing[v] == 0);
    }
  }
}

// A plan on a lattice so coarse that rounding is as large as anything else; its noise is what the bound says
// there, with the slack or without.
auditing::Target coarse(Scope scope, double beta, int rounds, int bits, bool with_slack) {
  return {"coarse", find_mechanism("pushflow"), [=](std::uint64_t nodes, std::uint64_t seeds) {
            // A state is clipped to six units times the degree.
            const double cap = 6.5 / (1 - beta) * std::ldexp(1.0, -bits);
            Plan plan = plan_for(nodes, seeds, scope, Diffusion::ppr(beta, rounds), cap);
            plan.lattice_bits = bits;
            const Variant variant{NoisePlacement::at_end, 1, /*push_flow=*/true};
            const LatticeDiffusion lattice = make_lattice(plan.parameters.diffusion, state_cap(plan, variant),
                                                          scope, bits, {nodes, seeds, 1e3});
            const accounting::LatticePrice priced = price_lattice(plan, lattice, variant);
            plan.noise.front().lattice_scale =
                (priced.sensitivity - (with_slack ? 0 : priced.slack)) / plan.epsilon();
            plan.noise.front().laplace_scale = std::ldexp(plan.noise.front().lattice_scale, -bits);
            return plan;
          }};
}

// Rounding is charged by a public bound on edges, here all pairs.
TEST(PushFlow, OnACoarseLatticeNoClimbExceedsTheBoundWithItsSlackAndSomeDoWithout) {
  if (testing::sanitized) GTEST_SKIP() << "a climb is the same arithmetic thousands of times";
  double with = 0, without = 0;
  for (const Scope scope : {Scope::edge, Scope::personalized})
    for (const auto& [beta, rounds] : {std::pair(0.5, 12), std::pair(0.75, 3), std::pair(0.9, 40)})
      for (const int bits : {10, 13}) {
        const auto ratio = [&](bool with_slack) {
          return auditing::climb(coarse(scope, beta, rounds, bits, with_slack), scope, 1500, 1)
              .comparison.ratio;
        };
        with = std::max(with, ratio(true));
        without = std::max(without, ratio(false));
      }
  EXPECT_LE(with, 1 + 1e-9);
  EXPECT_GT(without, 1.05);
}

// Every bound is used somewhere, and is what fixed_point.h says.
TEST(PushFlow, TakesTheSmallerOfBothBounds) {
  const auto bound = [](double beta, int rounds, Scope scope, double cap) {
    const Plan plan = plan_for(1000, 1, scope, Diffusion::ppr(beta, rounds), cap);
    EXPECT_NEAR(plan.noise.front().laplace_scale, plan.sensitivity, 1e-12 * plan.sensitivity);
    return std::pair(plan.sensitivity_bound.substr(0, 9), plan.sensitivity);
  };
  const auto few = bound(0.8, 2, Scope::personalized, 1e-3),
             many = bound(0.8, 100, Scope::personalized, 1e-3), edge = bound(0.8, 2, Scope::edge, 1e-3);
  EXPECT_EQ(few.first, "published");
  EXPECT_NEAR(few.second, 2.8 * 1e-3 * 0.2, 1e-9);
  EXPECT_EQ(edge.first, "published");
  EXPECT_NEAR(edge.second, 2.8 * 1e-3 * (1 - 0.64), 1e-9);
  EXPECT_EQ(many.first, "fixed poi");
  EXPECT_NEAR(many.second, 0.8 * 1e-3 + 2 * std::pow(0.8, 100), 1e-9);
}

// Not by chance: a walk that is not lazy has no beta to compute a bound from.
TEST(PushFlow, SaysThatOnlyTheLazyWalkHasAProof) {
  for (const Diffusion& other : {Diffusion::pagerank(), Diffusion::heat()}) try {
      plan_for(10, 1, Scope::edge, other, 1e-3);
      ADD_FAILURE() << "not refused: " << other.name();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::refused);
      EXPECT_NE(std::string(error.what()).find("proven for the lazy walk only"), std::string::npos);
    }
}

}  // namespace
}  // namespace hushwalk
