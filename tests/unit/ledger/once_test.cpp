// What ARCHITECTURE.md says of the walk of `rank`, under a ledger: nothing is walked twice.
#include <gtest/gtest.h>

#include "hushwalk/answer.h"
#include "hushwalk/timings.h"
#include "mechanism/mechanism.h"
#include "mechanism/seed_by_seed.h"
#include "noise/discrete_laplace.h"
#include "plan/planner.h"
#include "support/graphs.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

int plans = 0, estimates = 0;  // what is registered outlives a test

// `twohop` under another name: it fills in parameters that were left open.
class CountedPlanner final : public Planner {
 public:
  std::string name() const override { return "counted"; }
  ParameterUse uses() const override { return two_hop_->uses(); }
  void complete(Plan& plan) const override {
    ++plans;
    two_hop_->complete(plan);
  }
  PrivacyCost cost(const Plan& plan) const override { return two_hop_->cost(plan); }
  PlanWork work(const Plan& plan) const override { return two_hop_->work(plan); }

 private:
  std::unique_ptr<Planner> two_hop_ = two_hop_planner();
};

class CountedRelease final : public SeedBySeed {
 public:
  using SeedBySeed::SeedBySeed;
  double scale(const SeedVector&, std::size_t, Node) const override { return 1e6; }

 protected:
  Columns noisy(const SeedVector&, const OwnLinks&, NoiseSource& noise) const override {
    Column column(graph_.nodes());
    draw_by_address(noise, NoiseKind::outside, 0, DiscreteLaplace(1e6), 0, column);
    return {column};
  }
  PrivateScores estimate(const Columns& columns, const SeedVector&, OwnLinks) const override {
    ++estimates;
    return {std::vector<double>(columns.front().begin(), columns.front().end())};
  }
};

class CountedMechanism final : public Mechanism {
 public:
  std::unique_ptr<Release> start(const Plan&, const Graph& graph, NoiseSource& noise,
                                 const Progress&) const override {
    return std::make_unique<CountedRelease>(graph, noise);
  }
};

class UnderALedger : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    add_planner(std::make_unique<CountedPlanner>());
    add_mechanism("counted", std::make_unique<CountedMechanism>());
  }

  // As the verb `rank` asks, with advice before anything is charged, and a certificate behind it.
  void rank_two() {
    plans = estimates = 0;
    AnswerRequest request{.seeds = {Node{1}, Node{2}}, .release = {.mechanism = "counted"}};
    request.audience.ledger = std::make_shared<Ledger>(made_.path());
    CheckedRequest question(made_.graph(), request);
    ASSERT_TRUE(question.plan() && question.plan()->parameters.taper);  // filled in
    AnswerSource source = ask(std::move(question));
    source.each([](const Ranking&) {});
    EXPECT_TRUE(source.certificate());
    EXPECT_EQ(estimates, 2);
  }

  testing::TestLedger made_{{.epsilon = Epsilon(10)}};
};

TEST_F(UnderALedger, AQuestionThatLeavesParametersOpenIsPlannedOnce) {
  rank_two();
  EXPECT_EQ(plans, 1);
}

TEST_F(UnderALedger, AQuestionThatWasAskedBeforeIsPlannedOnce) {
  rank_two();
  rank_two();
  EXPECT_EQ(plans, 1);
}

// Without advice all that is read is the plan that was charged.
TEST_F(UnderALedger, AnAnswerThatIsShownAgainIsReadByOnePlan) {
  rank_two();
  Ledger again(made_.path());
  LedgerRequest request = testing::asked({1}, 1);
  request.release = {.mechanism = "counted"};
  plans = 0;
  const LedgerCharge charge = again.charge(made_.graph(), request);
  again.rankings(charge, made_.graph(), 0, 1, {});
  again.certificate(charge, {});
  EXPECT_EQ(plans, 1);
}

std::uint64_t look_ups() {
  for (const PhaseTime& phase : recorded_timings())
    if (phase.name == "looking up own links") return phase.times;
  return 0;
}

TEST_F(UnderALedger, OwnLinksAreLookedUpOnceForEachSeed) {
  record_timings();
  for (const char* mechanism : {"twohop", "frontier", "counted"}) {
    AnswerRequest request{.seeds = {Node{1}, Node{2}}, .release = {.mechanism = mechanism}};
    request.audience.ledger = std::make_shared<Ledger>(made_.path());
    request.exclude_neighbors = mechanism != std::string("counted");
    const std::uint64_t before = look_ups();
    AnswerSource source = ask(made_.graph(), request);
    source.each([](const Ranking&) {});
    EXPECT_EQ(look_ups() - before, 2U) << mechanism;
  }
}

TEST(OwnLinks, AreLookedUpOnceForEachSeedWithoutALedgerAndFromAnArtefact) {
  record_timings();
  const Graph graph = testing::karate();
  const auto looked_up = [&](AnswerRequest request) {
    request.seeds = {Node{1}, Node{2}};
    request.exclude_neighbors = true;
    const std::uint64_t before = look_ups();
    AnswerSource source = ask(graph, request);
    source.each([](const Ranking&) {});
    return look_ups() - before;
  };
  EXPECT_EQ(looked_up({.release = {.mechanism = "twohop"}}), 2U);
  EXPECT_EQ(looked_up({.exact = true}), 2U);
  for (const char* mechanism : {"shared", "circles"}) {
    const ShareRequest share_request{.release = {.mechanism = mechanism, .scope = Scope::edge}};
    const auto artefact = std::make_shared<const SharedArtefact>(share(graph, share_request).artefact);
    EXPECT_EQ(looked_up({.artefact = artefact}), 2U) << mechanism;
  }
}

}  // namespace
}  // namespace hushwalk
