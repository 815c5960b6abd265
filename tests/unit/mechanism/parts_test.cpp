// A release is the same numbers, whoever has the rows: mechanisms run on parts of a graph, each of which
// draws the noise of its own nodes under one key.
#include <gmock/gmock.h>

#include "hushwalk/generate.h"
#include "mechanism/mechanism.h"
#include "noise/keyed_noise.h"
#include "support/seeded_key.h"
#include "support/split_rows.h"

namespace hushwalk {
namespace {

using testing::SplitGraph;

constexpr std::size_t parts[] = {1, 2, 3, 5, 9};  // of 5 pieces of 64 nodes: some have none

struct Case {
  const char* mechanism;
  double epsilon;
  Scope scope = Scope::personalized;
};

std::vector<Columns> release(const Case& what, const Graph& graph, std::span<const SeedVector> seeds) {
  ReleaseParameters request{
      .mechanism = what.mechanism, .scope = what.scope, .epsilon = Epsilon(what.epsilon)};
  request.diffusion = Diffusion::ppr(0.8, 6);
  request.rankings = seeds.size();
  request.seeds_per_ranking = 2;
  const Plan plan = make_plan(graph.facts(), request);
  KeyedNoise noise(testing::seeded_key(11));
  return find_mechanism(what.mechanism).start(plan, graph, noise, {})->numbers(seeds, 0, {});
}

class ReleaseInParts : public ::testing::TestWithParam<Case> {};

TEST_P(ReleaseInParts, IsThatOfOneMachine) {
  const Graph graph = generate("chung-lu", {.nodes = 300, .edges = 1500, .random_seed = 3});
  const std::vector<SeedVector> seeds = {SeedVector(5), SeedVector(150),
                                         SeedVector::weighted({{7, 1}, {299, 2}})};
  const std::vector<Columns> whole = release(GetParam(), graph, seeds);
  for (const std::size_t k : parts) {
    const auto released = SplitGraph(graph, k, nodes_per_group).run_graphs([&](const Graph& part) {
      return release(GetParam(), part, seeds);
    });
    for (const std::vector<Columns>& of_part : released) EXPECT_EQ(of_part, whole) << k << " parts";
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReleaseInParts,
                         ::testing::Values(Case{"paper", 1}, Case{"output", 1},
                                           Case{"output", 1, Scope::edge}, Case{"pushflow", 1},
                                           Case{"pushflow+own", 1}, Case{"twohop", 0.05}, Case{"twohop", 1},
                                           Case{"frontier", 4}, Case{"shared", 0.5},
                                           Case{"shared", 0.5, Scope::edge}, Case{"circles", 0.5},
                                           Case{"circles", 20}));

TEST(ReleaseInParts, AnExactAnswerIsThatOfOneMachine) {
  const Graph graph = generate("chung-lu", {.nodes = 300, .edges = 1500, .random_seed = 3});
  const std::vector<SeedVector> seeds = {SeedVector(5), SeedVector(150)};
  const auto whole = diffuse_exactly(graph, Diffusion::ppr(0.8, 20), seeds);
  for (const std::size_t k : parts)
    for (const auto& of_part : SplitGraph(graph, k).run_graphs(
             [&](const Graph& part) { return diffuse_exactly(part, Diffusion::ppr(0.8, 20), seeds); }))
      EXPECT_EQ(of_part, whole) << k << " parts";
}

}  // namespace
}  // namespace hushwalk
