#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "evaluation/simulation.h"
#include "hushwalk/error.h"
#include "hushwalk/generate.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

using ::testing::ElementsAre;

std::vector<EvaluationRow> rows_of(const Graph& graph, const EvaluationRequest& request,
                                   std::span<const EvaluationRow> done = {}) {
  std::vector<EvaluationRow> rows;
  evaluate(graph, request, [&](const EvaluationRow& row) { rows.push_back(row); }, {}, done);
  return rows;
}

TEST(Evaluate, OrdersReferencesThenEpsilonsThenMechanismsThenEtas) {
  EvaluationRequest request{.mechanisms = {"twohop", "free", "output"},
                            .epsilons = {Epsilon(1), Epsilon(2)},
                            .etas = {Eta(1e-3), Eta(1e-2)}};
  std::vector<std::string> cells;
  for (const EvaluationRow& row : rows_of(testing::karate(), request))
    cells.push_back(row.mechanism + (row.epsilon ? std::to_string(static_cast<int>(*row.epsilon)) : "") +
                    (row.eta == 1e-3   ? "a"
                     : row.eta == 1e-2 ? "b"
                                       : ""));
  EXPECT_THAT(cells,
              ElementsAre("free", "twohop1", "output1a", "output1b", "twohop2", "output2a", "output2b"));
}

TEST(Evaluate, ComparesEachPairOfOneEpsilonOnce) {
  EvaluationRequest request{.mechanisms = {"twohop", "shared", "output"}, .etas = {Eta(1e-3), Eta(1e-2)}};
  const auto rows = rows_of(testing::karate(), request);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[0].versus.empty());
  ASSERT_EQ(rows[3].versus.size(), 3U);
  EXPECT_EQ(rows[3].versus[2].other, "output@0.001");
  EXPECT_NEAR(*rows[3].versus[0].ndcg.mean, *rows[3].ndcg.mean - *rows[0].ndcg.mean, 1e-12);
}

// As published, and with what the recipient knows: a baseline without it would flatter all others.
TEST(Evaluate, ShowsBaselinesWithAndWithoutOwnLinks) {
  EvaluationRequest request{.mechanisms = {"free", "pushflow", "pushflow+own", "edgeflip", "edgeflip+own"},
                            .epsilons = {Epsilon(0.3)},
                            .etas = {Eta(1e-5)}};
  const auto rows = rows_of(generate("blogcatalog-like", {.nodes = 400, .edges = 3000}), request);
  ASSERT_EQ(rows.size(), 5U);
  for (const EvaluationRow& row : rows) EXPECT_FALSE(row.refused) << row.mechanism;
  EXPECT_GT(*rows[2].ndcg.mean, *rows[1].ndcg.mean + 0.03);
  EXPECT_GT(*rows[4].ndcg.mean, *rows[1].ndcg.mean);
  request.release.scope = Scope::edge;
  const auto published = rows_of(testing::karate(), request);
  EXPECT_FALSE(published[1].refused || published[3].refused);
  EXPECT_TRUE(published[2].refused && published[4].refused);
}

TEST(Evaluate, ExactIsPerfectAndFreeGainsNothing) {
  const auto rows = rows_of(testing::karate(), {.mechanisms = {"exact", "free"}});
  EXPECT_EQ(rows[0].ndcg, (Measure{1, 0}));
  EXPECT_EQ(rows[0].l1, (Measure{0, 0}));
  EXPECT_EQ(rows[1].gain, (Measure{0, 0}));
  EXPECT_GT(*rows[0].gain.mean, 0);
}

TEST(Evaluate, InPortionsGivesTheSameRows) {
  EvaluationRequest request{.mechanisms = {"free"}, .seeds = 20};
  const auto whole = rows_of(testing::karate(), request);
  request.exact_scores_at_a_time = 1;  // 16 seeds, then 4
  const auto portions = rows_of(testing::karate(), request);
  ASSERT_EQ(portions.size(), 1U);
  EXPECT_EQ(portions[0].seed_ndcg, whole[0].seed_ndcg);
  EXPECT_EQ(portions[0].kendall, whole[0].kendall);
}

TEST(Evaluate, DoesNotRepeatWhatIsDone) {
  EvaluationRequest request{.mechanisms = {"free", "twohop", "shared"}};
  const auto first = rows_of(testing::karate(), request);
  const auto again = rows_of(testing::karate(), request, std::span(first).first(2));
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].mechanism, "shared");
  EXPECT_NEAR(*again[0].versus.at(0).ndcg.mean, *again[0].ndcg.mean - *first[1].ndcg.mean, 1e-12);
  EXPECT_TRUE(rows_of(testing::karate(), request, first).empty());
  request.seeds = 5;
  EXPECT_THROW(rows_of(testing::karate(), request, first), Error);
}

TEST(Evaluate, ARefusedCellIsARowWithoutNumbers) {
  const auto rows =
      rows_of(testing::karate(), {.mechanisms = {"twohop", "shared"}, .release = {.scope = Scope::edge}});
  ASSERT_TRUE(rows[0].refused);
  EXPECT_EQ(rows[0].ndcg, Measure{});
  EXPECT_FALSE(rows[1].refused);
  EXPECT_TRUE(rows[1].versus.empty());
}

TEST(Evaluate, AutoSeesOneSeedAtATime) {
  const auto rows = rows_of(testing::karate(), {.mechanisms = {"auto"}});
  EXPECT_EQ(rows[0].mechanism, "auto");
  EXPECT_EQ(rows[0].resolved, "twohop");
}

