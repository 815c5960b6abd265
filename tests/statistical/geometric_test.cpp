// Skips from flip to flip have the geometric law.
#include "noise/geometric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/seeded_key.h"
#include "support/statistics.h"

namespace hushwalk {
namespace {

constexpr double ALPHA = 1e-4;
constexpr std::size_t N = 200'000;

std::vector<std::int64_t> skips(double scale) {
  const DiscreteLaplace noise(scale);
  KeyedNoise source(testing::seeded_key(1));
  GeometricSkips geometric(noise, source, 0);
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < N; ++i) samples.push_back(static_cast<std::int64_t>(geometric.next()));
  return samples;
}

double fit(const std::vector<std::int64_t>& samples, double scale) {
  const double q = std::exp(-1 / scale);
  return testing::chi_square_fit_p(samples, static_cast<std::int64_t>(60 * scale), [&](std::int64_t k) {
    return k < 0 ? 0 : (1 - q) * std::pow(q, static_cast<double>(k));
  });
}

TEST(GeometricSkips, HaveTheirLaw) {
  for (const double scale : {1.4426950408889634, 3.19, 20.5, 300.0}) {
    const auto samples = skips(scale);
    EXPECT_GT(fit(samples, scale), ALPHA) << scale;
    EXPECT_LT(fit(samples, scale * 1.06), ALPHA) << scale;  // so small an error would be noticed
  }
}

}  // namespace
}  // namespace hushwalk
