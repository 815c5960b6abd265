// Answers to everybody from one artefact: most scores are never computed, and nobody can tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "estimate/circles.h"
#include "hushwalk/answer.h"
#include "hushwalk/error.h"
#include "mechanism/circles.h"
#include "mechanism/links.h"
#include "noise/keyed_noise.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/hwg.h"
#include "support/seeded.h"
#include "support/seeded_key.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using testing::Seeded;

// Groups that are linked inside, nodes of very different degrees, and two without links.
Graph uneven_groups(std::size_t groups, std::size_t size) {
  Seeded random(11);
  const auto nodes = static_cast<Node>(groups * size);
  std::vector<std::pair<Node, Node>> edges;
  for (Node a = 0; a < nodes; ++a)
    for (Node b = 0; b < a; ++b) {
      const double popular = 1.0 / (1 + a % 7) + 1.0 / (1 + b % 7);
      if (random.uniform() < (a / size == b / size ? 0.8 : 0.03) * std::sqrt(popular))
        edges.emplace_back(b, a);
    }
  return testing::make_graph(nodes + 2, edges);
}

std::vector<Listing> listings(const Graph& graph) {
  std::vector<Node> third;
  for (Node v = 0; v < graph.nodes(); v += 3) third.push_back(v);
  return {{.top = 1},
          {.top = 10},
          {.top = 10, .exclude_neighbors = true},
          {.top = graph.nodes()},
          {.top = 7, .candidates = third},
          {.top = 1000, .exclude_neighbors = true, .candidates = third},
          {.top = 5, .candidates = std::vector<Node>{}}};
}

std::vector<SeedVector> some_seeds(const Graph& graph) {
  std::vector<SeedVector> seeds;
  for (Node v = 0; v < graph.nodes(); v += 17) seeds.emplace_back(v);
  seeds.emplace_back(static_cast<Node>(graph.nodes() - 1));  // has no links
  seeds.push_back(SeedVector::weighted({{0, 1}, {3, 2}, {50, 1}}));
  return seeds;
}

void expect_same(const std::vector<RankedNode>& found, const std::vector<RankedNode>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].node, expected[i].node) << i;
    EXPECT_EQ(found[i].score, expected[i].score) << i;
    EXPECT_EQ(found[i].noise, expected[i].noise) << i;
    EXPECT_EQ(found[i].range, expected[i].range) << i;
  }
}

// The same nodes, scores and noise, byte for byte, as when all scores are made and the best are taken.
void expect_lists_the_best(const std::string& mechanism, double epsilon, const Diffusion& diffusion) {
  const Graph graph = uneven_groups(4, 40);
  const SharedArtefact artefact = SharedArtefact::make(
      graph, {.mechanism = mechanism, .scope = Scope::edge, .epsilon = Epsilon(epsilon)});
  const std::vector<SeedVector> seeds = some_seeds(graph);
  for (const Scope scope : {Scope::personalized, Scope::edge}) {
    ReleaseParameters answers{.scope = scope, .diffusion = diffusion};
    answers.rankings = seeds.size();
    answers.seeds_per_ranking = 3;
    const Plan plan = artefact.plan_for(graph.facts(), answers);
    const std::vector<PrivateScores> scores = artefact.answer(plan, graph, seeds);
    for (const Listing& listing : listings(graph)) {
      if (scope == Scope::edge && listing.exclude_neighbors) continue;  // refused by check_request()
      const auto found = artefact.list(plan, graph, listing)->best(seeds);
      for (std::size_t i = 0; i < seeds.size(); ++i)
        expect_same(found[i], listed_nodes(graph, seeds[i], scores[i], listing));
    }
  }
}

TEST(Everybody, GetsTheBestNodesOfAllScoresFromShared) {
  for (const double epsilon : {0.001, 0.1, 3.0}) expect_lists_the_best("shared", epsilon, Diffusion::ppr());
}

TEST(Everybody, GetsTheBestNodesOfAllScoresFromCircles) {
  for (const double epsilon : {0.1, 0.5, 2.0}) expect_lists_the_best("circles", epsilon, Diffusion::ppr());
}

