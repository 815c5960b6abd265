// The curves and formulas of accounting against the same in 100 decimal digits.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accounting/conversion.h"
#include "accounting/fixed_point.h"
#include "accounting/renyi.h"
#include "accounting/round_up.h"
#include "hushwalk/diffusion.h"
#include "support/high_precision.h"
#include "support/seeded.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::Big;
using hushwalk::testing::just_above;
using hushwalk::testing::Seeded;

constexpr double width = 2 * renyi_margin;

std::vector<double> orders(Seeded& random) {
  return {1 + 1e-6, 1 + 1e-3, 1.5, 2, 1e6, 1 + random.log_uniform(1e-6, 1), 1 + random.log_uniform(1, 1e6)};
}

TEST(AccountingOracle, LaplaceCurve) {
  Seeded random(1);
  for (int i = 0; i < 400; ++i)
    for (const double order : orders(random)) {
      const double x = i == 0 ? 1e-12 : i == 1 ? 1e6 : random.log_uniform(1e-12, 1e6);
      EXPECT_TRUE(just_above(laplace_renyi_up(order, x), testing::big_laplace(order, x), width))
          << order << ' ' << x;
    }
}

// The formula itself stays within a tenth of the margin that is added to it.
TEST(AccountingOracle, TheMarginIsGenerous) {
  Seeded random(2);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const double order = 1 + random.log_uniform(1e-6, 1e6), x = random.log_uniform(1e-12, 1e6);
    const double excess =
        (Big(laplace_renyi_up(order, x)) / testing::big_laplace(order, x) - 1 - renyi_margin)
            .convert_to<double>();
    if (laplace_renyi_up(order, x) < x) worst = std::max(worst, std::abs(excess));
  }
  EXPECT_LT(worst, renyi_margin / 10);
}

TEST(AccountingOracle, DiscreteLaplaceCurve) {
  Seeded random(3);
  for (int i = 0; i < 400; ++i)
    for (const double order : orders(random)) {
      const double scale = random.log_uniform(0.3, 0x1p50);
      const double shift = std::max(1.0, std::floor(scale * random.log_uniform(1e-6, 1e4)));
      EXPECT_TRUE(just_above(discrete_laplace_renyi_up(order, shift, scale),
                             testing::big_discrete_laplace(order, shift, scale), width))
          << order << ' ' << shift << ' ' << scale;
      EXPECT_GE(discrete_laplace_renyi_up(order, shift, scale) * (1 + 3 * renyi_margin),
                laplace_renyi_up(order, shift / scale));
    }
}

TEST(AccountingOracle, RandomizedResponseAndGaussian) {
  Seeded random(4);
  for (int i = 0; i < 400; ++i)
    for (const double order : orders(random)) {
      const double epsilon = random.log_uniform(1e-9, 100);
      EXPECT_TRUE(just_above(randomized_response_renyi_up(order, epsilon),
                             testing::big_randomized_response(order, epsilon), width))
          << order << ' ' << epsilon;
      EXPECT_TRUE(just_above(gaussian_renyi_up(order, epsilon), Big(order) * epsilon * epsilon / 2, 1e-15));
    }
}

// What was seen is raised to a lower bound on what can be: extremes must not overflow, vanish or become NaN.
TEST(AccountingOracle, ExtremeShiftsStaySound) {
  for (const double order : {1 + 1e-9, 1.5, 1e6, 1e15})
    for (const double x : {1e-320, 1e-200, 1e-160, 1e-100, 1e100, 1e300}) {
      const double cost = laplace_renyi_up(order, x);
      EXPECT_GT(cost, 0);
      EXPECT_LE(cost, x);
      if (x > 1) {
        EXPECT_GE(cost, x - 0.6932 / (order - 1) - 2);
      }
    }
}

TEST(AccountingOracle, UpwardArithmetic) {
  Seeded random(5);
  for (int i = 0; i < 20000; ++i) {
    const double a = random.log_uniform(1e-300, 1e150), b = random.log_uniform(1e-150, 1e150);
    EXPECT_TRUE(just_above(add_up(a, b), Big(a) + b, 3e-16));
    EXPECT_GE(Big(div_up(a, b)), Big(a) / b) << a << ' ' << b;
    if (a > 1e-250 && a / b > 1e-250) {
      EXPECT_TRUE(just_above(div_up(a, b), Big(a) / b, 3e-16));
    }
    EXPECT_GE(Big(mul_up(a, b)), Big(a) * b);
  }
  EXPECT_EQ(add_up(1, 2), 3);
  EXPECT_EQ(mul_up(0.5, 3), 1.5);
  EXPECT_EQ(div_up(3, 2), 1.5);
}

TEST(AccountingOracle, Conversion) {
  Seeded random(6);
  for (int i = 0; i < 3000; ++i) {
    const double order = 1 + random.log_uniform(1e-6, 1e8), rdp = random.log_uniform(1e-12, 1e3);
    const double delta = i % 2 == 0 ? random.log_uniform(1e-20, 0.9) : 1 - random.log_uniform(1e-12, 0.5);
    const Big truth = testing::big_improved_epsilon(order, rdp, delta);
    const double epsilon = improved_epsilon_up(order, rdp, delta);
    EXPECT_GE(epsilon, 0);
    EXPECT_GE(Big(epsilon), truth);
    if (truth > 1e-3) {
      EXPECT_LT(Big(epsilon) / truth, 1 + 1e-9);
    }
    EXPECT_LE(epsilon, mironov_epsilon_up(order, rdp, delta));
    EXPECT_TRUE(just_above(mironov_epsilon_up(order, rdp, delta),
                           Big(rdp) + log(1 / Big(delta)) / (Big(order) - 1), width));
  }
}

TEST(AccountingOracle, FixedPointBounds) {
  Seeded random(11);
  for (int i = 0; i < 500; ++i) {
    const double a = random.uniform(1e-3, 0.999), cap = random.log_uniform(1e-9, 1);
    const auto rounds = static_cast<std::uint64_t>(random.between(1, 3000));
    const Big big_a = a, left = pow(1 - big_a, static_cast<unsigned>(rounds));
    const Big fixed = cap * max(Big(1 - big_a), Big(2 * big_a)) + 2 * left;
    EXPECT_TRUE(just_above(pushflow_fixed_point_sensitivity_up({a, cap, rounds}), fixed, 2e-12));
    EXPECT_TRUE(just_above(pushflow_published_sensitivity_up({a, cap, rounds}, Scope::edge),
                           (3 - big_a) * cap * (1 - left), 1e-12));
    const double beta = 1 - a;
    const auto steps = static_cast<int>(rounds);
    const Diffusion lazy = Diffusion::ppr(beta, steps);
    const Big big_beta = beta, t = 1 - big_beta;
    const Big half = cap * big_beta / t * max(Big(1), Big(4 * t / (1 + t))) + 4 * pow(big_beta, steps);
    EXPECT_TRUE(just_above(*output_half_sensitivity_up(lazy.steps(), cap), half, 2e-12));
  }
}

}  // namespace
}  // namespace hushwalk::accounting
