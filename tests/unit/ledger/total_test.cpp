// What a ledger lets through, and what it charges for it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(Total, TenTenthsFillOneAndTheEleventhIsRefused) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  std::vector<std::vector<double>> first;
  for (Node seed = 0; seed < 10; ++seed) first.push_back(ledger.scores(asked({seed}, 0.1)));
  EXPECT_EQ(ledger.spent(), 1);
  expect_refused([&] { ledger.release(asked({10}, 0.1)); }, "0 is left");
  expect_refused([&] { ledger.release(asked({10}, 0.001)); }, "Nothing more fits");
  for (Node seed = 0; seed < 10; ++seed) EXPECT_EQ(ledger.scores(asked({seed}, 0.1)), first[seed]);
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Total, ARefusalSaysWhatItWouldCostWhatIsLeftAndWhatWouldFit) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.7));
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked({1, 2}, 0.2)); }, &message), ErrorCode::refused);
  EXPECT_THAT(message, HasSubstr("would cost 0.4 for 2 new releases"));
  EXPECT_THAT(message, HasSubstr("0.3 is left"));
  EXPECT_THAT(message, HasSubstr("`epsilon 0.15` for each would fit"));
  ledger.release(asked({1, 2}, 0.15));
}

TEST(Total, AReleaseOfLessThanAUnitIsRefused) {
  TestLedger ledger;
  expect_refused([&] { ledger.release(asked({0}, 9e-10)); }, "smallest unit");
  EXPECT_EQ(ledger.spent(), 0);
}

TEST(Total, SeveralSeedsAreAllChargedOrNone) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.25));
  expect_refused([&] { ledger.release(asked({0, 1, 2, 3, 4}, 0.25)); }, "for 4 new releases");
  EXPECT_EQ(ledger->state().total.releases, 1);
  ledger.release(asked({0, 1, 2, 3}, 0.25));  // the first of them is free
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Total, EverySeedOfABatchIsTheSameAloneAndInAnotherBatch) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto batch = asked({3, 1}, 0.25);
  const auto three = ledger.scores(batch, 0), one = ledger.scores(batch, 1);
  EXPECT_NE(three, one);
  EXPECT_EQ(ledger.scores(asked({1}, 0.25)), one);
  EXPECT_EQ(ledger.scores(asked({1, 2, 3}, 0.25), 2), three);
  EXPECT_EQ(ledger.scores(asked({3, 3}, 0.25), 1), three);
  EXPECT_EQ(ledger.spent(), 0.75);
}

TEST(Total, AutoWithAnotherNumberOfRankingsFindsTheSameAnswer) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  auto one = asked({0}, 0.25), two = asked({0, 1}, 0.25);
  one.release.mechanism = two.release.mechanism = "auto";
  const auto scores = ledger.scores(one);
  EXPECT_EQ(ledger.scores(asked({0}, 0.25)), scores);  // what it resolved to
  EXPECT_EQ(ledger.scores(two), scores);
  EXPECT_EQ(ledger.spent(), 0.5);
}

TEST(Total, AQuoteChargesNothingAndSaysWhatWouldBeCharged) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.25));
  const std::string head = ledger->state().head;
  const LedgerQuote fits = ledger->quote(ledger.graph(), asked({0, 1}, 0.25));
  EXPECT_EQ(fits.rankings, 2U);
  EXPECT_EQ(fits.for_custodian.new_releases, 1U);
  EXPECT_EQ(fits.for_custodian.epsilon, 0.25);
  EXPECT_EQ(fits.for_custodian.spent_before, 0.25);
  EXPECT_EQ(fits.for_custodian.total.spent, 0.5);
  EXPECT_EQ(fits.refusal, "");
  const LedgerQuote refused = ledger->quote(ledger.graph(), asked({1}, 0.8));
  EXPECT_EQ(refused.refusal,
            "the total budget does not hold this; questions that were answered before cost nothing");
  EXPECT_THAT(refused.for_custodian.refusal, HasSubstr("would cost 0.8"));  // what others have asked shows
  EXPECT_THAT(refused.for_custodian.refusal, HasSubstr("0.25 is spent"));
  EXPECT_EQ(ledger->quote(ledger.graph(), asked({0}, 0.25)).for_custodian.new_releases, 0U);
  EXPECT_EQ(ledger->state().head, head);
}

TEST(Total, OfAnotherGraphIsNotTouched) {
  TestLedger ledger;
  const Graph other = path4();
  expect_refused([&] { LedgerRanker(*ledger, other, asked({0}, 0.1)); }, "not of this graph");
  EXPECT_EQ(ledger.spent(), 0);
}

TEST(Total, CarriesOverToANewSnapshot) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.75, "ann"));
  const Graph later = karate();
  ledger->add_snapshot(later.facts());
  EXPECT_EQ(error_of([&] { ledger->add_snapshot(later.facts()); }), ErrorCode::usage);
  expect_refused([&] { LedgerRanker(*ledger, later, asked({0}, 0.75, "ann")); }, "0.25 is left");
  expect_refused([&] { LedgerRanker(*ledger, later, asked({0}, 0.25, "bob")); }, "belong to 'ann'");
  const LedgerRanker ranker(*ledger, later, asked({0}, 0.25, "ann"));
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger->state().graph_ids.size(), 2U);
  ledger.scores(asked({0}, 0.75, "ann"));  // the old snapshot still has its answers
  EXPECT_TRUE(ledger.intact());
}

}  // namespace
}  // namespace hushwalk