// Then the order of the background is turned round, or means nothing.
TEST(Everybody, GetsTheBestNodesOfDiffusionsWithNegativeSteps) {
  const Diffusion turned = Diffusion::custom({{1, 0, 0}, {-0.5, 0, 1.5}}),
                  first_step_only = Diffusion::custom({{1, 0, 0}});
  for (const char* mechanism : {"shared", "circles"})
    for (const Diffusion& diffusion : {turned, first_step_only})
      expect_lists_the_best(mechanism, 2, diffusion);
}

// Where there are rows, which graphs of a test seldom get by themselves.
TEST(CirclesRanking, ListsTheBestOfAllScores) {
  Seeded random(4);
  std::vector<std::pair<Node, Node>> edges;
  for (Node a = 0; a < 200; ++a)
    for (Node b = 0; b < a; ++b)
      if (random.uniform() < (a / 40 == b / 40 ? 0.8 : 0.02)) edges.emplace_back(b, a);
  const Graph graph = testing::make_graph(200, edges);
  const CirclesDesign design = accounting::circles_design(graph.nodes(), Epsilon(6), 8, 1);
  KeyedNoise noise(testing::seeded_key(3));
  const CirclesNumbers numbers = release_circles(CirclesNoise(design), graph, noise);
  ASSERT_EQ(numbers.branch, CirclesBranch::rows);
  const CirclesModel model(design, numbers);
  const Series theta{.one = 0.22, .two = 0.15, .rest = 0.3}, turned{.one = 0.22, .two = 0.15, .rest = -0.3};
  for (const Series& series : {theta, turned})
    for (const Listing& listing : listings(graph)) {
      const CirclesRanking ranking(model, series, listing);
      for (Node s = 0; s < graph.nodes(); s += 7) {
        const OwnLinks own = own_links(graph, s);
        std::vector<Node> excluded{s};
        if (listing.exclude_neighbors) excluded.insert(excluded.end(), own.near.begin(), own.near.end());
        std::vector<RankedNode> expected;
        for (const Ranked& one :
             top_k(model.answer(s, &own, series), listing.top, excluded, listing.candidates))
          expected.push_back({one.node, one.score});
        expect_same(ranking.best(s, &own), expected);
      }
    }
}

// Answers are made of the released numbers, and of nothing before their noise.
TEST(Everybody, GetsScoresOfTheNumbersThatAreReleased) {
  const Graph graph = uneven_groups(4, 40);
  const std::vector<SeedVector> seeds = some_seeds(graph);
  for (const char* mechanism : {"shared", "circles"}) {
    ReleaseParameters asked{.mechanism = mechanism, .epsilon = Epsilon(1)};
    asked.rankings = seeds.size();
    asked.seeds_per_ranking = 3;
    const Plan plan = make_plan(graph.facts(), asked);
    KeyedNoise noise(testing::seeded_key(5));
    const auto release = find_mechanism(mechanism).start(plan, graph, noise, {});
    const std::vector<Columns> numbers = release->numbers(seeds, 0, {});
    const std::vector<PrivateScores> answers = release->answer(seeds, 0, {});
    for (std::size_t i = 0; i < seeds.size(); ++i)
      EXPECT_EQ(answers[i].scores, release->scores(numbers[i], seeds[i]).scores) << mechanism;
  }
}

// Answers read single rows, of which none is wrong by itself.
TEST(Everybody, GetsNothingFromAGraphFileThatIsNotSymmetric) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder / "g.hwg";
  const Graph graph = testing::path4();
  graph.save(file);
  std::string bytes = testing::read_all(file);
  testing::store<std::uint32_t>(bytes, testing::hwg_section(bytes, 1) + 16,
                                3);  // row 2 is {3}, row 3 still {1}
  testing::set_checksums(bytes);
  testing::write_all(file, bytes);
  const Graph crafted = Graph::open(file);
  for (const char* mechanism : {"shared", "circles"}) {
    const auto artefact = SharedArtefact::make(graph, {.mechanism = mechanism, .scope = Scope::edge});
    const Plan plan = artefact.plan_for(crafted.facts(), {});
    const std::vector<SeedVector> seeds{SeedVector(0)};
    EXPECT_THROW(artefact.answer(plan, crafted, seeds), Error);
    EXPECT_THROW(artefact.list(plan, crafted, {}), Error);
  }
}

