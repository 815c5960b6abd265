// The curves and formulas of accounting against the same in 100 decimal digits.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accounting/conversion.h"
#include "accounting/fixed_point.h"
#include "accounting/renyi.h"
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

// The definition, summed: ln(sum over j of p(j)^a p(j-k)^(1-a)) / (a-1), without any closed form.
Big summed_discrete_laplace(double order, int shift, double scale) {
  const int beyond = static_cast<int>(90 * scale) + 1;  // terms fall by e^(-1/scale): e^-90 of them is left
  const Big q = exp(-1 / Big(scale)), own = pow(q, Big(order)), other = pow(q, 1 - Big(order));
  std::vector<Big> of_own = {1}, of_other = {1};
  for (int i = 0; i < beyond + shift; ++i) {
    of_own.push_back(of_own.back() * own);
    of_other.push_back(of_other.back() * other);
  }
  Big sum = 0;
  for (int j = -beyond; j <= shift + beyond; ++j)
    sum += of_own[static_cast<std::size_t>(std::abs(j))] *
           of_other[static_cast<std::size_t>(std::abs(j - shift))];
  return log(sum * (1 - q) / (1 + q)) / (Big(order) - 1);
}

TEST(AccountingOracle, DiscreteLaplaceCurveIsTheSumOfItsSeries) {
  Seeded random(13);
  for (int i = 0; i < 150; ++i) {
    const double order = 1 + random.log_uniform(1e-2, 50), scale = random.log_uniform(0.3, 8);
    const int shift = random.between(1, 40);
    const Big truth = summed_discrete_laplace(order, shift, scale);
    EXPECT_TRUE(just_above(discrete_laplace_renyi_up(order, shift, scale), truth, width))
        << order << ' ' << shift << ' ' << scale;
    EXPECT_LT(testing::big_laplace(order, Big(shift) / scale), truth);  // pricing by this one is unsound
  }
}

// g(x) + g(y) <= g(x + y): splitting a shift over draws never costs more than leaving it whole.
TEST(AccountingOracle, CurvesAreSuperadditive) {
  Seeded random(14);
  for (int i = 0; i < 2000; ++i) {
    const double order = 1 + random.log_uniform(1e-6, 1e6);
    const double x = random.log_uniform(1e-9, 1e3), y = x * random.log_uniform(1e-3, 1);
    const Big parts = Big(laplace_renyi_up(order, x)) + laplace_renyi_up(order, y);
    EXPECT_LE(parts, Big(laplace_renyi_up(order, x + y)) * (1 + 2 * width)) << order << ' ' << x << ' ' << y;
    const double scale = random.log_uniform(1, 1e6);
    const double j = std::ceil(scale * x), k = std::ceil(scale * y);
    const Big whole_parts =
        Big(discrete_laplace_renyi_up(order, j, scale)) + discrete_laplace_renyi_up(order, k, scale);
    EXPECT_LE(whole_parts, Big(discrete_laplace_renyi_up(order, j + k, scale)) * (1 + 2 * width))
        << order << ' ' << j << ' ' << k << ' ' << scale;
  }
  // Not additive: noise drawn twice absorbs twice a small shift for less than once the whole.
  EXPECT_LT(2 * laplace_renyi_up(2, 0.01), 0.51 * laplace_renyi_up(2, 0.02));
}

