#include <gmock/gmock.h>
#include <hwy/highway.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "diffusion/groups.h"
#include "hushwalk/diffuse.h"
#include "hushwalk/error.h"
#include "hushwalk/generate.h"
#include "hushwalk/threads.h"
#include "support/arbitrary.h"
#include "support/chains.h"
#include "support/graphs.h"
#include "support/slow_diffusion.h"

namespace hushwalk {
namespace {

using hushwalk::testing::arbitrary_graph;
using hushwalk::testing::arbitrary_node;
using hushwalk::testing::arbitrary_seeds;
using hushwalk::testing::karate;
using hushwalk::testing::make_graph;
using hushwalk::testing::path4;
using hushwalk::testing::same_bytes;
using hushwalk::testing::slow_diffuse;

double l1(const std::vector<double>& a, const std::vector<double>& b) {
  return std::transform_reduce(a.begin(), a.end(), b.begin(), a.size() == b.size() ? 0.0 : 1e9, std::plus{},
                               [](double x, double y) { return std::abs(x - y); });
}

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

// Coefficients of both signs, not the same in every step.
Diffusion alternating() {
  return Diffusion::custom(
      {{0.5, 0.2, 0.3}, {1.2, -0.7, 0.5}, {-0.4, 0.9, 0.5}, {0.6, 0.6, -0.2}, {0.3, 0.3, 0.4}});
}

// More rows and edges than a block holds, with hubs and isolated nodes.
Graph many_blocks() {
  constexpr Node nodes = 9000;
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < nodes - 100; ++v) {
    edges.emplace_back(v, v % 7 * 11);
    edges.emplace_back(v, (v * 2654435761U) % (nodes - 100));
    if (v % 3 == 0) edges.emplace_back(v, v % 2 * 5 + 1);
  }
  return make_graph(nodes, edges);
}

std::vector<SeedVector> some_seeds(std::size_t count) {
  std::vector<SeedVector> seeds;
  for (Node i = 0; i < count; ++i)
    seeds.push_back(i % 5 == 4 ? SeedVector::weighted({{i, 1}, {8 * i + 3, 2}}) : SeedVector(i * 11));
  return seeds;
}

TEST(Diffuse, OneStepByHand) {
  //  0 - 1 - 2 - 3: from 1, half goes to either side.
  EXPECT_THAT(diffuse_exactly(path4(), Diffusion::pagerank(0.5, 1), SeedVector(1)),
              ::testing::ElementsAre(0.25, 0.5, 0.25, 0));
}

TEST(Diffuse, AnswersInOrderOfNodes) {
  const auto x =
      diffuse_exactly(make_graph(5, {{4, 3}, {4, 2}, {4, 1}}), Diffusion::pagerank(0.5, 1), SeedVector(3));
  EXPECT_THAT(x, ::testing::ElementsAre(0, 0, 0, 0.5, 0.5));
}

TEST(Diffuse, KeepsTheMassOfGraphsWithoutIsolatedNodes) {
  for (const Diffusion& diffusion :
       {Diffusion::ppr(), Diffusion::pagerank(), Diffusion::heat(), alternating()})
    EXPECT_NEAR(sum(diffuse_exactly(karate(), diffusion, SeedVector(11))), 1, 1e-14) << diffusion.name();
}

TEST(Diffuse, AnIsolatedSeedKeepsOnlyWhatStaysAndRestarts) {
  //  0 - 1, 2 alone: x = stay x + restart, whose fixed point is restart / (1 - stay).
  const Graph graph = make_graph(3, {{0, 1}});
  const auto x = diffuse_exactly(graph, Diffusion::ppr(0.8, 100), SeedVector(2));
  EXPECT_NEAR(x[2], 0.2 / 0.6, 1e-15);
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[1], 0);
  EXPECT_NEAR(diffuse_exactly(graph, Diffusion::pagerank(0.8, 100), SeedVector(2))[2], 0.2, 1e-15);
  EXPECT_NEAR(diffuse_exactly(graph, Diffusion::heat(1, 10), SeedVector(2))[2], std::pow(0.9, 10), 1e-15);
}

TEST(Diffuse, TheLazyWalkEqualsASimpleOneInTheLimit) {
  const double beta = 0.8;
  const Diffusion simple = Diffusion::pagerank(beta / 2 / (1 - beta / 2), 100);
  for (const Graph& graph : {karate(), many_blocks()})
    EXPECT_LT(l1(diffuse_exactly(graph, Diffusion::ppr(beta, 100), SeedVector(5)),
                 diffuse_exactly(graph, simple, SeedVector(5))),
              1e-9);
}

