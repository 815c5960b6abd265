// The sensitivities of docs/math/14-output-half.md and 15-pushflow.md against runs on many small graphs.
#include <gtest/gtest.h>

#include <limits>

#include "accounting/fixed_point.h"
#include "support/small_graph.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::l1_distance;
using hushwalk::testing::Pair;
using hushwalk::testing::Seeded;
using hushwalk::testing::SmallGraph;
using Vector = std::vector<double>;

// Node 0 is the seed. x -> beta/2 (P + I) clip(x) + (1 - beta) s, as `output` runs it.
Vector output(const SmallGraph& graph, double beta, double eta, int steps, Scope scope) {
  Vector x(graph.nodes(), 0.0);
  x[0] = 1;
  for (int k = 1; k <= steps; ++k) {
    for (std::size_t v = 0; v < x.size(); ++v) {
      const bool free = scope == Scope::personalized && (v == 0 || k == 1);
      x[v] = std::min(x[v], free ? 1 : eta * static_cast<double>(graph.degree(v)));
    }
    x = small_step(graph, beta / 2, beta / 2, x);
    x[0] += 1 - beta;
  }
  return x;
}

// h <- min(e_s + (1-a) (P + I)/2 h, T), p = a h.
Vector pushflow(const SmallGraph& graph, const PushFlow& flow, Scope scope) {
  Vector h(graph.nodes(), 0.0);
  for (std::uint64_t round = 0; round < flow.rounds; ++round) {
    h = small_step(graph, (1 - flow.teleport) / 2, (1 - flow.teleport) / 2, h);
    h[0] += 1;
    for (std::size_t v = 0; v < h.size(); ++v) {
      const bool free = scope == Scope::personalized && v == 0;
      h[v] = std::min(h[v], free ? std::numeric_limits<double>::infinity()
                                 : flow.cap * static_cast<double>(graph.degree(v)));
    }
  }
  for (double& value : h) value *= flow.teleport;
  return h;
}

struct Case {
  Scope scope;
  Pair pair;
  double teleport, cap;
  int rounds;
};

Case random_case(Seeded& random) {
  const Scope scope = random.coin() ? Scope::edge : Scope::personalized;
  Pair pair = random_pair(random, 9, scope == Scope::personalized ? 1 : 0);
  const double teleport = random.uniform(0.02, 0.98);
  // Long runs mostly, where the fixed point decides, and caps that are felt.
  const int rounds = random.below(3) == 0 ? random.between(1, 6) : static_cast<int>(12 / teleport) + 10;
  return {scope, std::move(pair), teleport, random.log_uniform(0.003, 3), rounds};
}

TEST(OutputHalf, NoRunExceedsIt) {
  Seeded random(1);
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    const Case one = random_case(random);
    const double beta = 1 - one.teleport, eta = one.cap * one.teleport;
    const std::vector<Step> steps(static_cast<std::size_t>(one.rounds), Step{beta / 2, beta / 2, 1 - beta});
    const std::optional<double> bound = output_half_sensitivity_up(steps, eta);
    ASSERT_TRUE(bound);
    const double seen = l1_distance(output(one.pair.graph, beta, eta, one.rounds, one.scope),
                                    output(one.pair.neighbor(), beta, eta, one.rounds, one.scope));
    ASSERT_LE(seen, *bound * (1 + 1e-12) + 1e-15);
    const double tail = 4 * std::pow(beta, one.rounds);
    if (tail < 1e-3 * *bound) worst = std::max(worst, seen / *bound);
  }
  EXPECT_GT(worst, 0.7);
}

TEST(OutputHalf, IsForTheLazyWalkOnly) {
  const std::vector<Step> lazy(50, Step{0.4, 0.4, 1 - 0.8}), simple(50, Step{0.8, 0, 1 - 0.8});
  std::vector<Step> changing = lazy;
  changing[7] = {0.3, 0.3, 0.4};
  EXPECT_TRUE(output_half_sensitivity_up(lazy, 1e-6));
  EXPECT_FALSE(output_half_sensitivity_up(simple, 1e-6));
  EXPECT_FALSE(output_half_sensitivity_up(changing, 1e-6));
  EXPECT_FALSE(output_half_sensitivity_up(std::vector<Step>(5, Step{-0.4, -0.4, 1.8}), 1e-6));
  EXPECT_FALSE(output_half_sensitivity_up({}, 1e-6));
}

TEST(PushFlowBounds, NoRunExceedsThem) {
  Seeded random(2);
  double worst_published = 0, worst_fixed = 0, worst_without_tail = 0;
  for (int i = 0; i < 40000; ++i) {
    const Case one = random_case(random);
    const PushFlow flow{one.teleport, one.cap, static_cast<std::uint64_t>(one.rounds)};
    const double seen = l1_distance(pushflow(one.pair.graph, flow, one.scope),
                                    pushflow(one.pair.neighbor(), flow, one.scope));
    const double published = pushflow_published_sensitivity_up(flow, one.scope);
    const double fixed = pushflow_fixed_point_sensitivity_up(flow);
    ASSERT_LE(seen, published * (1 + 1e-12) + 1e-15);
    ASSERT_LE(seen, fixed * (1 + 1e-12) + 1e-15);
    const double tail = 2 * std::pow(1 - one.teleport, one.rounds);
    if (published > 0) worst_published = std::max(worst_published, seen / published);
    if (tail < 1e-3 * fixed) worst_fixed = std::max(worst_fixed, seen / fixed);
    worst_without_tail = std::max(worst_without_tail, seen / (fixed - tail));
  }
  EXPECT_GT(worst_published, 0.8);
  EXPECT_GT(worst_fixed, 0.99);
  EXPECT_GT(worst_without_tail, 1.05);  // the tail is needed
}

TEST(PushFlowBounds, WhatIsNotProvenIsRefused) {
  for (const PushFlow& flow : {PushFlow{0, 1, 5}, PushFlow{1, 1, 5}, PushFlow{0.2, 0, 5},
                               PushFlow{0.2, -1, 5}, PushFlow{0.2, 1, 0}, PushFlow{std::nan(""), 1, 5}}) {
    EXPECT_ANY_THROW(pushflow_published_sensitivity_up(flow, Scope::edge));
    EXPECT_ANY_THROW(pushflow_fixed_point_sensitivity_up(flow));
  }
}

}  // namespace
}  // namespace hushwalk::accounting
