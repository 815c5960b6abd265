// Large scales, where discrete Laplace noise divided by its scale cannot be told from the continuous one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "noise/discrete_laplace.h"
#include "support/cks_sampler.h"
#include "support/seeded_key.h"
#include "support/seeded_source.h"
#include "support/statistics.h"

namespace hushwalk::testing {
namespace {

using Samples = std::vector<std::int64_t>;

constexpr double ALPHA = 1e-4;
constexpr double CERTAIN = 1e-12;
constexpr std::size_t N = 1'000'000;
constexpr std::size_t N_POWER = 100'000;
constexpr std::uint64_t SEED = 4711;
const double large_scales[] = {300.5, 0x1.8p20, 0x1p40, 0x1.fffffffffffffp40, 0x1p50};

Samples draw(double scale, std::size_t count, std::uint64_t seed = SEED) {
  Samples samples(count);
  KeyedNoise noise(seeded_key(seed));
  draw_by_address(noise, NoiseKind::artefact, 0, DiscreteLaplace(scale), 0, samples);
  return samples;
}

double laplace_cdf(double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }

// That the mean magnitude is that of the scale; the best test of a scale when nothing else is in doubt.
double scale_p(const Samples& samples, double scale) {
  const double q = std::exp(-1 / scale), p = -std::expm1(-1 / scale);
  const double mean = 2 * q / (p * (1 + q)), second = 2 * q / (p * p);
  double sum = 0;
  for (const std::int64_t sample : samples) sum += std::abs(static_cast<double>(sample));
  const auto n = static_cast<double>(samples.size());
  return normal_p((sum / n - mean) / std::sqrt((second - mean * mean) / n));
}

TEST(DiscreteLaplacePower, AcceptsTheScaleAndRejectsOneThatIsThreePercentOff) {
  for (const double scale : {1.0, 3.0, 1000.5, 0x1p40, 0x1p50}) {
    const Samples samples = draw(scale, N_POWER);
    EXPECT_GT(scale_p(samples, scale), ALPHA) << scale;
    EXPECT_LT(scale_p(samples, 1.03 * scale), CERTAIN) << scale;
    EXPECT_LT(scale_p(samples, 0.97 * scale), CERTAIN) << scale;
  }
}

TEST(DiscreteLaplacePower, AcceptsTheScaleOfNoiseFromTheSystem) {
  Samples samples(N_POWER);
  KeyedNoise noise(ReleaseKey::fresh());
  draw_by_address(noise, NoiseKind::artefact, 0, DiscreteLaplace(0x1p40), 0, samples);
  EXPECT_GT(scale_p(samples, 0x1p40), 1e-9);  // not seeded: one false alarm in 10^9 runs
}

TEST(DiscreteLaplaceLarge, CannotBeToldFromTheContinuousOne) {
  for (const double scale : large_scales) {
    if (scale < 0x1p20) continue;
    const Samples samples = draw(scale, N);
    EXPECT_GT(kolmogorov_smirnov_p(samples, [=](double x) { return laplace_cdf(x / scale); }), ALPHA)
        << scale;
    EXPECT_LT(kolmogorov_smirnov_p(samples, [=](double x) { return laplace_cdf(x / scale / 1.03); }),
              CERTAIN);
  }
}

// ln P(|X| in bin k) / P(|X| in bin k + 1) = width / t in every bin: the slope that privacy rests on.
TEST(DiscreteLaplaceLarge, HasTheSameSlopeEverywhere) {
  constexpr std::size_t bins = 24;
  constexpr double width = 0.25;
  for (const double scale : large_scales) {
    std::array<double, bins> counts{};
    const auto bin_width = static_cast<std::int64_t>(std::ceil(width * scale));
    for (const std::int64_t sample : draw(scale, N)) {
      const auto bin = static_cast<std::size_t>(sample / bin_width);
      if (sample > 0 && bin < bins) ++counts[bin];
    }
    const double slope = static_cast<double>(bin_width) / scale;
    for (std::size_t k = 1; k + 1 < bins; ++k) {  // bin 0 lacks the 0
      const double error = std::sqrt(1 / counts[k] + 1 / counts[k + 1]);
      EXPECT_GT(normal_p((std::log(counts[k] / counts[k + 1]) - slope) / error), ALPHA) << scale << ' ' << k;
    }
  }
}

// The last bits are as good as uniform, so that nothing of the value under the noise shows in them.
TEST(DiscreteLaplaceLarge, HasUniformLastBits) {
  for (const double scale : large_scales) {
    if (scale < 0x1p20) continue;
    Samples last(N);
    const Samples samples = draw(scale, N);
    for (std::size_t i = 0; i < N; ++i) last[i] = samples[i] & 255;
    const auto uniform = [](std::int64_t k) { return k >= 0 ? 1 / 256.0 : 0; };
    EXPECT_GT(chi_square_fit_p(last, 255, uniform), ALPHA) << scale;
  }
}

TEST(DiscreteLaplaceLarge, AgreesWithTheSlowSampler) {
  constexpr std::size_t count = 200'000;
  const auto stream = SeededSource(SEED).stream(1);
  const CksLaplace laplace(std::uint64_t{1} << 40, 1);
  Samples slow(count), fast = draw(0x1p40, count);
  for (std::int64_t& sample : slow) sample = laplace.draw(*stream) >> 35;
  for (std::int64_t& sample : fast) sample >>= 35;
  EXPECT_GT(chi_square_two_sample_p(fast, slow), ALPHA);
}

}  // namespace
}  // namespace hushwalk::testing