TEST(Diffuse, EmptyGraphAndNoSeeds) {
  EXPECT_TRUE(diffuse_exactly(Graph(), Diffusion::ppr(), std::span<const SeedVector>{}).empty());
  EXPECT_TRUE(diffuse_exactly(karate(), Diffusion::ppr(), std::span<const SeedVector>{}).empty());
  EXPECT_THROW(diffuse_exactly(Graph(), Diffusion::ppr(), SeedVector(0)), Error);
}

TEST(Diffuse, RefusesUnknownSeedsAndImpossibleClips) {
  EXPECT_THROW(diffuse_exactly(path4(), Diffusion::ppr(), SeedVector(4)), Error);
  EXPECT_THROW(diffuse_exactly(path4(), Diffusion::ppr(), SeedVector::weighted({{0, 1}, {9, 1}})), Error);
  for (const double eta : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(diffuse_exactly(path4(), Diffusion::ppr(), SeedVector(0), Clip{eta}), Error) << eta;
}

TEST(Diffuse, RefusesToReturnWhatOverflowed) {
  const Diffusion wild = Diffusion::custom(std::vector<Step>(100, {1e9, 1 - 1e9, 0}));
  EXPECT_THROW(diffuse_exactly(path4(), wild, SeedVector(0)), Error);
}

TEST(Diffuse, ClipsTheSeedToItsPublicInterval) {
  // A lone seed that triples in every step.
  const Graph graph = make_graph(1, {});
  const Diffusion grow = Diffusion::custom({{-2, 3, 0}, {-2, 3, 0}, {-2, 3, 0}});
  EXPECT_EQ(diffuse_exactly(graph, grow, SeedVector(0))[0], 27);
  EXPECT_EQ(diffuse_exactly(graph, grow, SeedVector(0), Clip{1e-3})[0],
            3);  // clipped to 1 before steps 2 and 3
  EXPECT_EQ(diffuse_exactly(graph, grow, SeedVector(0), Clip{1e-3, Scope::edge})[0], 0);
}

TEST(Diffuse, AClipThatNeverBindsChangesNothing) {
  for (const Scope scope : {Scope::personalized, Scope::edge})
    EXPECT_TRUE(same_bytes(diffuse_exactly(karate(), Diffusion::ppr(), SeedVector(3), Clip{1, scope}),
                           diffuse_exactly(karate(), Diffusion::ppr(), SeedVector(3))));
}

template <std::size_t lanes>
std::size_t always(std::size_t, std::size_t) {
  return lanes;
}

TEST(Diffuse, GivesEverySeedTheBytesItHasAlone) {
  const Graph graph = many_blocks();
  for (const std::optional<Clip> clip : {std::optional<Clip>{}, std::optional<Clip>{{1e-4}}}) {
    const auto seeds = some_seeds(35);
    std::vector<std::vector<double>> alone;
    for (const SeedVector& seed : seeds) alone.push_back(diffuse_exactly(graph, alternating(), seed, clip));
    for (const std::size_t count : {1, 2, 7, 8, 9, 16, 17, 35})
      for (const ChooseLanes choose : {choose_lanes, always<1>, always<8>, always<16>}) {
        const auto together =
            diffuse_in_groups(graph, alternating(), std::span(seeds).first(count), clip, {}, choose);
        ASSERT_EQ(together.size(), count);
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_TRUE(same_bytes(together[i], alone[i])) << count << ' ' << i;
      }
  }
}

TEST(ChooseLanes, PacksSeedsTheMoreTheFartherTheMemory) {
  EXPECT_EQ(choose_lanes(1000, 1), 1U);
  EXPECT_EQ(choose_lanes(1000, 2), 8U);
  EXPECT_EQ(choose_lanes(1000, 100), 8U);
  EXPECT_EQ(choose_lanes(1'000'000, 4), 1U);
  EXPECT_EQ(choose_lanes(1'000'000, 5), 8U);
  EXPECT_EQ(choose_lanes(1'000'000, 9), 16U);
}

TEST(Diffuse, GivesTheSameBytesForAnyNumberOfThreads) {
  const Graph graph = many_blocks();
  const auto seeds = some_seeds(25);
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return diffuse_exactly(graph, Diffusion::ppr(0.8, 20), seeds, Clip{1e-4});
  };
  const auto one = with_threads(1), two = with_threads(2);
  for (std::size_t i = 0; i < seeds.size(); ++i) EXPECT_TRUE(same_bytes(one[i], two[i]));
}

