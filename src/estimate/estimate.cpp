#include "estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accounting/taper.h"

namespace hushwalk {
namespace {

// theta_1 [v ~ s] / d_s + (sum of the further theta) value_v / max(sum of values, least), the error of a
// value being `slope` times its noise.
struct Shape {
  double least, near_noise, far_noise, slope;
};
Estimate to_scores(std::vector<double> values, const SeedVector& seed, const OwnLinks* own,
                   const Series& theta, const Shape& shape) {
  double sum = 0;
  for (const auto& [node, weight] : seed.entries()) values[node] = 0;  // never listed
  for (const double value : values) sum += value;
  sum = std::max(sum, shape.least);
  const double factor = sum > 0 ? theta.beyond_one() / sum : 0;
  for (double& value : values) value *= factor;
  if (own != nullptr)
    for (std::size_t i = 0; i < own->near.size(); ++i) values[own->near[i]] += theta.one * own->share[i];
  const double error = std::numbers::sqrt2 * shape.slope * std::abs(factor);
  return {std::move(values), error * shape.near_noise, error * shape.far_noise};
}

struct Moments {
  double mean = 0, variance = 0;
};
Moments moments(const std::vector<double>& values) {
  Moments found;
  const double count = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / count;
  for (const double value : values) found.variance += (value - found.mean) * (value - found.mean) / count;
  return found;
}

}  // namespace

std::vector<double> to_links(std::span<const std::int64_t> units) {
  std::vector<double> links(units.size());
  std::ranges::transform(units, links.begin(), [](std::int64_t unit) {
    return std::ldexp(static_cast<double>(unit), -accounting::QuantisedTaper::fraction_bits);
  });
  return links;
}

// Linear empirical Bayes: the spread of B beyond that of its noise says how much of a difference to believe.
// Two floors keep the order of the noisy numbers where nothing can be believed: equal values would be ranked
// by their ids, which may follow the edges.
Estimate estimate_shared(NoisyBackground noisy, const SeedVector& seed, const OwnLinks* own,
                         const Series& theta) {
  constexpr double least_slope = 0.05;  // in means per scale of noise
  const auto [raw_mean, variance] = moments(noisy.values);
  const double b = noisy.scale, count = static_cast<double>(noisy.values.size());
  const double mean = std::max(raw_mean, b * std::sqrt(2 / count));
  // Pure noise has the variance 2 b^2, and a sample of it strays by sqrt(5 / n) of that.
  const double noise_variance = 2 * b * b * (1 + 2 * std::sqrt(5 / count));
  const double believed = variance > 0 ? 1 - noise_variance / variance : 0;
  const double slope = std::min(1.0, std::max(believed, least_slope * mean / b));
  for (double& value : noisy.values) value = std::max(0.0, mean + slope * (value - mean));
  return to_scores(std::move(noisy.values), seed, own, theta, {0, b, b, slope});
}

// A negative count is noise. The sum is not trusted below one link a node, so that noise cannot turn the
// ranking round.
Estimate estimate_two_hop(NoisyTwoHop noisy, const SeedVector& seed, const OwnLinks& own,
                          const Series& theta) {
  for (double& value : noisy.values) value = std::max(0.0, value);
  const double least = static_cast<double>(noisy.values.size());
  return to_scores(std::move(noisy.values), seed, &own, theta, {least, noisy.b_in, noisy.b_out, 1});
}

}  // namespace hushwalk
