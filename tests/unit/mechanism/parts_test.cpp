// A release is the same numbers, whoever has the rows: mechanisms run on parts of a graph, each of which
// draws the noise of its own nodes under one key.
#include <gmock/gmock.h>

#include "diffusion/best_exactly.h"
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

std::vector<Columns> emptied(std::vector<Columns> released) {
  for (Columns& columns : released)
    for (Column& column : columns) column.clear();
  return released;
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
    EXPECT_EQ(released.front(), whole) << k << " parts";
    // Others have nothing of it, but for circles, whose labels all parts find by themselves.
    const bool in_all = GetParam().mechanism == std::string("circles");
    for (std::size_t i = 1; i < k; ++i)
      EXPECT_EQ(released[i], in_all ? whole : emptied(whole)) << k << " parts";
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
  for (const std::size_t k : parts) {
    const auto found = SplitGraph(graph, k).run_graphs(
        [&](const Graph& part) { return diffuse_exactly(part, Diffusion::ppr(0.8, 20), seeds); });
    EXPECT_EQ(found.front(), whole) << k << " parts";
    for (std::size_t i = 1; i < k; ++i) EXPECT_THAT(found[i], ::testing::Each(::testing::IsEmpty()));
  }
}

// The best of the parts are the best of the whole, with equal scores in the order of the public nodes.
TEST(ReleaseInParts, TheBestOfAnExactAnswerAreThoseOfOneMachine) {
  const Graph graph =
      generate("chung-lu", {.nodes = 300, .edges = 400, .random_seed = 3});  // many scores of 0
  const std::vector<SeedVector> seeds = {SeedVector(5), SeedVector(150),
                                         SeedVector::weighted({{7, 1}, {299, 2}})};
  std::vector<Node> some;
  for (Node node = 299; node > 2; node -= 3) some.push_back(node);
  for (const Listing& listing :
       {Listing{1}, Listing{10}, Listing{300}, Listing{.top = 290, .exclude_neighbors = true},
        Listing{.top = 20, .candidates = some},
        Listing{.top = 400, .exclude_neighbors = true, .candidates = some}}) {
    const auto scores = diffuse_exactly(graph, Diffusion::ppr(0.8, 3), seeds);
    std::vector<std::vector<Ranked>> expected;
    for (std::size_t i = 0; i < seeds.size(); ++i)
      expected.push_back(
          top_k(scores[i], listing.top, excluded_nodes(graph, seeds[i], listing), listing.candidates));
    const auto best = [&](const Graph& of) {
      return best_exactly(of, Diffusion::ppr(0.8, 3), seeds, listing);
    };
    EXPECT_EQ(best(graph), expected);
    for (const std::size_t k : parts) {
      const auto found = SplitGraph(graph, k).run_graphs(best);
      EXPECT_EQ(found.front(), expected) << k << " parts";
      for (std::size_t i = 1; i < k; ++i) EXPECT_THAT(found[i], ::testing::Each(::testing::IsEmpty()));
    }
  }
  EXPECT_THROW(best_exactly(graph, Diffusion::ppr(0.8, 3), seeds, {.candidates = {{300}}}), Error);
}

}  // namespace
}  // namespace hushwalk