TEST(Diffuse, GivesTheSameBytesOnEverySimdTarget) {
  const Graph graph = many_blocks();
  const auto seeds = some_seeds(11);
  const auto expected = diffuse_exactly(graph, alternating(), seeds, Clip{1e-4});
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const ChooseLanes choose : {always<1>, always<8>, always<16>}) {
      const auto found = diffuse_in_groups(graph, alternating(), seeds, Clip{1e-4}, {}, choose);
      for (std::size_t i = 0; i < seeds.size(); ++i)
        EXPECT_TRUE(same_bytes(found[i], expected[i])) << hwy::TargetName(target);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(Diffuse, ReportsProgressThatRisesToOne) {
  std::vector<double> fractions;
  diffuse_exactly(karate(), Diffusion::ppr(0.8, 10), some_seeds(4), {},
                  [&](std::string_view stage, double fraction) {
                    EXPECT_EQ(stage, "diffusing");
                    fractions.push_back(fraction);
                  });
  EXPECT_EQ(fractions.size(), 10U);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_EQ(fractions.back(), 1);
}

TEST(Diffuse, StopsWhenProgressThrows) {
  const Progress stop = [](std::string_view, double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(diffuse_exactly(karate(), Diffusion::ppr(), SeedVector(0), {}, stop), std::runtime_error);
}

RC_GTEST_PROP(Diffuse, EqualsItsDefinition, ()) {
  const Graph graph = arbitrary_graph();
  const SeedVector seed = arbitrary_seeds(graph);
  const Diffusion diffusion = *rc::gen::element(Diffusion::ppr(0.8, 9), Diffusion::pagerank(0.9, 6),
                                                Diffusion::heat(3, 5), alternating());
  RC_ASSERT(l1(diffuse_exactly(graph, diffusion, seed), slow_diffuse(graph, diffusion, seed)) < 1e-13);
}

RC_GTEST_PROP(Diffuse, ClippedEqualsItsDefinition, ()) {
  const Graph graph = arbitrary_graph();
  const SeedVector seed = arbitrary_seeds(graph);
  const Diffusion diffusion = *rc::gen::element(Diffusion::ppr(0.8, 9), Diffusion::heat(3, 5), alternating());
  const Clip clip{*rc::gen::element(1e-9, 0.001, 0.01, 0.1, 1.0),
                  *rc::gen::element(Scope::personalized, Scope::edge)};
  RC_ASSERT(l1(diffuse_exactly(graph, diffusion, seed, clip), slow_diffuse(graph, diffusion, seed, clip)) <
            1e-13);
}

RC_GTEST_PROP(Diffuse, ASeedSetGivesTheWeightedAverage, ()) {
  const Graph graph = arbitrary_graph();
  const SeedVector seed = arbitrary_seeds(graph);
  std::vector<double> average(graph.nodes(), 0.0);
  for (const auto& [node, weight] : seed.entries()) {
    const auto alone = diffuse_exactly(graph, alternating(), SeedVector(node));
    for (std::size_t v = 0; v < alone.size(); ++v) average[v] += weight * alone[v];
  }
  RC_ASSERT(l1(diffuse_exactly(graph, alternating(), seed), average) < 1e-13);
}

// A is symmetric, so from s to v, divided by the degree of v, is the same as from v to s.
RC_GTEST_PROP(Diffuse, IsReversible, ()) {
  const Graph graph = arbitrary_graph();
  const Node s = arbitrary_node(graph), v = arbitrary_node(graph);
  RC_PRE(graph.degree(s) > 0 && graph.degree(v) > 0);
  const double there = diffuse_exactly(graph, Diffusion::ppr(0.8, 20), SeedVector(s))[v] /
                       static_cast<double>(graph.degree(v));
  const double back = diffuse_exactly(graph, Diffusion::ppr(0.8, 20), SeedVector(v))[s] /
                      static_cast<double>(graph.degree(s));
  RC_ASSERT(std::abs(there - back) < 1e-15);
}

TEST(Diffuse, StopsEarlyOnlyWhenNothingMovesAnyMore) {
  const Graph graph = generate("er", {.nodes = 300, .edges = 6000});
  const std::vector<SeedVector> seeds = {Node{0}, Node{7}};
  std::size_t steps = 0;
  const Progress count = [&](std::string_view, double) { ++steps; };
  const auto whole = diffuse_exactly(graph, Diffusion::ppr(0.8, 1000), seeds);
  const auto stopped =
      diffuse_in_groups(graph, Diffusion::ppr(0.8, 1000), seeds, {}, count, choose_lanes, 1e-13);
  EXPECT_LT(steps, 200U);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    for (std::size_t v = 0; v < whole[i].size(); ++v)
      EXPECT_NEAR(stopped[i][v], whole[i][v], 1e-12 * whole[i][v]);
}

}  // namespace
}  // namespace hushwalk
