// Small scales, where the exact probability of every value can be compared with how often it comes.
#include "noise/discrete_laplace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/cks_sampler.h"
#include "support/seeded_key.h"
#include "support/seeded_source.h"
#include "support/statistics.h"

namespace hushwalk::testing {
namespace {

using Samples = std::vector<std::int64_t>;

constexpr double ALPHA = 1e-4;        // seeds are fixed: a right sampler passes for ever
constexpr double CERTAIN = 1e-12;     // what a negative control must fall below
constexpr std::size_t N = 1'000'000;  // fast sampler
constexpr std::size_t N_SLOW = 300'000;
constexpr std::uint64_t SEED = 20240;

// How samples are put together: as in releases, and so that each rare branch is common.
struct Way {
  const char* name;
  LaplaceLayout layout;
};
const Way ways[] = {{"release", {}},
                    {"low part of any size", {.low_part = 0}},
                    {"tail in most samples", {.tail = -1}},
                    {"both", {.low_part = 1, .tail = 0}}};
const double scales[] = {0.25, 0.5, 1, 1.5, 3, 10.25};

Samples draw(double scale, const LaplaceLayout& layout = {}, std::size_t count = N,
             std::uint64_t seed = SEED) {
  Samples samples(count);
  KeyedNoise noise(seeded_key(seed));
  draw_by_address(noise, NoiseKind::artefact, 0, DiscreteLaplace(scale, layout), 0, samples);
  return samples;
}

Samples draw_slowly(double scale, std::size_t count = N_SLOW) {
  const CksLaplace laplace(static_cast<std::uint64_t>(scale * 4), 4);
  const auto stream = SeededSource(SEED).stream(1);
  Samples samples(count);
  for (std::int64_t& sample : samples) sample = laplace.draw(*stream);
  return samples;
}

double pmf(double scale, std::int64_t k) {
  const double q = std::exp(-1 / scale);
  return (1 - q) / (1 + q) * std::exp(-static_cast<double>(std::abs(k)) / scale);
}

// P(|X| >= k), k >= 1.
double tail(double scale, std::int64_t k) {
  return 2 * std::exp(-static_cast<double>(k) / scale) / (1 + std::exp(-1 / scale));
}

double fit_p(const Samples& samples, double scale) {
  const auto last = static_cast<std::int64_t>(std::ceil(60 * scale));
  return chi_square_fit_p(samples, last, [=](std::int64_t k) { return pmf(scale, k); });
}

TEST(DiscreteLaplaceFit, FollowsTheExactProbabilitiesWhicheverWayItIsPutTogether) {
  for (const double scale : scales)
    for (const Way& way : ways)
      EXPECT_GT(fit_p(draw(scale, way.layout), scale), ALPHA) << scale << ' ' << way.name;
}

TEST(DiscreteLaplaceFit, HoldsForTheSlowSampler) {
  for (const double scale : scales) EXPECT_GT(fit_p(draw_slowly(scale), scale), ALPHA) << scale;
}

TEST(DiscreteLaplaceFit, SeesAScaleThatIsThreePercentOff) {
  for (const double scale : scales) EXPECT_LT(fit_p(draw(scale), 1.03 * scale), CERTAIN) << scale;
}

TEST(DiscreteLaplaceFit, HoldsWhenMagnitudesSaturate) {
  constexpr double scale = 3;
  constexpr std::int64_t last = 7;
  const LaplaceLayout narrow{.tail = 0, .magnitude_bits = 3};
  const auto clamped = [](std::int64_t k) {
    return std::abs(k) == last ? tail(scale, last) / 2 : pmf(scale, k);
  };
  EXPECT_GT(chi_square_fit_p(draw(scale, narrow), last, clamped), ALPHA);
}

TEST(DiscreteLaplaceFit, HoldsWhenEveryComparisonGoesPastTheKeptDigits) {
  constexpr double scale = 10.25;
  EXPECT_GT(fit_p(draw(scale, {.kept_digits = 0}, N / 50), scale), ALPHA);
}

TEST(DiscreteLaplaceFit, GivesZeroItsProbabilityOnce) {
  for (const double scale : scales) {
    const double zeros = count(draw(scale))[0];
    EXPECT_GT(proportion_p(zeros, N, pmf(scale, 0)), ALPHA) << scale;
  }
}

// The negative control. What is not negative of a discrete Laplace sample is geometric; with a sign and
// without rejecting -0 it is the sampler that trap 6 of the proofs warns of.
TEST(DiscreteLaplaceFit, SeesZeroCountedTwice) {
  const auto stream = SeededSource(SEED).stream(2);
  for (const double scale : scales) {
    Samples wrong;
    for (const std::int64_t sample : draw(scale))
      if (sample >= 0) wrong.push_back(stream->next_word() % 2 == 0 ? sample : -sample);
    EXPECT_LT(fit_p(wrong, scale), CERTAIN) << scale;
  }
}

TEST(DiscreteLaplaceTails, AreAsHeavyAsTheyShouldBe) {
  for (const double scale : scales) {
    for (const Way& way : ways) {
      const Samples samples = draw(scale, way.layout);
      for (const int multiple : {3, 6, 9}) {
        const auto from = static_cast<std::int64_t>(std::ceil(multiple * scale));
        double beyond = 0;
        for (const std::int64_t sample : samples) beyond += std::abs(sample) >= from ? 1 : 0;
        EXPECT_GT(proportion_p(beyond, N, tail(scale, from)), ALPHA) << scale << ' ' << multiple << way.name;
      }
    }
  }
}

TEST(DiscreteLaplaceSymmetry, HoldsForSignsAndForMagnitudesOfEitherSign) {
  for (const double scale : {1.0, 10.25, 0x1p40}) {
    Samples positive, negative;
    for (const std::int64_t sample : draw(scale)) {
      if (sample > 0) positive.push_back(sample >> (scale > 1e9 ? 36 : 0));
      if (sample < 0) negative.push_back(-sample >> (scale > 1e9 ? 36 : 0));
    }
    const auto signs = static_cast<double>(positive.size() + negative.size());
    EXPECT_GT(proportion_p(static_cast<double>(positive.size()), signs, 0.5), ALPHA) << scale;
    EXPECT_GT(chi_square_two_sample_p(positive, negative), ALPHA) << scale;
  }
}

// Values are lumped so that a whole scale is about ten lumps, or the test would lose its power.
TEST(DiscreteLaplaceOracle, AgreesWithTheSlowSampler) {
  for (const double scale : {1.5, 10.25, 100.75, 3000.0}) {
    const auto lumped = [=](Samples samples) {
      for (std::int64_t& sample : samples) sample /= 1 + static_cast<std::int64_t>(scale / 10);
      return samples;
    };
    const Samples slow = lumped(draw_slowly(scale)), fast = lumped(draw(scale, {}, N_SLOW));
    EXPECT_GT(chi_square_two_sample_p(fast, slow), ALPHA) << scale;
    const Samples off = lumped(draw(1.04 * scale, {}, N_SLOW));
    EXPECT_LT(chi_square_two_sample_p(off, slow), ALPHA) << scale;
  }
}

}  // namespace
}  // namespace hushwalk::testing
