// Budgets for each period of time.
#include "ledger/periods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger_impl.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using std::chrono::days, std::chrono::hours, std::chrono::minutes;
using ::testing::HasSubstr, ::testing::Not;

TEST(Periods, OfDaysCountFromTheStart) {
  const ledger::Periods periods{1, 30, false, "2024-01-31T12:00:00Z"};
  EXPECT_EQ(periods.index("2024-01-31T12:00:00Z"), 0);
  EXPECT_EQ(periods.index("2024-01-01T00:00:00Z"), 0);  // a clock that was wrong
  EXPECT_EQ(periods.index("2024-03-01T11:59:59Z"), 0);  // over a leap day
  EXPECT_EQ(periods.index("2024-03-01T12:00:00Z"), 1);
  EXPECT_EQ(periods.begin(1), "2024-03-01T12:00:00Z");
  EXPECT_EQ(periods.index("2025-01-31T12:00:00Z"), 12);
}

TEST(Periods, OfMonthsBeginOnTheFirst) {
  const ledger::Periods periods{1, 0, false, "2023-12-31T23:59:59Z"};
  EXPECT_EQ(periods.index("2023-12-31T23:59:59Z"), 0);
  EXPECT_EQ(periods.index("2024-01-01T00:00:00Z"), 1);
  EXPECT_EQ(periods.index("2024-02-29T23:59:59Z"), 2);
  EXPECT_EQ(periods.index("2024-03-01T00:00:00Z"), 3);
  EXPECT_EQ(periods.begin(3), "2024-03-01T00:00:00Z");
  EXPECT_EQ(periods.begin(13), "2025-01-01T00:00:00Z");
}

// A century that is no leap year, and one that is; every day of four years belongs to one period.
TEST(Periods, GoOnOverEveryLeapDay) {
  const ledger::Periods month{1, 0, false, "2096-02-29T00:00:00Z"}, day{1, 1, false, "1999-12-31T00:00:00Z"};
  EXPECT_EQ(month.begin(48 + 1), "2100-03-01T00:00:00Z");
  EXPECT_EQ(month.index("2100-02-28T23:59:59Z"), 48);
  EXPECT_EQ(day.begin(60), "2000-02-29T00:00:00Z");
  EXPECT_EQ(day.begin(61), "2000-03-01T00:00:00Z");
  const ledger::Periods week{1, 7, false, "2023-12-31T00:00:00Z"};
  for (int i = 0; i < 4 * 366 + 7; ++i) {
    const std::string noon = ledger::time_text(ledger::time_of(week.start) + days(i) + hours(12));
    EXPECT_EQ(week.index(noon), i / 7) << noon;
    EXPECT_LE(week.begin(i / 7), noon);
    EXPECT_GT(week.begin(i / 7 + 1), noon);
  }
}

// A ledger whose clock is set by hand.
class WithPeriods : public ::testing::Test {
 protected:
  TestLedger made(const PeriodTerms& period, std::optional<Epsilon> epsilon = std::nullopt) {
    return TestLedger({.epsilon = epsilon, .period = period});
  }
  void set(TestLedger& ledger, std::chrono::system_clock::duration since) {
    ledger->impl().clock = [at = start_ + since] { return at; };
  }
  std::chrono::system_clock::time_point start_ = std::chrono::system_clock::now();
};

TEST_F(WithPeriods, EachHasItsOwnBudgetAndNothingIsCarriedOver) {
  TestLedger ledger = made({Epsilon(0.5), 30});
  ledger.release(asked({0}, 0.5));
  expect_refused([&] { ledger.release(asked({1}, 0.125)); }, "the budget of this period");
  set(ledger, days(31));
  ledger.release(asked({1}, 0.5));
  expect_refused([&] { ledger.release(asked({2}, 0.125)); }, "The next period begins on");
  set(ledger, days(93));
  expect_refused([&] { ledger.release(asked({2}, 0.75)); }, "`epsilon 0.5` would fit");
  ledger.release(asked({2}, 0.5));
  EXPECT_EQ(ledger.spent(), 1.5);
  EXPECT_TRUE(std::isinf(ledger->state().total.limit));
  EXPECT_EQ(ledger->state().period->index, 3);
  EXPECT_EQ(ledger->state().period->account.left, 0);
  EXPECT_NE(ledger->state().promise.find("there is no limit in all"), std::string::npos);
  EXPECT_TRUE(ledger.intact());
}

TEST_F(WithPeriods, WhatIsCarriedOverAddsUp) {
  TestLedger ledger = made({Epsilon(0.5), 30, true});
  set(ledger, days(61));
  expect_refused([&] { ledger.release(asked({0, 1}, 0.8)); }, "would fit");
  ledger.release(asked({0, 1}, 0.75));
  expect_refused([&] { ledger.release(asked({2}, 0.001)); }, "all periods up to this one");
  EXPECT_TRUE(ledger.intact());
}

TEST_F(WithPeriods, TheLimitInAllHolds) {
  TestLedger ledger = made({Epsilon(0.5), 30}, Epsilon(0.75));
  ledger.release(asked({0}, 0.5));
  set(ledger, days(31));
  expect_refused([&] { ledger.release(asked({1}, 0.5)); }, "the total budget");
  ledger.release(asked({1}, 0.25));
  EXPECT_TRUE(ledger.intact());
}

