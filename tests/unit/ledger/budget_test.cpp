// The filter against a plain computation of its own.
#include "ledger/budget.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/seeded.h"

namespace hushwalk::ledger {
namespace {

using Releases = std::vector<Units>;

// Rényi divergence of a release of pure epsilon e, at its worst: randomized response.
long double plain_rdp(long double order, long double e) {
  const long double p = -std::log1p(std::exp(-e)), q = -e + p;  // logarithms of both probabilities
  const long double more = order * p + (1 - order) * q, less = order * q + (1 - order) * p;
  return (more + std::log1p(std::exp(less - more))) / (order - 1);
}

// docs/math/10-conversion.md
long double plain_epsilon(long double order, long double rdp, long double delta) {
  const long double price = -std::log(delta) / (order - 1);
  const long double gain = std::log1p(1 / (order - 1)) + std::log(order) / (order - 1);
  return std::max(0.0L, rdp + price - std::max(gain, 0.0L));
}

Spending sum(const Releases& releases, const Budget& budget) {
  Spending total;
  for (const Units units : releases) total = plus(total, spending_of(units, budget));
  return total;
}

Releases some_releases(Units largest) {
  const int count = *rc::gen::inRange(1, 60);
  Releases releases;
  for (int i = 0; i < count; ++i)
    releases.push_back(1 +
                       static_cast<Units>(static_cast<double>(largest) * *rc::gen::inRange(1, 1000) * 1e-3));
  return releases;
}

TEST(Budget, TenTenthsFillOneAndNothingMoreFits) {
  const Budget one = make_budget(units_per_one, {});
  const Spending full = sum(Releases(10, units_per_one / 10), one);
  EXPECT_TRUE(one.holds(full));
  EXPECT_EQ(one.epsilon(full), 1);
  EXPECT_EQ(one.largest_that_fits(full, 1), 0);
  EXPECT_FALSE(one.holds(plus(full, spending_of(1, one))));
}

TEST(Budget, HasAnOrderOfTheGridWhereThereIsADelta) {
  EXPECT_EQ(make_budget(units_per_one, {}).order, 0);
  for (const double epsilon : {1e-9, 0.01, 1.0, 50.0, 1e6})
    for (const double delta : {1e-12, 1e-6, 0.1}) {
      const Budget budget = make_budget(written_units_down(epsilon), delta);
      EXPECT_NE(std::ranges::find(PrivacyCost::orders(), budget.order), PrivacyCost::orders().end());
      EXPECT_TRUE(std::isfinite(budget.order));
    }
}

// By a millionth of a percent either side, whatever the pure sum.
TEST(Budget, HoldsUpToItsEpsilonWithADeltaAndNoFurther) {
  for (const double epsilon : {0.1, 1.0, 10.0})
    for (const double delta : {1e-9, 1e-5}) {
      const Budget budget = make_budget(written_units_down(epsilon), delta);
      const auto room = static_cast<double>(epsilon - plain_epsilon(budget.order, 0, delta));
      const Units beyond = 2 * budget.units;
      EXPECT_TRUE(budget.holds({beyond, room - 1e-8 * epsilon})) << epsilon << ' ' << delta;
      EXPECT_FALSE(budget.holds({beyond, room + 1e-8 * epsilon})) << epsilon << ' ' << delta;
    }
}

TEST(Budget, ManySmallReleasesCostLessThanTheirSumWithADelta) {
  const Budget with = make_budget(units_per_one, 1e-6), without = make_budget(units_per_one, {});
  const Releases many(500, units_per_one / 200);  // 0.005 each, 2.5 in all
  EXPECT_TRUE(with.holds(sum(many, with)));
  EXPECT_LT(with.epsilon(sum(many, with)), 1);
  EXPECT_FALSE(without.holds(sum(many, without)));
  EXPECT_NEAR(without.epsilon(sum(many, without)), 2.5, 1e-12);
}

RC_GTEST_PROP(BudgetProperty, WithoutADeltaItHoldsExactlyWhatAddsUp, ()) {
  const auto limit = *rc::gen::inRange<Units>(1, 10 * units_per_one);
  const Budget budget = make_budget(limit, {});
  Spending spending;
  Units plain = 0;
  for (const Units units : some_releases(limit / 8)) {
    const Spending next = plus(spending, spending_of(units, budget));
    RC_ASSERT(budget.holds(next) == (plain + units <= limit));
    if (!budget.holds(next)) continue;
    spending = next;
    plain += units;
  }
  RC_ASSERT(spending.units == plain);
}

RC_GTEST_PROP(BudgetProperty, WithADeltaItHoldsWhatAPlainComputationHolds, ()) {
  const auto limit = *rc::gen::inRange<Units>(units_per_one / 100, 10 * units_per_one);
  const double delta = std::pow(10.0, *rc::gen::inRange(-12, -1));
  const Budget budget = make_budget(limit, delta);
  const Releases releases = some_releases(limit / 20);
  Units pure = 0;
  long double rdp = 0;
  for (const Units units : releases) {
    pure += units;
    rdp += plain_rdp(budget.order, static_cast<long double>(units) / units_per_one);
  }
  const Spending spending = sum(releases, budget);
  RC_ASSERT(static_cast<long double>(spending.rdp) >= rdp * (1 - 1e-12L) - 1e-15L);
  RC_ASSERT(static_cast<long double>(spending.rdp) <= rdp * (1 + 1e-6L) + 1e-15L);
  const long double best =
      std::min(static_cast<long double>(pure) / units_per_one, plain_epsilon(budget.order, rdp, delta));
  RC_ASSERT(budget.epsilon(spending) >= static_cast<double>(best) * (1 - 1e-12));
  RC_ASSERT(budget.epsilon(spending) <= static_cast<double>(best) * (1 + 1e-6) + 1e-12);
  RC_ASSERT(!budget.holds(spending) || budget.epsilon(spending) <= number(limit));
}

RC_GTEST_PROP(BudgetProperty, WhatFitsFitsAndOneUnitMoreDoesNot, ()) {
  const auto limit = *rc::gen::inRange<Units>(1000, 10 * units_per_one);
  const std::optional<double> delta =
      *rc::gen::arbitrary<bool>() ? std::optional(std::pow(10.0, *rc::gen::inRange(-12, -1))) : std::nullopt;
  const Budget budget = make_budget(limit, delta);
  const Spending before = sum(some_releases(limit / 30), budget);
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 30);
  const Units fits = budget.largest_that_fits(before, count);
  const auto after = [&](Units each) {
    Spending spending = before;
    for (std::uint64_t i = 0; i < count; ++i) spending = plus(spending, spending_of(each, budget));
    return spending;
  };
  if (fits > 0) RC_ASSERT(budget.holds(after(fits)));
  // By Rényi sums it may be a unit less than possible: the roundings of the sum are taken at their worst.
  if (fits < limit) RC_ASSERT(!budget.holds(after(fits + (delta ? 2 : 1))));
}

TEST(Budget, AddsDivergencesUpNeverDown) {
  hushwalk::testing::Seeded random(3);
  for (int i = 0; i < 1000; ++i) {
    const double a = random.log_uniform(1e-6, 10), b = random.log_uniform(1e-6, 10);
    EXPECT_GE(static_cast<long double>(plus(Spending{1, a}, Spending{2, b}).rdp),
              static_cast<long double>(a) + b);
  }
}

// So many cannot be added one by one here; each addition may raise the sum by 2^-52 of it.
TEST(Budget, WhatFitsVeryManyTimesAllowsForTheRoundingOfEveryAddition) {
  const Budget budget = make_budget(100 * units_per_one, 1e-6);
  const Units beyond = 2 * budget.units;
  for (int bits = 30; bits <= 44; ++bits) {
    const std::uint64_t count = (std::uint64_t{1} << bits) + 1;
    const Units fits = budget.largest_that_fits({}, count);
    const auto added = [&](Units each) {
      const auto times = static_cast<long double>(count);
      return static_cast<double>(spending_of(each, budget).rdp * times *
                                 std::exp(times * std::log1p(0x1p-52L)));
    };
    EXPECT_GT(fits, 0);
    EXPECT_TRUE(budget.holds({beyond, added(fits)})) << bits;
    EXPECT_FALSE(budget.holds({beyond, added(fits + fits / 100 + 2)})) << bits;
  }
}

TEST(Budget, WhatIsLeftIsExactWhereEpsilonsAreAdded) {
  const Units tenth = units_per_one / 10;
  EXPECT_EQ(make_budget(units_per_one, {}).left({9 * tenth, 0}), 0.1);
  EXPECT_EQ(make_budget(units_per_one, {}).left({11 * tenth, 0}), 0);
  EXPECT_EQ(make_budget(units_per_one, 1e-6).left({9 * tenth, 1e9}), 0.1);
}

TEST(Budget, WhatIsLeftByRenyiSumsIsTheLimitLessWhatTheyCost) {
  const Budget budget = make_budget(units_per_one, 1e-6);
  const Spending spent = sum(Releases(200, units_per_one / 200), budget);
  const double epsilon = static_cast<double>(plain_epsilon(budget.order, spent.rdp, 1e-6));
  ASSERT_LT(epsilon, 0.99);
  EXPECT_NEAR(budget.left(spent), 1 - epsilon, 1e-9);
}

TEST(Budget, TheLeastReleaseCostsSomethingAndNoneNothing) {
  const Budget with = make_budget(units_per_one, 1e-6), without = make_budget(units_per_one, {});
  EXPECT_EQ(spending_of(0, with), Spending{});
  EXPECT_EQ(spending_of(5, without), (Spending{5, 0}));
  const auto least = static_cast<double>(plain_rdp(with.order, 1e-9L));
  EXPECT_GT(spending_of(1, with).rdp, 0.99 * least);
}

}  // namespace
}  // namespace hushwalk::ledger
