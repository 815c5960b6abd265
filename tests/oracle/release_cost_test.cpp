// What an edge costs in the releases of `twohop` as they are made: real plans, real counting, real noise. Two
// graphs that differ in one edge are released with the same words from the source, so that the difference of
// the noisy numbers is exactly the difference of what was counted; over the scales of the noise it may not
// sum to more than epsilon. Then the shortcuts that would break it.
#include <gtest/gtest.h>

#include <cmath>

#include "hushwalk/mechanism.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"
#include "support/graphs.h"
#include "support/seeded_key.h"
#include "support/small_graph.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;
using testing::Pair;
using testing::Seeded;
using testing::SmallGraph;

SeedVector first_nodes(std::size_t count) {
  std::vector<std::pair<Node, double>> entries;
  for (Node v = 0; v < count; ++v) entries.emplace_back(v, v + 1.0);
  return SeedVector::weighted(entries);
}

Plan plan_for(const Graph& graph, std::size_t seeds, double epsilon, std::optional<double> background,
              std::optional<double> taper) {
  ReleaseParameters request;
  request.mechanism = "twohop";
  request.epsilon = Epsilon(epsilon);
  request.background = background;
  request.taper = taper;
  request.seeds_per_ranking = seeds;
  return make_plan(graph.facts(), request);
}

std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source) {
  return find_mechanism("twohop").start(plan, graph, source, {});
}

// sum over all numbers of |change| / scale
double cost_of(const Plan& plan, const Graph& one, const Graph& other, const SeedVector& seed) {
  KeyedNoise noise(testing::seeded_key(11)), same(testing::seeded_key(11));
  const auto here = start(plan, one, noise), there = start(plan, other, same);
  const Columns a = here->numbers(std::span(&seed, 1), 0, {}).front(),
                b = there->numbers(std::span(&seed, 1), 0, {}).front();
  EXPECT_EQ(a.size(), plan.parameters.background ? 1U : 2U);
  double sum = 0;
  for (std::size_t column = 0; column < a.size(); ++column)
    for (Node v = 0; v < one.nodes(); ++v) {
      const double scale = here->scale(seed, column, v);
      EXPECT_EQ(scale, there->scale(seed, column, v));
      sum += std::abs(static_cast<double>(a[column][v] - b[column][v])) / scale;
    }
  return sum;
}

int near_ends(const Graph& graph, std::size_t seeds, const Pair& pair) {
  const std::vector<Node> near = own_links(graph, first_nodes(seeds)).near;
  return std::ranges::binary_search(near, static_cast<Node>(pair.u)) +
         std::ranges::binary_search(near, static_cast<Node>(pair.v));
}

// The largest cost by kind of edge (0: inside O, 1: between, 2: inside N), as a part of epsilon, over random
// graphs and all their pairs of nodes without a seed.
std::array<double, 3> worst_costs(std::uint64_t random_seed, int graphs, bool separate) {
  Seeded random(random_seed);
  std::array<double, 3> worst{};
  for (int i = 0; i < graphs; ++i) {
    const std::size_t seeds = 1 + random.below(3);
    const SmallGraph drawn = random_pair(random, 9, seeds).neighbor();
    const std::optional<double> background = separate        ? std::optional<double>()
                                             : random.coin() ? 1
                                                             : random.uniform();
    const double taper = random.below(4) == 0 ? std::numeric_limits<double>::infinity()
                                              : static_cast<double>(1 + random.below(6));
    const double epsilon = random.log_uniform(separate ? 0.4 : 0.01, 10);
    for (std::size_t u = seeds; u < drawn.nodes(); ++u)
      for (std::size_t v = seeds; v < u; ++v) {
        if (drawn.linked(u, v)) continue;
        const Pair pair{drawn, u, v};
        const Graph one = testing::to_graph(drawn), other = testing::to_graph(pair.neighbor());
        const Plan plan = plan_for(one, seeds, epsilon, background, taper);
        EXPECT_EQ(plan.parameters.background.has_value(), !separate);
        const double cost = cost_of(plan, one, other, first_nodes(seeds)) / epsilon;
        EXPECT_LE(cost, 1 + 1e-12);
        double& most = worst[static_cast<std::size_t>(near_ends(one, seeds, pair))];
        most = std::max(most, cost);
      }
  }
  return worst;
}

TEST(ReleaseCost, NoEdgeOfTheOneScoreFormCostsMoreThanEpsilon) {
  const auto worst = worst_costs(1, 400, false);
  for (const double cost : worst) EXPECT_GE(cost, 0.95);
}

TEST(ReleaseCost, NoEdgeOfTheSeparateFormCostsMoreThanEpsilon) {
  const auto worst = worst_costs(2, 400, true);
  for (const double cost : worst) EXPECT_GE(cost, 0.999);
}

// The numbers of the separate form as they are counted, and what else could have been released.
struct Counted {
  std::vector<std::int64_t> into_near, into_far;
};
using Variant = Counted (*)(const Graph&, const QuantisedTaper&, const SeedVector&);