TEST_F(WithPeriods, AClockThatGoesBackALittleOpensNoPeriodTwice) {
  TestLedger ledger = made({Epsilon(0.5), 30});
  set(ledger, days(30) - minutes(5));
  ledger.release(asked({0}, 0.25));
  set(ledger, days(30) + minutes(1));
  ledger.release(asked({1}, 0.5));  // of the second
  set(ledger, days(30) - minutes(4));
  expect_refused([&] { ledger.release(asked({2}, 0.25)); }, "this period");  // not what was left of the first
  EXPECT_EQ(ledger->state().period->index, 1);
  EXPECT_TRUE(ledger.intact());
}

TEST_F(WithPeriods, AClockThatJumpsForwardOpensPeriodsAndAcceptingItClosesNone) {
  TestLedger ledger = made({Epsilon(0.5), 30});
  set(ledger, days(300));
  ledger.release(asked({0}, 0.5));
  set(ledger, days(1));
  EXPECT_EQ(error_of([&] { ledger.release(asked({1}, 0.5)); }), ErrorCode::failed);
  ledger->verify_and_accept({.clock = true});
  expect_refused([&] { ledger.release(asked({1}, 0.5)); }, "this period");
  set(ledger, days(330));
  ledger.release(asked({1}, 0.5));
  EXPECT_TRUE(ledger.intact());
}

TEST_F(WithPeriods, AForgedPeriodIsNoticed) {
  TestLedger ledger = made({Epsilon(0.5), 30});
  ledger.release(asked({0}, 0.5));
  const auto forged = [&](std::int64_t index, std::int64_t units) {
    TestLedger other = made({Epsilon(0.5), 30});
    other.release(asked({0}, 0.5));
    ledger::Transaction transaction(other->impl().database, ledger::Transaction::Kind::writing);
    other->impl().state.append(
        other->impl().now(), ledger::kind_clock,
        {{"period", {{"index", index}, {"units", units}, {"rdp", 0.0}, {"releases", 1}}}});
    transaction.commit();
    return !other.intact();
  };
  EXPECT_FALSE(forged(0, 500'000'000));
  EXPECT_TRUE(forged(1, 0));
  EXPECT_TRUE(forged(0, 0));
}

TEST_F(WithPeriods, WithADeltaEachHasSumsOfItsOwn) {
  TestLedger ledger({.epsilon = std::nullopt, .delta = Delta(1e-6), .period = PeriodTerms{Epsilon(0.5), 30}});
  std::vector<Node> seeds;
  for (Node seed = 0; seed < 34; ++seed) seeds.push_back(seed);
  for (int month = 0; month < 2; ++month) {
    set(ledger, days(31 * month));
    for (int i = 0; i < 8; ++i) ledger.release(asked(seeds, 0.002 + (i + 10 * month) * 1e-6));
  }
  EXPECT_LT(ledger->state().period->account.spent, 0.5);
  EXPECT_TRUE(ledger.intact());
}

// With carry a period may spend what all before it left: nothing bounds one period alone by its own share.
TEST_F(WithPeriods, PromiseNoMoreThanTheyKeep) {
  TestLedger own({.epsilon = std::nullopt, .period = PeriodTerms{Epsilon(0.5), 30}}),
      carried({.epsilon = std::nullopt, .period = PeriodTerms{Epsilon(0.5), 30, true}});
  for (TestLedger* ledger : {&own, &carried}) set(*ledger, days(31));
  EXPECT_THAT(own->state().promise, HasSubstr("at most epsilon = 0.5 by what is charged in each period"));
  expect_refused([&] { own.release(asked({0}, 1)); }, "the budget of this period");
  const std::string promise = carried->state().promise;
  EXPECT_THAT(promise, HasSubstr("at most p times epsilon = 0.5 in all by what is charged up to the end"));
  EXPECT_THAT(promise, Not(HasSubstr("in each period")));
  EXPECT_THAT(promise, Not(HasSubstr("k + 1 times")));
  carried.release(asked({0}, 1));
  EXPECT_EQ(carried->state().period->account.spent, 1);
}

TEST(Extension, RaisesALimitForAReasonThatIsKept) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(0.5)});
  ledger.release(asked({0}, 0.5));
  EXPECT_EQ(error_of([&] { ledger->extend({.epsilon = Epsilon(1), .reason = ""}); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger->extend({.per_period = Epsilon(1), .reason = "why not"}); }),
            ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger->extend({.reason = "why not"}); }), ErrorCode::usage);
  Ledger other(ledger.path());
  other.extend({.epsilon = Epsilon(0.5), .per_recipient = Epsilon(0.25), .reason = "approved"});
  expect_refused([&] { ledger.release(asked({1}, 0.8)); }, "0.75");
  ledger.release(asked({1}, 0.75));
  ledger.release(asked({2}, 0.25));
  EXPECT_EQ(ledger->state().total.limit, 1.5);
  bool found = false;
  ledger->each_entry([&](const LedgerEntry& entry) {
    found = found || (entry.kind == "extend" && entry.body.find("approved") != std::string::npos);
  });
  EXPECT_TRUE(found);
  EXPECT_TRUE(ledger.intact());
}

TEST(Extension, ThatLowersALimitIsDamage) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  ledger->impl().state.append(ledger->impl().now(), ledger::kind_extend,
                              {{"limits", {{"units", 5}}}, {"reason", "x"}});
  transaction.commit();
  EXPECT_FALSE(ledger.intact());
}

}  // namespace
}  // namespace hushwalk
