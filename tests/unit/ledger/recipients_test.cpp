// Who owns a seed, and who pays.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(Owner, OfASeedIsItsIdUnlessAnotherNameComesFirst) {
  TestLedger ledger({.epsilon = Epsilon(10)});
  const auto scores = ledger.scores(asked({0}, 0.5));
  EXPECT_EQ(ledger.scores(asked({0}, 0.5, "1")), scores);
  expect_refused([&] { ledger.release(asked({0}, 0.5, "eve")); }, "belong to '1', not to 'eve'");
  expect_refused([&] { ledger.release(asked({0}, 0.25, "eve")); }, "belong to '1'");
  ledger.release(asked({1}, 0.5, "ann"));
  ledger.release(asked({1}, 0.5));  // its owner's
  expect_refused([&] { ledger.release(asked({1}, 0.5, "2")); }, "belong to 'ann'");
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  EXPECT_EQ(ledger.spent("1"), 0.5);
  EXPECT_EQ(ledger.spent(), 1);
}

TEST(Owner, IsNotRecordedByARefusedRequest) {
  TestLedger ledger({.epsilon = Epsilon(0.1)});
  expect_refused([&] { ledger.release(asked({0}, 0.5, "eve")); }, "would cost");
  ledger.release(asked({0}, 0.1, "ann"));
}

TEST(Owner, OfASeedSetMustBeNamedAndOwnAllSeeds) {
  TestLedger ledger({.epsilon = Epsilon(10)});
  LedgerRequest set = asked({}, 0.5);
  set.seeds.push_back(SeedVector::weighted({{0, 1}, {1, 1}}));
  EXPECT_EQ(error_of([&] { ledger.release(set); }), ErrorCode::usage);
  ledger.release(asked({1}, 0.5));
  set.recipient = "ann";
  expect_refused([&] { ledger.release(set); }, "seed '2' belong to '2'");
  set.recipient = "2";
  const auto scores = ledger.scores(set);
  EXPECT_EQ(ledger.scores(set), scores);
  expect_refused([&] { ledger.release(asked({0}, 0.5, "ann")); }, "belong to '2'");
}

TEST(Owner, IsNobodyInEdgeScope) {
  TestLedger ledger({.epsilon = Epsilon(10)});
  const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5));
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "eve")), scores);
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "ann")), scores);
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("eve"), 0.5);
}

TEST(Recipient, ASecondOneInEdgeScopePaysOnTheirOwnBudgetOnly) {
  TestLedger ledger({.epsilon = Epsilon(0.5), .per_recipient = Epsilon(0.5)});
  EXPECT_EQ(error_of([&] { ledger.release(asked_in_edge_scope(0, 0.5)); }), ErrorCode::usage);
  const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5, "ann"));
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "bob")), scores);
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("bob"), 0.5);
  ledger.release(asked_in_edge_scope(0, 0.5, "bob"));
  EXPECT_EQ(ledger.spent("bob"), 0.5);
}

TEST(Recipient, HasABudgetOfTheirOwn) {
  TestLedger ledger({.epsilon = Epsilon(10), .per_recipient = Epsilon(0.5)});
  ledger.release(asked({0, 1}, 0.25, "ann"));
  expect_refused([&] { ledger.release(asked({2}, 0.1, "ann")); }, "the budget of 'ann' is epsilon = 0.5");
  ledger.release(asked({2}, 0.5, "bob"));
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  EXPECT_TRUE(ledger.intact());
}

// Both ways in which a recipient hears that a question does not fit.
std::vector<std::string> refusals(TestLedger& ledger, const LedgerRequest& request) {
  std::vector<std::string> told{ledger->quote(ledger.graph(), request).refusal};
  try {
    ledger.release(request);
  } catch (const Error& error) {
    told.emplace_back(error.what());
  }
  return told;
}

TEST(Recipient, IsNotToldByARefusalWhatOthersHaveAsked) {
  const std::vector<LedgerTerms> all_terms{
      {.epsilon = Epsilon(1)},
      {.epsilon = Epsilon(2), .per_recipient = Epsilon(1)},
      {.epsilon = Epsilon(2), .period = PeriodTerms{.epsilon = Epsilon(1)}},
  };
  for (const LedgerTerms& terms : all_terms) {
    TestLedger ledger(terms);
    LedgerRequest batch = asked_in_edge_scope(0, 0.25, "bob");
    for (Node seed = 1; seed < 10; ++seed) batch.seeds.push_back(seed);
    const std::vector<std::string> before = refusals(ledger, batch);
    ASSERT_EQ(before.size(), 2U);
    EXPECT_THAT(before.front(), HasSubstr("does not hold this"));
    ledger.release(asked_in_edge_scope(7, 0.25, "ann"));
    EXPECT_EQ(refusals(ledger, batch), before);
    EXPECT_EQ(before.front(), before.back());
  }
}

TEST(Recipient, WhomTheirOwnBudgetRefusesIsToldOfThatWhateverIsLeftOfTheTotal) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(0.5)});
  const auto before = refusals(ledger, asked_in_edge_scope(0, 0.75, "bob"));
  EXPECT_THAT(before,
              ::testing::Each(HasSubstr("the budget of 'bob' is epsilon = 0.5, of which 0 is spent")));
  ledger.release(asked_in_edge_scope(1, 0.5, "ann"));
  EXPECT_EQ(refusals(ledger, asked_in_edge_scope(0, 0.75, "bob")), before);
}

TEST(Recipient, HasAPrintableName) {
  TestLedger ledger;
  for (const std::string& name : {std::string("\t"), std::string("a\nb"), std::string("\xff"),
                                  std::string(300, 'a'), std::string("ann "), std::string(" ann")})
    EXPECT_EQ(error_of([&] { ledger.release(asked({0}, 0.1, name)); }), ErrorCode::usage);
}

TEST(Recipient, IsNoSeedWithABlankAtAnEnd) {
  TestLedger ledger({}, Graph::from_edges(NodeList::names({everybody, "a", "b"}), {{0, 1}, {1, 2}}));
  expect_refused([&] { ledger.release(asked({0}, 0.25)); }, "blank at an end");
  EXPECT_EQ(ledger->state().published.spent, 0);
  ledger.release(asked({0}, 0.25, "ann"));
  EXPECT_EQ(ledger.spent("ann"), 0.25);
}

}  // namespace
}  // namespace hushwalk
