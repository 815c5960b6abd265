// Releases: what they find with little noise, that nothing but the plan and the source decides, and that a
// plan's rankings are counted.
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/sha256.h"
#include "hushwalk/error.h"
#include "hushwalk/generate.h"
#include "hushwalk/threads.h"
#include "mechanism/mechanism.h"
#include "plan/planner.h"
#include "support/arbitrary.h"
#include "support/seeded_key.h"
#include "support/slow_diffusion.h"

namespace hushwalk {
namespace {

Plan plan_for(const Graph& graph, const std::string& mechanism, double epsilon = 1,
              Scope scope = Scope::personalized) {
  ReleaseParameters request;
  request.mechanism = mechanism;
  request.epsilon = Epsilon(epsilon);
  request.scope = scope;
  request.rankings = 100;
  request.seeds_per_ranking = std::min<std::uint64_t>(graph.nodes(), 4);
  if (find_planner(mechanism).uses().eta) {
    request.diffusion = Diffusion::ppr(0.8, 7);
    request.eta = Eta(1e-3);
  }
  return make_plan(graph.facts(), request);
}

std::vector<std::vector<double>> scores(const Plan& plan, const Graph& graph, std::vector<SeedVector> seeds) {
  KeyedNoise noise(testing::seeded_key(7));
  std::vector<std::vector<double>> result;
  for (const PrivateScores& answer :
       find_mechanism(plan.parameters.mechanism).start(plan, graph, noise, {})->answer(seeds, 0, {}))
    result.push_back(answer.scores);
  return result;
}

RC_GTEST_PROP(Release, DoesNotDependOnThreadsOrGrouping, ()) {
  const Graph graph = testing::arbitrary_graph(40);
  const std::string mechanism = *rc::gen::elementOf(mechanism_names());
  const Plan plan = plan_for(graph, mechanism, *rc::gen::element(0.2, 1.0));  // both forms of twohop
  std::vector<SeedVector> seeds;
  for (int i = *rc::gen::inRange(1, 12); i > 0; --i) seeds.push_back(testing::arbitrary_seeds(graph));
  const auto together = scores(plan, graph, seeds);
  const ThreadLimit one_thread(1);
  RC_ASSERT(scores(plan, graph, seeds) == together);
  KeyedNoise noise(testing::seeded_key(7));
  const auto release = find_mechanism(mechanism).start(plan, graph, noise, {});
  for (std::size_t i = 0; i < seeds.size(); ++i)
    RC_ASSERT(release->answer(std::span(&seeds[i], 1), i, {}).front().scores == together[i]);
}

std::vector<Columns> numbers(const Plan& plan, const Graph& graph, const std::vector<SeedVector>& seeds) {
  KeyedNoise noise(testing::seeded_key(7));
  return find_mechanism(plan.parameters.mechanism).start(plan, graph, noise, {})->numbers(seeds, 0, {});
}

// Two pieces of the node list, two of the pairs.
TEST(Release, IsTheSameForAnyNumberOfThreads) {
  const Graph large = generate("chung-lu", {.nodes = 70'000, .edges = 100'000}),
              small = generate("chung-lu", {.nodes = 4'000, .edges = 10'000});
  for (const char* mechanism : {"paper", "output", "twohop", "frontier", "shared", "circles", "edgeflip"}) {
    const Graph& graph = std::string(mechanism) == "edgeflip" ? small : large;
    const Plan plan = plan_for(graph, mechanism, 3);
    std::vector<std::vector<Columns>> found;
    for (const int threads : {1, 2, 7}) {
      const ThreadLimit limit(threads);
      found.push_back(numbers(plan, graph, {SeedVector(5)}));
    }
    EXPECT_EQ(found[0], found[1]) << mechanism;
    EXPECT_EQ(found[0], found[2]) << mechanism;
  }
}

TEST(Release, IsTheSameForEverySimdTarget) {
  const Graph graph = generate("chung-lu", {.nodes = 2'000, .edges = 20'000});
  const std::vector<SeedVector> seeds = {Node{0}, Node{1}, Node{2}, Node{3}, Node{4},
                                         Node{5}, Node{6}, Node{7}, Node{8}};
  for (const char* mechanism :
       {"paper", "output", "pushflow", "twohop", "frontier", "shared", "circles", "edgeflip"}) {
    const Plan plan = plan_for(graph, mechanism);
    const auto expected = numbers(plan, graph, seeds);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      EXPECT_EQ(numbers(plan, graph, seeds), expected) << mechanism << ' ' << hwy::TargetName(target);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
}

std::string text_of(const Columns& columns) {
  std::string text;
  for (const auto& column : columns)
    for (const std::int64_t number : column) text += std::to_string(number) + ' ';
  return text;
}

// What release_arithmetic_version stands for. When a number differs, releases that were made can no longer be
// made again: it needs another version, of that mechanism too. (Of `frontier` below an epsilon of 0.4 the
// plan is another one now, decision 28, and an old plan is never released by.)
TEST(ReleaseArithmetic, GivesTheNumbersOfItsVersion) {
  static_assert(release_arithmetic_version == 2);
  const Graph graph = testing::karate();
  const std::map<std::string, std::string> expected = {
      {"paper", "cb524eb8c707c9a11890665f274e3b32b847780e8506faac6d12d56c25752aac"},
      {"output", "9347af4165874332aa965c79119040e5c59f49dfb7415e4b572536f178a48b0e"},
      {"pushflow", "ef4caa675f49164b3f9d692848a1de1cc548e0ef43ebc3f0a393072d8cff6bc6"},
      {"twohop", "2ad5ee5439f8d8c48b9a6f33455ef846635481993fac0a0ab70aa759430c36f7"},
      {"frontier", "5448ead5c621876aef2c3b18b77901ceba853bd73656e56b55d03da96f0cc544"},
      {"circles", "bcbfda2d0ad7686706a1434be3e9c309b33e4e23ea65edee51adb5c282addf46"},
      {"shared", "352a38b6ff96ee1ed4991aaa1d36b3d35090ec1cf5d944e66f544a4f6b0e421a"},
      {"edgeflip", "029c1cf9cabd9e4932ae43503fdd071036d1ab6ceb639bfba84c8823805bb17b"}};
  for (const auto& [mechanism, digest] : expected) {
    std::string text;
    for (const double epsilon : {0.25, 1.0}) {
      Plan plan = plan_for(graph, mechanism, epsilon);
      EXPECT_EQ(find_planner(mechanism).release_arithmetic(plan), mechanism == "circles" ? 2 : 1);
      // Plans are made with libm; what is released for a given plan is not.
      if (plan.parameters.background) plan.parameters.background = 0.125;
      for (NoiseUse& use : plan.noise)
        use.lattice_scale = mechanism.starts_with("edgeflip") ? 1.75 : 0x1.23456789abcdep33;
      for (const Columns& columns : numbers(plan, graph, {SeedVector(0), SeedVector(33)}))
        text += text_of(columns);
    }
    EXPECT_EQ(sha256_hex(text), digest) << mechanism;
  }
}

// The karate club is too sparse for rows.
TEST(ReleaseArithmetic, GivesTheRowsOfItsVersion) {
  const Graph graph = testing::four_groups();
  const Columns columns = numbers(plan_for(graph, "circles", 4), graph, {0}).front();
  EXPECT_EQ(columns.rbegin()[1].front(), 2) << "the branch with rows";
  EXPECT_EQ(columns.back().front(), 6) << "clusters";
  EXPECT_EQ(sha256_hex(text_of(columns)), "1ea71705f93ae06db12cabbe1aa1e3e6246f12a934f664de35262bc548ba3f21");
}

TEST(ReleaseArithmetic, OfCirclesWithoutRowsIsThatOfShared) {
  const Graph graph = testing::karate();
  for (const double epsilon : {0.05, 0.2}) {
    const Plan circles = plan_for(graph, "circles", epsilon), shared = plan_for(graph, "shared", epsilon);
    EXPECT_EQ(find_planner("circles").release_arithmetic(circles), 2);  // it was plain degrees before
    EXPECT_EQ(circles.noise, shared.noise);
    EXPECT_EQ(circles.parameters.taper, shared.parameters.taper);
    EXPECT_EQ(numbers(circles, graph, {SeedVector(0)}), numbers(shared, graph, {SeedVector(0)}));
    EXPECT_EQ(scores(circles, graph, {SeedVector(0)}), scores(shared, graph, {SeedVector(0)}));
  }
}

TEST(Release, DrawsFreshNoiseForEveryAnswerButFromOneArtefact) {
  const Graph graph = testing::karate();
  for (const std::string& mechanism : mechanism_names()) {
    const Plan plan = plan_for(graph, mechanism);
    const auto found = scores(plan, graph, {SeedVector(0), SeedVector(0)});
    EXPECT_EQ(found[0] == found[1], plan.one_artefact()) << mechanism;
    EXPECT_EQ(plan.one_artefact(),
              mechanism == "shared" || mechanism == "circles" || mechanism.starts_with("edgeflip"));
  }
}

TEST(Release, WithLittleNoiseFindsWhatTheMechanismWouldFindWithout) {
  const Graph graph = testing::karate();
  const Plan plan = plan_for(graph, "output", 1e5);
  const auto exact = testing::slow_diffuse(graph, plan.parameters.diffusion, SeedVector(0),
                                           Clip{plan.parameters.eta->value()});
  const auto found = scores(plan, graph, {SeedVector(0)})[0];
  for (Node v = 0; v < graph.nodes(); ++v) EXPECT_NEAR(found[v], exact[v], 1e-5);
}

TEST(Release, AnIsolatedSeedGetsAnOrdinaryAnswer) {
  const Graph graph = testing::make_graph(5, {{1, 2}, {2, 3}});
  for (const std::string& mechanism : mechanism_names()) {
    const auto found = scores(plan_for(graph, mechanism), graph, {SeedVector(0)})[0];
    ASSERT_EQ(found.size(), 5U) << mechanism;
    for (const double score : found) EXPECT_TRUE(std::isfinite(score)) << mechanism;
    if (mechanism.starts_with("edgeflip"))
      EXPECT_EQ(found[1] + found[4], 0) << mechanism;  // no walk leaves a seed whose owner knows of no link
    else if (mechanism == "circles")
      EXPECT_NE(std::ranges::min(found), std::ranges::max(found)) << mechanism;  // whole numbers may be equal
    else
      EXPECT_NE(found[1], found[4]) << mechanism;  // noise, as for anyone
  }
  EXPECT_EQ(
      scores(plan_for(testing::make_graph(1, {}), "twohop"), testing::make_graph(1, {}), {SeedVector(0)})
          .front()
          .size(),
      1U);
}

TEST(PrivateRanker, CountsItsRankings) {
  const Graph graph = testing::karate();
  PrivateRanker ranker(graph, {.rankings = 2});
  EXPECT_EQ(ranker.answer(SeedVector(0)).scores.size(), 34U);
  EXPECT_THROW(ranker.answer(std::vector<SeedVector>{SeedVector(1), SeedVector(2)}), Error);
  ranker.answer(SeedVector(1));
  EXPECT_THROW(ranker.answer(SeedVector(2)), Error);
}

// However many are asked for at a time, each has an address of its own: the same twice would be refused.
TEST(PrivateRanker, AnswersGroupsOfAnySize) {
  const std::vector<SeedVector> seeds(4, SeedVector(0));
  PrivateRanker ranker(testing::karate(), {.mechanism = "twohop", .rankings = 20});
  for (const std::size_t size : {4, 1, 4, 1, 3, 2, 4, 1})
    EXPECT_EQ(ranker.answer(std::span(seeds).first(size)).size(), size);
}

TEST(PrivateRanker, RefusesSeedsThatDoNotFit) {
  PrivateRanker ranker(testing::karate(), {});
  EXPECT_THROW(ranker.answer(SeedVector(34)), Error);
  EXPECT_THROW(ranker.answer(SeedVector::weighted({{0, 1}, {1, 1}})), Error);
}

TEST(PrivacyCost, OfAPlanWithLessNoiseIsRefused) {
  const Graph graph = testing::karate();
  for (const std::string& mechanism : mechanism_names()) {
    Plan plan = plan_for(graph, mechanism);
    EXPECT_NO_THROW(privacy_cost(plan));
    plan.noise.front().lattice_scale *= mechanism.starts_with("edgeflip") ? 2 : 0.5;  // longer skips
    EXPECT_THROW(privacy_cost(plan), Error) << mechanism;
  }
}

TEST(PrivateRanker, NeverRepeatsItsNoise) {
  const Graph graph = testing::karate();
  EXPECT_NE(PrivateRanker(graph, {}).answer(SeedVector(0)).scores,
            PrivateRanker(graph, {}).answer(SeedVector(0)).scores);
}

}  // namespace
}  // namespace hushwalk
