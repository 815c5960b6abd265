// The parts that a price is made of, each by itself: some of them are never the dearest in a plan, and only
// here would anybody notice that they are wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "accounting/circles.h"
#include "accounting/edge_cost.h"
#include "accounting/fixed_point.h"
#include "accounting/guarantee.h"
#include "accounting/renyi.h"
#include "accounting/round_up.h"
#include "hushwalk/diffusion.h"
#include "hushwalk/error.h"

namespace hushwalk::accounting {
namespace {

TEST(CountUp, IsNeverBelowTheCount) {
  EXPECT_EQ(count_up((std::uint64_t{1} << 53) + 1), 0x1p53 + 2);
  EXPECT_EQ(count_up(std::uint64_t{1} << 53), 0x1p53);
}

TEST(Clusters, AreAsManyAsTheNoteSays) {
  const auto rule = [](double nodes, double degree) {
    return 0.042 * std::pow(nodes * degree * degree, 0.375);
  };
  EXPECT_NEAR(clusters_by_degree(1, 4039, 39), rule(4039, 39), 1e-12);
  EXPECT_NEAR(clusters_by_degree(2, 81306, 33), 2 * rule(81306, 33), 1e-12);
  EXPECT_EQ(clusters_by_degree(1, 5000, 41), clusters_by_degree(1, 5000, 40));
  // No more than can be told apart.
  EXPECT_EQ(clusters_by_degree(0.25, 81306, 33), 4);
  EXPECT_EQ(clusters_by_degree(0.5, 81306, 33), 8);
  EXPECT_EQ(clusters_by_degree(0.75, 81306, 33), 27);
  EXPECT_NEAR(clusters_by_degree(0.5, 2000, 20), rule(2000, 20) / 2, 1e-12);
}

TEST(EdgeCost, OfTheWorstKindIsTheLargestWhicheverItIs) {
  EXPECT_EQ((EdgeCost{3, 1, 2}).worst(), 3);
  EXPECT_EQ((EdgeCost{1, 3, 2}).worst(), 3);
  EXPECT_EQ((EdgeCost{1, 2, 3}).worst(), 3);
}

TEST(LazyBeta, IsThatOfALazyWalkOfEqualStepsOnly) {
  const Step lazy{0.4, 0.4, 1 - 0.8}, not_lazy{0.4, 0.3, 1 - 0.8}, other_restart{0.4, 0.4, 0.1};
  EXPECT_EQ(lazy_beta(std::vector<Step>{lazy, lazy}), 0.8);
  EXPECT_FALSE(lazy_beta(std::vector<Step>{not_lazy, not_lazy}));
  EXPECT_FALSE(lazy_beta(std::vector<Step>{lazy, other_restart}));
  EXPECT_FALSE(lazy_beta({}));
}

TEST(DiscreteLaplace, ItsPurePriceIsNotBelowTheQuotient) {
  for (const double scale : {3.0, 7.0, 11.0, 1e9 + 7})
    for (const double shift : {1.0, 2.0, 5.0})
      EXPECT_GE(std::fma(discrete_laplace_renyi_up(std::numeric_limits<double>::infinity(), shift, scale),
                         scale, -shift),
                0);
}

TEST(FittingChains, WithoutNoiseInTheFirstStepThatMovesSomethingAreNotPricedStepByStep) {
  const StepBound bound{1, 2, 0};
  const Chain complete({{bound, 2}, {bound, 2}}, Noise::laplace, 5),
      lacking({{bound, 0}, {bound, 2}}, Noise::laplace, 5);
  const auto fits = [](const Chain& chain, Accountant accountant) {
    for (const FittingChain& fitting : fitting_chains(chain))
      if (price(fitting, std::nullopt, std::nullopt).accountant == accountant) return true;
    return false;
  };
  for (const Accountant accountant : {Accountant::theorem, Accountant::composition}) {
    EXPECT_TRUE(fits(complete, accountant)) << name(accountant);
    EXPECT_FALSE(fits(lacking, accountant)) << name(accountant);
  }
}

TEST(FlipCost, IsThatOfTheFlipProbability) {
  for (const double epsilon : {0.01, 0.5, 1.0, 3.0, 20.0}) {
    const double scale = 1 / std::log1p(std::exp(-epsilon));  // p = 1 / (1 + e^epsilon)
    EXPECT_NEAR(flip_cost_up(scale), epsilon, 1e-13 * std::max(1.0, epsilon));
    EXPECT_GE(flip_cost_up(scale), epsilon - 1e-14 * std::max(1.0, epsilon));
  }
  EXPECT_NEAR(flip_cost_up(1), std::log(std::exp(1) - 1), 1e-14);  // flipped more often than not
  EXPECT_THROW(flip_cost_up(0), Error);
}

TEST(LaplaceCost, AddsUpWhatEachNumberCosts) {
  EXPECT_EQ(laplace_cost_up({{2, 4}, {1, 8}}), 0.625);
  EXPECT_THROW(laplace_cost_up({{2, 0}}), Error);
  EXPECT_THROW(laplace_cost_up({{-1, 1}}), Error);
}

TEST(PureGuarantee, IsRefusedWhenItsCostIsAboveWhatWasAsked) {
  EXPECT_EQ(pure_guarantee(Epsilon(1), 0.75, {}).epsilon, 1);
  EXPECT_THROW(pure_guarantee(Epsilon(1), std::nextafter(1, 2), {}), Error);
  EXPECT_THROW(pure_guarantee(Epsilon(1), std::nan(""), {}), Error);
}

TEST(ScalesFor, CostNoMoreThanEpsilonAndHardlyLess) {
  const ReleasedNumbers released{{{"a", 1}, {"b", 3}}, {{"one kind", {2, 0}}, {"another", {1, 7}}}};
  for (const double epsilon : {0.1, 0.3, 1.0, 7.0}) {
    const std::vector<double> scales = scales_for(released, Epsilon(epsilon));
    EXPECT_LE(cost_up(released, scales), epsilon);
    EXPECT_GE(cost_up(released, scales), epsilon * (1 - 1e-14));
    EXPECT_NEAR(scales[1] / scales[0], 3, 1e-12);
  }
  EXPECT_EQ(most_moved_up(released), 8);
}

TEST(ScalesFor, RefusesDataThatMakesNoSense) {
  const auto refuses = [](const ReleasedNumbers& released) {
    try {
      scales_for(released, Epsilon(1));
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses({{{"a"}}, {{"any", {1}}}}));
  EXPECT_TRUE(refuses({{}, {{"any", {}}}}));
  EXPECT_TRUE(refuses({{{"a"}}, {}}));
  EXPECT_TRUE(refuses({{{"a"}}, {{"any", {1, 2}}}}));
  EXPECT_TRUE(refuses({{{"a"}}, {{"any", {-1}}}}));
  EXPECT_TRUE(refuses({{{"a"}}, {{"any", {std::nan("")}}}}));
  EXPECT_TRUE(refuses({{{"a"}}, {{"any", {0}}}}));
  EXPECT_TRUE(refuses({{{"a", 0}}, {{"any", {1}}}}));
}

TEST(Account, WithADeltaRefusesMoreStepsThanItCanPrice) {
  const Diffusion many = Diffusion::ppr(0.8, 10'001);
  const NoisyRun run{{{many.steps().begin(), many.steps().end()}, Eta(1e-6)}, LaplaceScale(1e-5)};
  EXPECT_THROW(account(run, Delta(1e-6)), Error);
}

// The best conversion over the orders, once more.
TEST(PrivacyCost, IsConvertedWithTheDeltaThatWasAsked) {
  const PrivacyCost cost = PrivacyCost::of(Epsilon(0.1)).times(50);
  const double delta = 1e-6;
  double best = cost.epsilon({});
  for (std::size_t i = 0; i < cost.rdp().size(); ++i) {
    const double order = PrivacyCost::orders()[i];
    if (std::isinf(order)) continue;
    best = std::min(best, cost.rdp()[i] + std::log((order - 1) / order) -
                              (std::log(delta) + std::log(order)) / (order - 1));
  }
  EXPECT_NEAR(cost.epsilon(Delta(delta)), best, 1e-9);
}

}  // namespace
}  // namespace hushwalk::accounting