// A run that is stopped may be taken up again only where nothing is drawn a second time.
TEST(Everybody, IsTakenUpAgainUnderALedgerOrFromAnArtefactOnly) {
  const Graph graph = uneven_groups(2, 20);
  AnswerRequest request{.seeds = {SeedVector(1)}};
  EXPECT_THROW(CheckedRequest(graph, request).digest(), Error);
  request.exact = true;
  EXPECT_THROW(CheckedRequest(graph, request).digest(), Error);
  request.exact = false;
  const auto artefact = [&] {
    return std::make_shared<const SharedArtefact>(
        SharedArtefact::make(graph, {.mechanism = "shared", .scope = Scope::edge, .epsilon = Epsilon(1)}));
  };
  request.artefact = artefact();
  const std::string first = CheckedRequest(graph, request).digest();
  EXPECT_EQ(CheckedRequest(graph, request).digest(), first);
  const auto differs = [&](auto change) {
    AnswerRequest other = request;
    change(other);
    EXPECT_NE(CheckedRequest(graph, other).digest(), first);
  };
  differs([&](AnswerRequest& other) { other.artefact = artefact(); });
  differs([](AnswerRequest& other) { other.seeds = {SeedVector(2)}; });
  differs([](AnswerRequest& other) { other.top = 11; });
  differs([](AnswerRequest& other) { other.top.reset(); });
  differs([](AnswerRequest& other) { other.candidates = std::vector<Node>{}; });
  differs([](AnswerRequest& other) { other.exclude_neighbors = true; });
  differs([](AnswerRequest& other) { other.to_be_signed = true; });
  differs([](AnswerRequest& other) { other.release.scope = Scope::edge; });
  differs([](AnswerRequest& other) { other.release.diffusion = Diffusion::heat(2, 10); });
}

// Values that differ by a bit give equal scores, and then ids decide.
TEST(SharedRanking, BreaksTiesOfScoresByIdsWhereValuesDiffer) {
  std::vector<double> values(64);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 127 + std::ldexp(static_cast<double>(i * 7 % 5), -46);
  const Series theta{.zero = 0, .one = 0.3, .two = 0.2, .rest = 0.1};
  const SharedScores scores({values, 1e-9}, theta);
  for (Node s = 2; s < 17; ++s)
    for (const std::uint64_t top : {1U, 3U, 9U, 20U, 63U}) {
      const SeedVector seed(s);
      const OwnLinks own{{1, 17, 30}, {0.1, 0.2, 0}};
      const SharedRanking ranking(scores, {.top = top});
      const std::vector<Node> excluded{s};
      const std::vector<Ranked> expected = top_k(scores.all(seed, &own).scores, top, excluded);
      const std::vector<RankedNode> found = ranking.best(seed, &own);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_EQ(found[i].node, expected[i].node) << s << ' ' << i;
    }
}

// By the formula, one term after the other.
TEST(SharedScores, AreTheFormulaOfTheNote) {
  Seeded random(3);
  std::vector<double> values(200);
  for (double& value : values) value = 30 * random.uniform();
  const Series theta{.zero = 0, .one = 0.3, .two = 0.2, .rest = 0.1};
  const double b = 3, n = 200;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / n;
  const double slope = 1 - 2 * b * b * (1 + 2 * std::sqrt(5 / n)) / variance;
  const SeedVector seed(7);
  double sum = 0;
  for (Node v = 0; v < values.size(); ++v)
    if (v != 7) sum += mean + slope * (values[v] - mean);
  const Estimate found = SharedScores({values, b}, theta).all(seed, nullptr);
  for (Node v = 0; v < values.size(); ++v) {
    if (v == 7) continue;
    EXPECT_NEAR(found.scores[v], 0.3 * (mean + slope * (values[v] - mean)) / sum, 1e-15);
  }
  EXPECT_EQ(found.scores[7], 0);
}

// What is left of the sum is right even where a seed has nearly all of it.
TEST(SharedScores, LoseNothingToASeedThatHasNearlyEverything) {
  Seeded random(8);
  std::vector<double> values(1000);
  for (double& value : values) value = 1 + random.uniform();
  values[4] = 1e9;
  const Series theta{.zero = 0, .one = 0, .two = 0.5, .rest = 0.5};
  const std::vector<double> found = SharedScores({values, 1e-12}, theta).all(SeedVector(4), nullptr).scores;
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1, 1e-14);
}

}  // namespace
}  // namespace hushwalk
