// `edgeflip`: what is flipped, what is not, and that an answer is made of nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "graph/csr.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/error.h"
#include "hushwalk/generate.h"
#include "hushwalk/threads.h"
#include "mechanism/mechanism.h"
#include "support/graphs.h"
#include "support/seeded_key.h"
#include "support/statistics.h"

namespace hushwalk {
namespace {

constexpr double ALPHA = 1e-6;

Plan plan_for(const PublicFacts& facts, Scope scope, double epsilon = 1,
              const std::string& mechanism = "edgeflip") {
  ReleaseParameters request;
  request.mechanism = mechanism;
  request.scope = scope;
  request.epsilon = Epsilon(epsilon);
  request.rankings = 100;
  request.seeds_per_ranking = 2;
  return make_plan(facts, request);
}

std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source) {
  return find_mechanism(plan.parameters.mechanism).start(plan, graph, source, {});
}

std::vector<std::int64_t> bits(Release& release, const SeedVector& seed) {
  return release.numbers(std::span(&seed, 1), 0, {}).front().front();
}

std::vector<std::int64_t> true_bits(const Graph& graph) {
  std::vector<std::int64_t> result;
  for (Node v = 0; v < graph.nodes(); ++v)
    for (Node u = 0; u < v; ++u) result.push_back(graph.adjacent(u, v));
  return result;
}

// Linked and unlinked pairs alike, each with the probability of the plan.
TEST(EdgeFlip, FlipsEveryPairWithTheSameProbability) {
  constexpr int N = 4000;
  const Graph graph = testing::make_graph(7, {{0, 1}, {1, 2}, {2, 3}, {5, 6}, {4, 6}});
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const Plan plan = plan_for(graph.facts(), Scope::edge, epsilon);
    const double p = plan.noise.front().flip_probability;
    EXPECT_NEAR(p, 1 / (1 + std::exp(epsilon)), 1e-12);
    KeyedNoise source(testing::seeded_key(1));
    const auto release = start(plan, graph, source);
    const std::vector<std::int64_t> truth = true_bits(graph);
    std::vector<double> flips(truth.size()), both(truth.size());
    for (std::uint64_t t = 0; t < N; ++t) {
      release->renew(t);
      const auto seen = bits(*release, 0);
      for (std::size_t i = 0; i < truth.size(); ++i) {
        flips[i] += seen[i] != truth[i];
        both[i] += seen[i] != truth[i] && seen[(i + 1) % truth.size()] != truth[(i + 1) % truth.size()];
      }
    }
    for (std::size_t i = 0; i < truth.size(); ++i) {
      EXPECT_GT(testing::proportion_p(flips[i], N, p), ALPHA) << i;
      EXPECT_GT(testing::proportion_p(both[i], N, p * p), ALPHA) << i;  // neighbours are independent
    }
  }
}

TEST(EdgeFlip, KeepsThePairsAtTheSeedsAndSharesAllOtherFlips) {
  const Graph graph = testing::karate();
  const std::vector<std::int64_t> truth = true_bits(graph);
  KeyedNoise source(testing::seeded_key(2));
  const Plan plan = plan_for(graph.facts(), Scope::personalized);
  const auto personalized = start(plan, graph, source);
  const Plan edge_plan = plan_for(graph.facts(), Scope::edge);
  KeyedNoise same(testing::seeded_key(2));
  const auto everybody = bits(*start(edge_plan, graph, same), 0);
  EXPECT_NE(everybody, truth);
  for (const SeedVector& seed : {SeedVector(0), SeedVector(33), SeedVector::weighted({{2, 1}, {9, 3}})}) {
    const auto seen = bits(*personalized, seed);
    std::size_t i = 0;
    for (Node v = 0; v < graph.nodes(); ++v)
      for (Node u = 0; u < v; ++u, ++i)
        EXPECT_EQ(seen[i], seed.contains(u) || seed.contains(v) ? truth[i] : everybody[i]) << u << ' ' << v;
  }
}

TEST(EdgeFlip, AnswersWithTheScoresOfItsNumbers) {
  const Graph graph = testing::karate();
  const std::vector<SeedVector> seeds = {SeedVector(3), SeedVector::weighted({{2, 1}, {9, 3}})};
  for (const auto& [mechanism, scope] :
       std::vector<std::pair<std::string, Scope>>{{"edgeflip", Scope::edge},
                                                  {"edgeflip", Scope::personalized},
                                                  {"edgeflip+own", Scope::personalized}}) {
    KeyedNoise source(testing::seeded_key(3));
    const Plan plan = plan_for(graph.facts(), scope, 2, mechanism);
    const auto release = start(plan, graph, source);
    const auto answers = release->answer(seeds, 0, {});
    const auto numbers = release->numbers(seeds, 0, {});
    for (std::size_t i = 0; i < seeds.size(); ++i)
      EXPECT_EQ(answers[i].scores, release->scores(numbers[i], seeds[i]).scores) << mechanism;
  }
}

// Without flips it is the exact diffusion.
TEST(EdgeFlip, IsExactWhereEpsilonIsLarge) {
  const Graph graph = testing::karate();
  KeyedNoise source(testing::seeded_key(4));
  const Plan plan = plan_for(graph.facts(), Scope::edge, 34);
  const SeedVector seed(0);
  EXPECT_EQ(start(plan, graph, source)->answer(std::span(&seed, 1), 0, {}).front().scores,
            diffuse_exactly(graph, plan.parameters.diffusion, seed));
}

// More than one piece: where one ends and the next begins nothing is skipped, and threads do not matter.
TEST(EdgeFlip, WorksInPiecesOfALargerGraph) {
  const Graph graph = generate("chung-lu", {.nodes = 5000, .edges = 20'000});
  const auto pairs = static_cast<double>(all_pairs(graph.nodes()));
  const Plan plan = plan_for(graph.facts(), Scope::edge, 3);
  KeyedNoise source(testing::seeded_key(5));
  const auto release = start(plan, graph, source);
  const auto seen = bits(*release, 0), truth = true_bits(graph);
  double flips = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) flips += seen[i] != truth[i];
  EXPECT_GT(testing::proportion_p(flips, pairs, plan.noise.front().flip_probability), ALPHA);
  const ThreadLimit one_thread(1);
  KeyedNoise same(testing::seeded_key(5));
  EXPECT_EQ(bits(*start(plan, graph, same), 0), seen);
}

TEST(EdgeFlip, SpendsEpsilonOnceForAllRankings) {
  for (const Scope scope : {Scope::edge, Scope::personalized})
    EXPECT_EQ(plan_for(public_facts(100), scope).total_epsilon(), 1);
}

TEST(EdgeFlip, RefusesAGraphThatWouldNotFitAndNamesAnEpsilonThatDoes) {
  const PublicFacts facts = public_facts(1'000'000);
  try {
    plan_for(facts, Scope::edge, 1);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    const std::string text = error.what(), words = "use an `epsilon` of ";
    const double enough = std::stod(text.substr(text.find(words) + words.size()));
    EXPECT_NO_THROW(plan_for(facts, Scope::edge, enough));
    EXPECT_THROW(plan_for(facts, Scope::edge, enough - 0.05), Error);
  }
}

}  // namespace
}  // namespace hushwalk
