// Many releases together.
#include <gtest/gtest.h>

#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"

namespace hushwalk {
namespace {

NoisyRun run(double scale) {
  const Diffusion lazy = Diffusion::ppr(0.8, 20);
  return {{{lazy.steps().begin(), lazy.steps().end()}, Eta(1e-6)}, LaplaceScale(scale)};
}

TEST(PrivacyCost, OrdersEndWithAMillionAndInfinity) {
  const auto orders = PrivacyCost::orders();
  EXPECT_NEAR(orders.front(), 1.01, 1e-12);
  EXPECT_EQ(orders[orders.size() - 2], 1e6);
  EXPECT_EQ(orders.back(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 1; i < orders.size(); ++i) EXPECT_LT(orders[i - 1], orders[i]);
}

TEST(PrivacyCost, NothingCostsNothing) {
  EXPECT_EQ(PrivacyCost().epsilon({}), 0);
  EXPECT_EQ(PrivacyCost().epsilon(Delta(1e-6)), 0);
}

TEST(PrivacyCost, OneReleaseCostsWhatAccountSays) {
  const PrivacyCost cost = PrivacyCost::of(run(1e-5));
  const Guarantee guarantee = account(run(1e-5), Delta(1e-6));
  EXPECT_NEAR(cost.epsilon({}), guarantee.pure_epsilon, 1e-9);
  EXPECT_GE(cost.epsilon(Delta(1e-6)) * 1.001, guarantee.epsilon);
  EXPECT_LE(cost.epsilon(Delta(1e-6)), guarantee.epsilon * 1.01);
}

TEST(PrivacyCost, PureEpsilonsAddUp) {
  PrivacyCost total;
  for (int i = 0; i < 10; ++i) total += PrivacyCost::of(Epsilon(0.1));
  EXPECT_NEAR(total.epsilon({}), 1, 1e-12);
  EXPECT_GE(total.epsilon({}), 10 * 0.1);
}

TEST(PrivacyCost, ManyReleasesCostLessThanTheirSumOnceThereIsADelta) {
  const PrivacyCost many = PrivacyCost::of(Epsilon(0.01)).times(10000);
  EXPECT_NEAR(many.epsilon({}), 100, 1e-9);
  // Gaussian-like: about sqrt(10000) 0.01 sqrt(2 ln(1/delta)) + half of 10000 times 0.01^2.
  EXPECT_LT(many.epsilon(Delta(1e-6)), 6);
  EXPECT_GT(many.epsilon(Delta(1e-6)), 4);
  EXPECT_LE(many.epsilon(Delta(1e-5)), many.epsilon(Delta(1e-6)));
}

TEST(PrivacyCost, TimesIsRepeatedAddition) {
  const PrivacyCost one = PrivacyCost::of(run(1e-4));
  PrivacyCost sum;
  for (int i = 0; i < 50; ++i) sum = sum + one;
  const PrivacyCost product = one.times(50);
  for (std::size_t i = 0; i < sum.rdp().size(); ++i)
    EXPECT_NEAR(sum.rdp()[i], product.rdp()[i], 1e-13 * sum.rdp()[i]);
  EXPECT_EQ(one.times(0).epsilon({}), 0);
}

// Noise in every step pays when releases compose: far below the pure sum.
TEST(PrivacyCost, NoiseInEveryStepPaysWhenReleasesCompose) {
  const PrivacyCost many = PrivacyCost::of(run(1e-4)).times(1000);
  EXPECT_LT(many.epsilon(Delta(1e-6)), many.epsilon({}) / 4);
}

}  // namespace
}  // namespace hushwalk