// Two hubs linked to ninety leaves, noise far above all counts, no neighbours known: what a leaf is told
// depends on the places of the hubs in the artefact's order, and leaving the leaf itself out moves each by
// one at most. So one artefact has at most three values of NDCG for all leaves.
TEST(Evaluate, ManyArtefactsOfSharedAreNotOne) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node leaf = 2; leaf < 92; ++leaf) {
    edges.emplace_back(0, leaf);
    edges.emplace_back(1, leaf);
  }
  const auto rows =
      rows_of(testing::make_graph(92, edges),
              {.mechanisms = {"shared"}, .epsilons = {Epsilon(1e-3)}, .release = {.scope = Scope::edge}});
  ASSERT_EQ(rows[0].seed_ndcg.size(), 92U);
  std::set<long> different;
  for (std::size_t leaf = 2; leaf < 92; ++leaf) different.insert(std::lround(1e9 * rows[0].seed_ndcg[leaf]));
  EXPECT_GT(different.size(), 3U);
}

TEST(PartOfEach, IsAllOfItFromOneArtefactAndAnEqualPartFromFreshNoise) {
  const auto part = [](const std::string& mechanism, std::uint64_t rankings) {
    return part_of_each({.mechanism = mechanism, .epsilon = Epsilon(2), .rankings = rankings})
        .epsilon.value();
  };
  for (const char* mechanism : {"shared", "circles", "edgeflip"})
    EXPECT_EQ(part(mechanism, 20), 2) << mechanism;
  for (const char* mechanism : {"twohop", "frontier", "output"}) {
    EXPECT_EQ(part(mechanism, 20), 0.1) << mechanism;
    EXPECT_EQ(part(mechanism, 1), 2) << mechanism;
  }
}

// `auto` sees what all share: of the part alone, 0.1, it would make another choice than `circles`.
TEST(PartOfEach, IsOfTheMechanismThatAutoChoosesForAll) {
  const auto chosen = [](std::uint64_t rankings) {
    return part_of_each({.epsilon = Epsilon(2), .rankings = rankings});
  };
  EXPECT_EQ(chosen(10).mechanism, "twohop");
  EXPECT_EQ(chosen(10).epsilon.value(), 0.2);
  EXPECT_EQ(chosen(20).mechanism, "circles");
  EXPECT_EQ(chosen(20).epsilon.value(), 2);
}

// As `rank` would by the epsilon of one ranking, and then all of it for the one artefact.
TEST(PartOfEach, IsAnArtefactWhereThePartIsTooSmallForNoiseOfItsOwn) {
  const auto chosen = [](double epsilon) {
    return part_of_each({.epsilon = Epsilon(epsilon), .rankings = 10});
  };
  EXPECT_EQ(chosen(0.29).mechanism, "shared");
  EXPECT_EQ(chosen(0.29).epsilon.value(), 0.29);
  EXPECT_EQ(chosen(0.31).mechanism, "twohop");
  EXPECT_DOUBLE_EQ(chosen(0.31).epsilon.value(), 0.031);
}

TEST(PartOfEach, DividesTheChanceOfFailureToo) {
  const ReleaseParameters part =
      part_of_each({.mechanism = "paper", .epsilon = Epsilon(2), .delta = Delta(1e-5), .rankings = 10});
  EXPECT_DOUBLE_EQ(part.delta->value(), 1e-6);
}

void expect_usage(const EvaluationRequest& request, const Graph& graph = testing::karate()) {
  try {
    rows_of(graph, request);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
  }
}

TEST(Evaluate, RefusesNonsense) {
  expect_usage({.mechanisms = {"nonsense"}});
  expect_usage({.mechanisms = {}});
  expect_usage({.mechanisms = {"twohop"}, .epsilons = {}});
  expect_usage({.mechanisms = {"twohop"}, .etas = {Eta(1e-3)}});
  expect_usage({.mechanisms = {"shared"}, .release = {.background = 0.5}});
  expect_usage({.mechanisms = {"paper"}, .release = {.taper = 10}});
  expect_usage({.seeds = 0});
  expect_usage({.top = 0});
  expect_usage({.mechanisms = {"free"}, .release = {.rankings = 0}});
  expect_usage({}, testing::make_graph(3, {}));
}

TEST(DrawSeeds, TakesNodesWithAnEdgeWithoutRepeats) {
  const Graph graph = testing::make_graph(10, {{1, 2}, {2, 5}, {7, 8}});
  EXPECT_THAT(draw_seeds(graph, 100, 1), ElementsAre(1, 2, 5, 7, 8));
  const auto three = draw_seeds(graph, 3, 7);
  EXPECT_EQ(three.size(), 3U);
  EXPECT_EQ(three, draw_seeds(graph, 3, 7));
  EXPECT_TRUE(std::ranges::adjacent_find(three) == three.end());
}

// Each of 20 nodes is in a draw of 5 with probability 1/4. 4000 draws: a standard deviation is 27, the
// threshold 6 of them.
TEST(DrawSeeds, GivesEveryNodeTheSameChance) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 1; v < 20; ++v) edges.emplace_back(0, v);  // a star: degrees must not matter
  const Graph star = testing::make_graph(20, edges);
  std::vector<int> hits(20);
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    for (const Node node : draw_seeds(star, 5, seed)) ++hits[node];
  for (const int count : hits) EXPECT_NEAR(count, 1000, 164);
}

TEST(Summarize, ByHand) {
  const Measure measure = summarize(std::vector<double>{1, std::nan(""), 3});
  EXPECT_EQ(measure.mean, 2);
  EXPECT_NEAR(*measure.ci, 1.96 * std::sqrt(2.0 / 2), 1e-15);
  EXPECT_EQ(summarize(std::vector<double>{5}), (Measure{5, std::nullopt}));
  EXPECT_EQ(summarize(std::vector<double>{std::nan("")}), Measure{});
}

}  // namespace
}  // namespace hushwalk
