// The integer taper: its weights, and the exact maximum that is found without looking at every degree.
#include <gtest/gtest.h>

#include <cmath>

#include "accounting/taper.h"
#include "hushwalk/error.h"
#include "support/seeded.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::Seeded;

std::uint64_t slow_sensitivity(const QuantisedTaper& taper, std::uint64_t nodes) {
  std::uint64_t most = 0;
  for (std::uint64_t d = 0; d + 2 <= nodes; ++d) {
    const std::uint64_t here = taper.weight(d), next = taper.weight(d + 1);
    most = std::max(most, next + d * (here > next ? here - next : next - here));
  }
  return most;
}

double exact_weight(double background, Taper taper, std::uint64_t degree) {
  const auto d = static_cast<double>(degree);
  if (!taper) return background;
  const auto t = static_cast<double>(*taper);
  return background * (d <= t ? 1 - d / (2 * t) : t / (2 * d));
}

TEST(QuantisedTaper, WeightsAreTheTaperRoundedDown) {
  Seeded random(1);
  for (int i = 0; i < 2000; ++i) {
    const double background = random.below(5) == 0 ? 1 : random.log_uniform(1e-3, 1);
    const Taper taper = random.below(6) == 0 ? Taper() : Taper(1 + random.below(2000));
    const QuantisedTaper weights(background, taper);
    const std::uint64_t degree = random.below(5000);
    const double gap =
        exact_weight(background, taper, degree) * 0x1p32 - static_cast<double>(weights.weight(degree));
    EXPECT_GT(gap, -1e-3);
    EXPECT_LT(gap, 1 + 1e-3);
  }
  EXPECT_EQ(QuantisedTaper(1, {}).weight(7), QuantisedTaper::unit);
  EXPECT_EQ(QuantisedTaper(0.5, {}).weight(7), QuantisedTaper::unit / 2);
  EXPECT_EQ(QuantisedTaper(0, 300).weight(7), 0U);
  EXPECT_EQ(QuantisedTaper(1e-300, 300).weight(7), 0U);
}

TEST(QuantisedTaper, SensitivityIsTheMaximumOverAllDegrees) {
  Seeded random(2);
  for (int i = 0; i < 1500; ++i) {
    const double background = random.below(5) == 0 ? 1 : random.log_uniform(1e-9, 1);
    const Taper taper =
        random.below(8) == 0 ? Taper() : Taper(static_cast<std::uint64_t>(random.log_uniform(1, 1e5)));
    const std::uint64_t nodes = random.below(4) == 0 ? random.below(5) : 2 + random.below(20000);
    const QuantisedTaper weights(background, taper);
    ASSERT_EQ(weights.sensitivity(nodes), slow_sensitivity(weights, nodes))
        << background << ' ' << taper.value_or(0) << ' ' << nodes;
  }
}

// Weights of a few units, where a search that ends too early by a unit or two misses the maximum.
TEST(QuantisedTaper, SensitivityOfTheSmallestWeights) {
  Seeded random(3);
  for (int i = 0; i < 40000; ++i) {
    const std::uint64_t taper = 1 + random.below(30), nodes = taper + 2 + random.below(80);
    const QuantisedTaper weights(random.uniform(0, 8000) / (0x1p32 * static_cast<double>(taper)), taper);
    ASSERT_EQ(weights.sensitivity(nodes), slow_sensitivity(weights, nodes)) << taper << ' ' << nodes;
  }
}

TEST(QuantisedTaper, OneLargeCaseDegreeByDegree) {
  const QuantisedTaper weights(0.015, 300);
  EXPECT_EQ(weights.sensitivity(4'000'000), slow_sensitivity(weights, 4'000'000));
}

// Were it linear in the nodes, this would run into the limit for hangs.
TEST(QuantisedTaper, ABillionNodesAreAffordable) {
  for (const double background : {1.0, 0.3, 0.005})
    for (const std::uint64_t taper : {1, 300, 1000, 1 << 20, 1 << 29})
      EXPECT_GT(QuantisedTaper(background, taper).sensitivity(QuantisedTaper::max_nodes), 0U);
}

TEST(QuantisedTaper, WhatWouldBreakTheGuaranteeIsRefused) {
  const auto code = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::failed;
  };
  for (const double background : {-0.1, 1.1, std::nan("")})
    EXPECT_EQ(code([&] { QuantisedTaper(background, 300); }), ErrorCode::refused);
  EXPECT_EQ(code([] { QuantisedTaper(1, 0); }), ErrorCode::usage);
  EXPECT_EQ(code([] { (void)taper_sensitivity_up(0); }), ErrorCode::usage);
  // 2^53 + 1 is no double; rounded down, its sensitivity would be too small.
  EXPECT_EQ(code([] { (void)taper_sensitivity_up((std::uint64_t{1} << 52) + 1); }), ErrorCode::refused);
  EXPECT_LT(taper_sensitivity_up(std::uint64_t{1} << 52), 1);
  EXPECT_EQ(code([] { QuantisedTaper(1, QuantisedTaper::max_taper + 1); }), ErrorCode::usage);
  EXPECT_EQ(code([] { (void)QuantisedTaper(1, 300).sensitivity(QuantisedTaper::max_nodes + 1); }),
            ErrorCode::refused);
  // At full background a long taper whose slope is not a whole number of units costs a little more than one
  // link.
  EXPECT_GT(QuantisedTaper(1, 1'000'000).sensitivity(100'000'000), QuantisedTaper::unit);
  EXPECT_EQ(code([] { (void)QuantisedTaper(1, 1'000'000).checked_sensitivity(100'000'000); }),
            ErrorCode::refused);
  EXPECT_LE(QuantisedTaper(0.9, 300).checked_sensitivity(10'000'000), QuantisedTaper::unit);
}

}  // namespace
}  // namespace hushwalk::accounting
