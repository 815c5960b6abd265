#include "mechanism/estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace hushwalk {
namespace {

// The share of a first step, for those the recipient knows.
void add_first_step(const OwnLinks* own, const Series& theta, std::vector<double>& scores) {
  if (own == nullptr) return;
  for (std::size_t i = 0; i < own->near.size(); ++i) scores[own->near[i]] += theta.one * own->share[i];
}

}  // namespace

Shrunk shrink(const NoisyBackground& noisy) {
  Shrunk shrunk{.values = {noisy.values.begin(), noisy.values.end()}, .sum = 0, .slope = 1};
  for (double& value : shrunk.values) shrunk.sum += value = std::max(value, 0.0);
  return shrunk;
}

Estimate estimate_shared(const Shrunk& background, double scale, const OwnLinks* own, const Series& theta) {
  Estimate estimate;
  const double factor = background.sum > 0 ? theta.beyond_one() / background.sum : 0;
  estimate.scores.resize(background.values.size());
  std::ranges::transform(background.values, estimate.scores.begin(),
                         [&](double value) { return factor * value; });
  add_first_step(own, theta, estimate.scores);
  estimate.near_error = estimate.far_error =
      std::numbers::sqrt2 * scale * background.slope * std::abs(factor);
  return estimate;
}

Estimate estimate_two_hop(const NoisyTwoHop& noisy, const SeedVector&, const OwnLinks& own,
                          const Series& theta) {
  const double sum = std::accumulate(noisy.values.begin(), noisy.values.end(), 0.0);
  const double least = noisy.b_out * std::sqrt(static_cast<double>(noisy.values.size()));
  const double factor = theta.beyond_one() / std::max(sum, least);
  Estimate estimate;
  estimate.scores.resize(noisy.values.size());
  std::ranges::transform(noisy.values, estimate.scores.begin(), [&](double value) { return factor * value; });
  add_first_step(&own, theta, estimate.scores);
  estimate.near_error = std::numbers::sqrt2 * noisy.b_in * std::abs(factor);
  estimate.far_error = std::numbers::sqrt2 * noisy.b_out * std::abs(factor);
  return estimate;
}

}  // namespace hushwalk
