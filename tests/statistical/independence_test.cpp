// Samples come 64 at a time, from the same bit-planes and words; they must know nothing of each other.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "noise/discrete_laplace.h"
#include "noise/lazy_bernoulli.h"
#include "support/lanes.h"
#include "support/seeded_key.h"
#include "support/seeded_source.h"
#include "support/statistics.h"

namespace hushwalk::testing {
namespace {

constexpr double ALPHA = 1e-4;
constexpr double CERTAIN = 1e-12;
constexpr std::size_t N = 100'000;
constexpr std::size_t LANES = 64;
constexpr std::uint64_t SEED = 99;

// x = 2^i / t as they occur: nearly fair, 1/(1 + e), the tail e^-4.
const ExpFraction biases[] = {{1, 512, true}, {1, 1, true}, {4, 1, false}};

double value(const ExpFraction& bias) {
  const double x = static_cast<double>(bias.numerator) / static_cast<double>(bias.denominator);
  return 1 / (std::exp(x) + (bias.one ? 1 : 0));
}

std::vector<std::uint64_t> draw(const ExpFraction& bias) {
  const LazyBernoulli coins(bias);
  const auto stream = SeededSource(SEED).stream(0);
  WordReader words(*stream);
  std::vector<std::uint64_t> draws(N);
  for (std::uint64_t& lanes : draws) lanes = draw_lanes(coins, words);
  return draws;
}

TEST(Lanes, AllHaveTheBias) {
  for (const ExpFraction& bias : biases) {
    std::array<double, LANES> counts{}, z{};
    for (const std::uint64_t lanes : draw(bias))
      for (std::size_t lane = 0; lane < LANES; ++lane) counts[lane] += static_cast<double>(lanes >> lane & 1);
    const double p = value(bias);
    for (std::size_t lane = 0; lane < LANES; ++lane)
      z[lane] = (counts[lane] - N * p) / std::sqrt(N * p * (1 - p));
    EXPECT_GT(all_normal_p(z), ALPHA) << p;
  }
}

// Lane l and lane l + shift (mod 64) of the same draw, all l in one sum of standardised products.
TEST(Lanes, AreIndependentOfEachOther) {
  for (const ExpFraction& bias : biases) {
    const double p = value(bias);
    const auto draws = draw(bias);
    std::vector<double> z;
    for (int shift = 1; shift < static_cast<int>(LANES) / 2; ++shift) {
      double sum = 0;  // of (x - p)(y - p) over all pairs
      for (const std::uint64_t lanes : draws) {
        const double both = std::popcount(lanes & std::rotl(lanes, shift)), ones = std::popcount(lanes);
        sum += both - 2 * p * ones + LANES * p * p;
      }
      z.push_back(sum / (p * (1 - p) * std::sqrt(static_cast<double>(N * LANES))));
    }
    EXPECT_GT(all_normal_p(z), ALPHA) << p;
  }
}

TEST(Lanes, AreIndependentOfTheNextDraw) {
  for (const ExpFraction& bias : biases) {
    const double p = value(bias);
    const auto draws = draw(bias);
    std::vector<double> z;
    for (int shift = 0; shift < static_cast<int>(LANES); ++shift) {
      double sum = 0;
      for (std::size_t i = 0; i + 1 < N; ++i) {
        const std::uint64_t a = draws[i], b = std::rotl(draws[i + 1], shift);
        sum += std::popcount(a & b) - p * (std::popcount(a) + std::popcount(b)) + LANES * p * p;
      }
      z.push_back(sum / (p * (1 - p) * std::sqrt(static_cast<double>((N - 1) * LANES))));
    }
    EXPECT_GT(all_normal_p(z), ALPHA) << p;
  }
}

// Correlations of consecutive samples, at every distance up to two blocks, of signs and of uniform
// magnitudes.
std::vector<double> autocorrelations(const std::vector<double>& centred, double variance) {
  std::vector<double> z;
  for (std::size_t lag = 1; lag <= 2 * LANES; ++lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < centred.size(); ++i) sum += centred[i] * centred[i + lag];
    z.push_back(sum / (variance * std::sqrt(static_cast<double>(centred.size() - lag))));
  }
  return z;
}

std::vector<std::int64_t> draw_samples(double scale, std::uint64_t step = 0) {
  std::vector<std::int64_t> samples(N);
  KeyedNoise noise(seeded_key(SEED));
  draw_by_address(noise, NoiseKind::step_first, step, DiscreteLaplace(scale), 0, samples);
  return samples;
}

// Of the same node in another step, and of a node nearby.
TEST(Samples, AreIndependentOfThoseOfTheNextStep) {
  const auto now = draw_samples(0x1p40), next = draw_samples(0x1p40, 1);
  std::vector<double> z;
  for (std::size_t lag = 0; lag <= LANES; ++lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < N; ++i) sum += (now[i] > 0) == (next[i + lag] > 0) ? 1 : -1;
    z.push_back(sum / std::sqrt(static_cast<double>(N - lag)));
  }
  EXPECT_GT(all_normal_p(z), ALPHA);
}

TEST(Samples, AreIndependentOfThoseBefore) {
  for (const double scale : {30.0, 0x1p40}) {
    const std::vector<std::int64_t> samples = draw_samples(scale);
    std::vector<double> signs, magnitudes;
    for (const std::int64_t sample : samples) {
      if (sample != 0) signs.push_back(sample > 0 ? 1 : -1);
      magnitudes.push_back(std::exp(-std::abs(static_cast<double>(sample)) / scale));
    }
    double mean = 0, variance = 0;
    for (const double magnitude : magnitudes) mean += magnitude / N;
    for (double& magnitude : magnitudes) variance += (magnitude - mean) * (magnitude - mean) / N;
    for (double& magnitude : magnitudes) magnitude -= mean;
    EXPECT_GT(all_normal_p(autocorrelations(signs, 1)), ALPHA) << scale;
    EXPECT_GT(all_normal_p(autocorrelations(magnitudes, variance)), ALPHA) << scale;
  }
}

// The negative control: one sample in twenty repeats the one 64 places before.
TEST(Samples, WouldBeSeenToRepeat) {
  std::vector<std::int64_t> samples = draw_samples(0x1p40);
  for (std::size_t i = LANES; i < N; i += 20) samples[i] = samples[i - LANES];
  std::vector<double> signs;
  for (const std::int64_t sample : samples) signs.push_back(sample > 0 ? 1 : -1);
  EXPECT_LT(all_normal_p(autocorrelations(signs, 1)), CERTAIN);
}

}  // namespace
}  // namespace hushwalk::testing
