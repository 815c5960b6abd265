// What ARCHITECTURE.md says of the walk of `rank`, under a ledger: nothing is walked twice.
#include <gtest/gtest.h>

#include "hushwalk/answer.h"
#include "mechanism/mechanism.h"
#include "mechanism/seed_by_seed.h"
#include "noise/discrete_laplace.h"
#include "plan/planner.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

int plans = 0, estimates = 0, looked_up_again = 0;  // what is registered outlives a test

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
  PrivateScores scores(const Columns& columns, const SeedVector& seed) const override {
    ++looked_up_again;
    return SeedBySeed::scores(columns, seed);
  }

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
    plans = estimates = looked_up_again = 0;
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

TEST_F(UnderALedger, OwnLinksAreLookedUpOnceForEachSeed) {
  rank_two();
  EXPECT_EQ(looked_up_again, 0);
}

}  // namespace
}  // namespace hushwalk
