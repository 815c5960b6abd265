// Budgets with a delta.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(WithDelta, ManySmallReleasesCostLessThanTheirSum) {
  TestLedger ledger({.epsilon = Epsilon(0.5), .delta = Delta(1e-6)});
  for (int i = 0; i < 8; ++i) {
    std::vector<Node> seeds;
    for (Node seed = 0; seed < 34; ++seed) seeds.push_back(seed);
    ledger.release(asked(seeds, 0.002 + i * 1e-6));
  }
  EXPECT_LT(ledger.spent(), 0.5);
  const LedgerState state = ledger->state();
  EXPECT_EQ(state.total.releases, 8 * 34U);
  EXPECT_GT(*state.order, 1);
  double sum = 0;
  ledger->each_entry([&](const LedgerEntry& entry) { sum += entry.epsilon.value_or(0); });
  EXPECT_GT(sum, 0.54);
  EXPECT_TRUE(ledger.intact());
}

TEST(WithDelta, WhatARefusalSaysWouldFitFits) {
  TestLedger ledger({.epsilon = Epsilon(0.5), .delta = Delta(1e-6)});
  ledger.release(asked({0}, 0.4));
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked({1, 2, 3}, 0.5)); }, &message), ErrorCode::refused);
  const std::size_t at = message.find("`epsilon ");
  ASSERT_NE(at, std::string::npos) << message;
  ledger.release(asked({1, 2, 3}, std::stod(message.substr(at + 9))));
  EXPECT_LE(ledger.spent(), 0.5);
}

LedgerRequest asked_of_paper(const std::vector<Node>& seeds) {
  LedgerRequest request = asked(seeds, 0.1);
  request.release.mechanism = std::string("paper");
  request.release.delta = Delta(0.01);
  return request;
}

TEST(WithDelta, PaperWithItsOwnDeltaIsChargedItsPureEpsilonOrItsCurve) {
  const double pure = make_plan(karate().facts(), asked_of_paper({0}).release).guarantee.pure_epsilon;
  ASSERT_GT(pure, 0.2);
  TestLedger without({.epsilon = Epsilon(100)}), with({.epsilon = Epsilon(10), .delta = Delta(0.01)});
  without.release(asked_of_paper({0}));
  EXPECT_NEAR(without.spent(), pure, 2e-9);
  EXPECT_GE(without.spent(), pure);
  with.release(asked_of_paper({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
  EXPECT_LT(with.spent(), 20 * pure);
  std::vector<double> curve;
  with->each_entry([&](const LedgerEntry& entry) {
    if (entry.epsilon) curve = entry.rdp;
  });
  ASSERT_EQ(curve.size(), PrivacyCost::orders().size());
  EXPECT_NEAR(curve.back(), pure, 1e-9);
  EXPECT_LT(curve.front(), curve.back());
  EXPECT_TRUE(with.intact() && without.intact());
}

}  // namespace
}  // namespace hushwalk
