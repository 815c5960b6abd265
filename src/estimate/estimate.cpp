#include "estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accounting/taper.h"
#include "estimate/rank_range.h"

namespace hushwalk {
namespace {

// theta_1 [v ~ s] / d_s + (sum of the further theta) value_v / max(sum of values, least).
struct Shape {
  double least, near_noise, far_noise;
};
Estimate to_scores(std::vector<double> values, const SeedVector& seed, const OwnLinks& own,
                   const Series& theta, const Shape& shape) {
  double sum = 0;
  for (const auto& [node, weight] : seed.entries()) values[node] = 0;  // never listed
  for (const double value : values) sum += value;
  sum = std::max(sum, shape.least);
  const double factor = sum > 0 ? theta.beyond_one() / sum : 0;
  for (double& value : values) value *= factor;
  own.add_to(values, theta.one);
  const double error = std::numbers::sqrt2 * std::abs(factor);
  return {std::move(values), error * shape.near_noise, error * shape.far_noise};
}

}  // namespace

std::vector<double> to_links(std::span<const std::int64_t> units) {
  constexpr double per_unit = 1.0 / accounting::QuantisedTaper::unit;  // a power of two: nothing is rounded
  std::vector<double> links(units.size());
  std::ranges::transform(units, links.begin(),
                         [](std::int64_t unit) { return static_cast<double>(unit) * per_unit; });
  return links;
}

// A negative count is noise. The sum is not trusted below one link a node, so that noise cannot turn the
// ranking round.
Estimate estimate_two_hop(NoisyTwoHop noisy, const SeedVector& seed, const OwnLinks& own,
                          const Series& theta) {
  for (double& value : noisy.values) value = std::max(0.0, value);
  const double least = static_cast<double>(noisy.values.size());
  // A link counts for at most 1 in y, so that neighbours have no fewer links than y says.
  const auto doubt =
      rank_doubt(near_links(own, noisy.values, std::numbers::sqrt2 * std::max(noisy.b_in, noisy.b_out)),
                 noisy.values.size(), theta);
  Estimate found = to_scores(std::move(noisy.values), seed, own, theta, {least, noisy.b_in, noisy.b_out});
  found.doubt = doubt;
  return found;
}

}  // namespace hushwalk
