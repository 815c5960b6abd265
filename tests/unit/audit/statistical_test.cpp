#include "audit/statistical.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/seeded.h"

namespace hushwalk::auditing {
namespace {

// With hits always in one world and never in the other, Clopper and Pearson's limits are alpha^(1/n) and
// 1 - alpha^(1/n).
TEST(EpsilonBound, IsKnownInClosedFormAtTheEnds) {
  constexpr double n = 500, alpha = 1e-6;
  const double limit = std::pow(alpha, 1 / n);
  EXPECT_NEAR(epsilon_bound(500, 0, 500, 0, alpha), std::log(limit / (1 - limit)), 1e-9);
  EXPECT_NEAR(epsilon_bound(500, 0, 500, 0.1, alpha), std::log((limit - 0.1) / (1 - limit)), 1e-9);
}

TEST(EpsilonBound, IsZeroWithoutEvidence) {
  EXPECT_EQ(epsilon_bound(50, 50, 100, 0, 0.01), 0);
  EXPECT_EQ(epsilon_bound(0, 50, 100, 0, 0.01), 0);
  EXPECT_EQ(epsilon_bound(60, 40, 100, 0.5, 0.01), 0);
}

// Randomized response at epsilon = 1: the bound exceeds 1 in at most 2 alpha of all runs, and comes near it.
TEST(EpsilonBound, SeldomExceedsTheTruth) {
  constexpr int runs = 2000, trials = 1000;
  constexpr double alpha = 0.02;
  testing::Seeded random(1);
  const double kept = 1 / (1 + std::exp(-1));
  int above = 0;
  double sum = 0;
  for (int i = 0; i < runs; ++i) {
    std::uint64_t hits = 0, other = 0;
    for (int t = 0; t < trials; ++t) hits += random.uniform()<kept, other += random.uniform()> kept;
    const double bound = epsilon_bound(hits, other, trials, 0, alpha);
    above += bound > 1;
    sum += bound;
  }
  EXPECT_LE(above, 2 * alpha * runs);
  EXPECT_GT(sum / runs, 0.75);
}

}  // namespace
}  // namespace hushwalk::auditing