TEST(AccountingOracle, LaplaceCurveHasItsLimitsAndBounds) {
  Seeded random(15);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.log_uniform(1e-6, 1e3);
    const Big big_x = x, first = big_x + exp(-big_x) - 1;
    const Big near_one = Big(laplace_renyi_up(1 + 1e-7, x)) / first - 1;
    EXPECT_GE(near_one, 0) << x;
    EXPECT_LE(near_one, 1e-6) << x;
    const double order = 1 + random.log_uniform(1e-6, 1e6), cost = laplace_renyi_up(order, x);
    const Big big_order = order, gap = log(2 - 1 / big_order) / (big_order - 1);
    EXPECT_LE(cost, x);
    EXPECT_GE(Big(cost), big_x - gap);
    EXPECT_LE(Big(cost), big_order * big_x * big_x / 2 * (1 + width));
    EXPECT_LE(cost, laplace_renyi_up(order * 1.001, x) * (1 + width));
    EXPECT_GE(laplace_renyi_up(1e9, x), x - 0.7e-9);
    // The slope of the curve and its inverse, which choose shifts.
    const double step = 1e-4 * x;
    const Big slope =
        (testing::big_laplace(order, big_x + step) - testing::big_laplace(order, big_x - step)) / (2 * step);
    const double one_minus = laplace_one_minus_slope(order, x);
    EXPECT_NEAR(one_minus, (1 - slope).convert_to<double>(), 1e-6) << order << ' ' << x;
    if (one_minus > 1e-200) {
      EXPECT_NEAR(laplace_slope_inverse(order, 1 - one_minus, one_minus) / x, 1, 1e-6 + 1e-15 / (order * x));
    }
  }
  EXPECT_NEAR(laplace_renyi_up(7, 1e-7), 3.5e-14, 1e-19);  // a x^2 / 2 for small shifts
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
  EXPECT_EQ(gaussian_renyi_up(3, 0), 0);
  EXPECT_TRUE(just_above(gaussian_renyi_up(3, 1), Big(3) / 2, 1e-15));
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

// Laplace noise moved by x needs delta = 1 - e^((epsilon - x)/2) for epsilon <= x (integrate p - e^epsilon q
// where it is positive). No order may promise less, and conversion (2) is sharp enough to come close.
TEST(AccountingOracle, ConversionPromisesNoMoreThanLaplaceNoiseKeeps) {
  Seeded random(16);
  double closest = 0;
  for (int i = 0; i < 3000; ++i) {
    const double x = random.log_uniform(0.01, 5), delta = random.log_uniform(1e-6, 0.5);
    const double order = 1 + random.log_uniform(1e-2, 1e6);
    const Big needed = 1 - exp((Big(improved_epsilon_up(order, laplace_renyi_up(order, x), delta)) - x) / 2);
    EXPECT_LE(needed, delta) << x << ' ' << order;
    closest = std::max(closest, (needed / delta).convert_to<double>());
  }
  EXPECT_GT(closest, 0.3);
}

// Any pair of laws whose ratios stay within e^epsilon diverges by no more than randomized response.
TEST(AccountingOracle, RandomizedResponseDominatesPureLaws) {
  Seeded random(17);
  double closest = 0;
  for (int i = 0; i < 3000; ++i) {
    const double epsilon = random.log_uniform(0.01, 5), order = 1 + random.log_uniform(1e-2, 50);
    const double extreme = random.uniform();  // how often a ratio is at one of its ends
    std::vector<double> p, q;
    double p_sum = 0, q_sum = 0;
    for (int outcome = random.between(2, 6); outcome > 0; --outcome) {
      const double share = random.uniform() < extreme ? (random.coin() ? 1 : -1) : random.uniform(-1, 1);
      q.push_back(random.uniform());
      p.push_back(q.back() * std::exp(share * epsilon));
      p_sum += p.back(), q_sum += q.back();
    }
    // Normalised, ratios leave [e^-epsilon, e^epsilon] again: the pair is pure for the largest of them.
    double pure = 0, sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      const double ratio = p[j] / p_sum / (q[j] / q_sum);
      pure = std::max(pure, std::abs(std::log(ratio)));
      sum += q[j] / q_sum * std::pow(ratio, order);
    }
    const double seen = std::log(sum) / (order - 1), bound = randomized_response_renyi_up(order, pure);
    EXPECT_LE(seen, bound * (1 + 1e-9) + 1e-12);
    if (pure > 0.1) closest = std::max(closest, seen / bound);
  }
  EXPECT_GT(closest, 0.98);
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
