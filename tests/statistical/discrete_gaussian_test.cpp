#include "noise/discrete_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "noise/exact_bernoulli.h"
#include "support/seeded_source.h"
#include "support/statistics.h"

namespace hushwalk::testing {
namespace {

constexpr double ALPHA = 1e-4;
constexpr double CERTAIN = 1e-12;
constexpr std::size_t N = 100'000;
constexpr std::uint64_t SEED = 1729;

std::vector<std::int64_t> draw(double sigma) {
  std::vector<std::int64_t> samples(N);
  DiscreteGaussian(sigma).fill(*SeededSource(SEED).stream(0), samples);
  return samples;
}

double fit_p(const std::vector<std::int64_t>& samples, double sigma) {
  const auto weight = [=](std::int64_t k) {
    const double x = static_cast<double>(k) / sigma;
    return std::exp(-x * x / 2);
  };
  const auto last = static_cast<std::int64_t>(12 * sigma);
  double total = 0;
  for (std::int64_t k = -last; k <= last; ++k) total += weight(k);
  return chi_square_fit_p(samples, last, [&](std::int64_t k) { return weight(k) / total; });
}

TEST(DiscreteGaussianFit, FollowsTheExactProbabilities) {
  for (const double sigma : {1.0, 1.75, 4.0, 10.25}) {
    const auto samples = draw(sigma);
    EXPECT_GT(fit_p(samples, sigma), ALPHA) << sigma;
    EXPECT_LT(fit_p(samples, 1.03 * sigma), CERTAIN) << sigma;
  }
}

TEST(DiscreteGaussianFit, CannotBeToldFromTheContinuousOneAtALargeSigma) {
  constexpr double sigma = 0x1.8p40;
  const auto cdf = [](double x) { return std::erfc(-x / sigma / std::sqrt(2.0)) / 2; };
  EXPECT_GT(kolmogorov_smirnov_p(draw(sigma), cdf), ALPHA);
}

TEST(ExactBernoulliFit, HasTheBiasOfFractionsAndOfExponentials) {
  const auto stream = SeededSource(SEED).stream(1);
  WordReader words(*stream);
  const auto hits = [&](const auto& coin) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += coin() ? 1 : 0;
    return sum;
  };
  EXPECT_GT(proportion_p(hits([&] { return draw_fraction<Uint128>(words, 3, 7); }), N, 3 / 7.0), ALPHA);
  for (const unsigned x : {1U, 5U, 10U, 25U}) {
    const double observed = hits([&] { return draw_exp<Uint128>(words, x, 10); });
    EXPECT_GT(proportion_p(observed, N, std::exp(-0.1 * x)), ALPHA) << x;
  }
}

}  // namespace
}  // namespace hushwalk::testing