Counted as_it_is(const Graph& graph, const QuantisedTaper& taper, const SeedVector& seed) {
  SeparateLinks links =
      separate_links(graph, taper, weighted_links(graph, taper), seed, own_links(graph, seed).near);
  return {std::move(links.into_near), std::move(links.into_far)};
}
Counted tapered_near(const Graph& graph, const QuantisedTaper& taper, const SeedVector& seed) {
  Counted counted = as_it_is(graph, taper, seed);
  counted.into_far = far_links(graph, taper, weighted_links(graph, taper), seed, own_links(graph, seed).near);
  return counted;
}
// The one-score form counts degrees in the whole graph: what it adds to the links into N, for v in O.
Counted whole_degrees(const Graph& graph, const QuantisedTaper& taper, const SeedVector& seed) {
  Counted counted = as_it_is(graph, taper, seed);
  const std::vector<Node> near = own_links(graph, seed).near;
  const auto scores = two_hop_links(graph, taper, weighted_links(graph, taper), seed, near);
  for (Node v = 0; v < graph.nodes(); ++v)
    if (!std::ranges::binary_search(near, v)) counted.into_far[v] = scores[v] - counted.into_near[v];
  return counted;
}

// The largest cost over random graphs for epsilon = 1 and a taper, each use of noise scaled by a factor.
struct Control {
  Variant variant = as_it_is;
  std::array<double, 4> factors = {1, 1, 1, 1};  // on the scales of Plan::noise
};
double worst_cost(const Control& control) {
  Seeded random(3);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::size_t seeds = 1 + random.below(2);
    const Pair pair = random_pair(random, 12, seeds);
    const Graph one = testing::to_graph(pair.graph), other = testing::to_graph(pair.neighbor());
    const SeedVector seed = first_nodes(seeds);
    const auto tau = 1 + random.below(3);
    const QuantisedTaper taper(1, tau);
    const Plan plan = plan_for(one, seeds, 1, {}, static_cast<double>(tau));
    const Counted a = control.variant(one, taper, seed), b = control.variant(other, taper, seed);
    const std::vector<Node> near = own_links(one, seed).near;
    double cost = 0;
    for (Node v = 0; v < one.nodes(); ++v) {
      const std::size_t first = std::ranges::binary_search(near, v) ? 0 : 2;
      const auto scale = [&](std::size_t use) {
        return plan.noise[use].lattice_scale * control.factors[use];
      };
      cost += std::abs(static_cast<double>(a.into_near[v] - b.into_near[v])) / scale(first) +
              std::abs(static_cast<double>(a.into_far[v] - b.into_far[v])) / scale(first + 1);
    }
    worst = std::max(worst, cost);
  }
  return worst;
}

TEST(ReleaseCost, TheControlsStartFromSomethingSound) {
  const double worst = worst_cost({});
  EXPECT_LE(worst, 1 + 1e-12);
  EXPECT_GT(worst, 0.999);
}

// With the noise of the plain count, which is large (q = 0.05), small graphs do not show it; with q = 1/2
// they do, and one node of O with enough links into N shows it for any q.
TEST(ReleaseCost, ATaperedBackgroundOfTheNeighboursCostsMore) {
  const double half = 0.05 / 0.5, other_half = 0.95 / 0.5;
  EXPECT_LE(worst_cost({as_it_is, {1, half, other_half, 1}}), 1 + 1e-12);
  EXPECT_GT(worst_cost({tapered_near, {1, half, other_half, 1}}), 1.1);

  const std::size_t k = 100;  // seed 0, N = 1..k, all linked to u = k+1; the edge from u to v = k+2 is added
  SmallGraph graph(k + 3);
  for (std::size_t i = 1; i <= k; ++i) graph.link(0, i), graph.link(i, k + 1);
  const Graph one = testing::to_graph(graph), other = testing::to_graph(graph.with(k + 1, k + 2));
  const Plan plan = plan_for(one, 1, 1, {}, 1);
  EXPECT_LE(cost_of(plan, one, other, first_nodes(1)), 1 + 1e-12);
  const QuantisedTaper taper(1, 1);
  const Counted a = tapered_near(one, taper, first_nodes(1)), b = tapered_near(other, taper, first_nodes(1));
  double cost = 0;
  for (Node v = 1; v < one.nodes(); ++v)
    cost += std::abs(static_cast<double>(a.into_far[v] - b.into_far[v])) /
            plan.noise[v <= k ? 1 : 3].lattice_scale;
  EXPECT_GT(cost, 3);
}

// An edge between N and O then moves the background around its end in O too.
TEST(ReleaseCost, DegreesOfTheWholeGraphCostMoreInTheSeparateForm) {
  EXPECT_GT(worst_cost({whole_degrees}), 1.15);
}

// Exchanging the two scales of an edge between N and O is no less private, only less useful; giving both ends
// the smaller one is.
TEST(ReleaseCost, OnlyBothScalesOfAnEdgeBetweenCoverIt) {
  const double q = 0.05, larger = (1 - q) / q;
  EXPECT_LE(worst_cost({as_it_is, {1, 1 / larger, larger, 1}}), 1 + 1e-12);
  EXPECT_GT(worst_cost({as_it_is, {1, 1 / larger, 1, 1}}), 1.85);
}

TEST(ReleaseCost, OnePercentLessNoiseOfAnyKindCostsMore) {
  for (const std::array<double, 4>& factors :
       {std::array{0.99, 1.0, 1.0, 1.0}, std::array{1.0, 0.99, 0.99, 1.0}, std::array{1.0, 1.0, 1.0, 0.99}})
    EXPECT_GT(worst_cost({as_it_is, factors}), 1.005);
}

}  // namespace
}  // namespace hushwalk
