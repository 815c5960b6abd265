// Budgets in whole units of 1e-9.
#include "accounting/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace hushwalk::accounting {
namespace {

TEST(Units, TenTimesATenthIsOne) {
  EXPECT_EQ(written_units_up(0.1), 100'000'000);
  EXPECT_EQ(10 * written_units_up(0.1), written_units_down(1));
  EXPECT_EQ(written_units_up(0.1) + written_units_up(0.2), written_units_up(0.3));
}

TEST(Units, AreTheDecimalDigitsThatSomebodyWrote) {
  EXPECT_EQ(written_units_up(1e-9), 1);
  EXPECT_EQ(written_units_up(2.5e-7), 250);
  EXPECT_EQ(written_units_up(123.456), 123'456'000'000);
  EXPECT_EQ(written_units_down(1e6), 1'000'000'000'000'000);
  EXPECT_EQ(written_units_up(0.000000123), 123);
}

TEST(Units, OfAChargeAreRoundedUpAndOfALimitDown) {
  EXPECT_EQ(written_units_up(1e-12), 1);
  EXPECT_EQ(written_units_down(9.99e-10), 0);
  EXPECT_EQ(written_units_up(0.1000000001), 100'000'001);
  EXPECT_EQ(written_units_down(0.1000000009), 100'000'000);
  EXPECT_EQ(written_units_up(0.1 + 0.2), 300'000'001);  // 0.30000000000000004
}

TEST(Units, OfAComputedNumberAreNeverBelowIt) {
  EXPECT_GE(computed_units_up(0.1), 100'000'000);
  EXPECT_LE(computed_units_up(0.1), 100'000'001);
  EXPECT_EQ(computed_units_up(0), 0);
}

TEST(Units, BeyondAllUnitsAreAllUnits) {
  const Units all = std::numeric_limits<Units>::max();
  EXPECT_EQ(computed_units_up(1e300), all);
  // Around the first number of units that is too large.
  double value = 0x1p63 / 1e9;
  for (int i = 0; i < 8; ++i) value = std::nextafter(value, 0.0);
  for (int i = 0; i < 16; ++i, value = std::nextafter(value, 1e300))
    EXPECT_GT(computed_units_up(value), all - (all >> 40)) << i;
  EXPECT_EQ(computed_units_up(std::numeric_limits<double>::infinity()), all);
  EXPECT_EQ(plus(all, 1), all);
  EXPECT_EQ(plus(2, 3), 5);
  EXPECT_EQ(times(units_per_one, std::uint64_t{1} << 40), all);
  EXPECT_EQ(times(3, 4), 12);
}

TEST(Units, AsTextAreWhatSomebodyWouldWrite) {
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(1), "0.000000001");
  EXPECT_EQ(decimal(300'000'000), "0.3");
  EXPECT_EQ(decimal(10 * units_per_one), "10");
  EXPECT_EQ(decimal(1'000'000'000'000'001), "1000000.000000001");
}

RC_GTEST_PROP(UnitsProperty, TextThatIsReadBackIsTheSameNumberOfUnits, ()) {
  const auto units = *rc::gen::inRange<Units>(1, 100'000 * units_per_one);
  RC_ASSERT(written_units_up(std::stod(decimal(units))) == units);
  RC_ASSERT(written_units_down(std::stod(decimal(units))) == units);
}

RC_GTEST_PROP(UnitsProperty, ANumberLiesBetweenItsUnitsDownAndUp, ()) {
  const double value = std::pow(10.0, *rc::gen::inRange(-12'000, 6'000) * 1e-3);
  const Units down = written_units_down(value), up = written_units_up(value);
  RC_ASSERT(up == down || up == down + 1);
  const auto exact = static_cast<long double>(value) * units_per_one;
  RC_ASSERT(static_cast<long double>(down) <= exact * (1 + 1e-15L));
  RC_ASSERT(static_cast<long double>(up) >= exact * (1 - 1e-15L));
  RC_ASSERT(static_cast<long double>(computed_units_up(value)) >= exact);
}

RC_GTEST_PROP(UnitsProperty, ANumberThatIsRoundedDownIsNotAbove, ()) {
  const auto units = *rc::gen::inRange<Units>(1, 1'000'000 * units_per_one);
  RC_ASSERT(static_cast<long double>(number_down(units)) * units_per_one <= static_cast<long double>(units));
  RC_ASSERT(number_down(units) >= number(units) * (1 - 1e-15));
}

}  // namespace
}  // namespace hushwalk::accounting
