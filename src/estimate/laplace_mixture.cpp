#include "estimate/laplace_mixture.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "estimate/pool.h"

namespace hushwalk {
namespace {

constexpr double sure_from = 20;  // in scales of noise

}  // namespace

LaplaceSum::LaplaceSum(std::span<const double> positions, std::span<const double> masses, double scale)
    : positions_(positions),
      left_(masses.begin(), masses.end()),
      right_(masses.begin(), masses.end()),
      scale_(scale) {
  for (std::size_t i = 1; i < positions.size(); ++i) {
    const std::size_t j = positions.size() - i;
    left_[i] += left_[i - 1] * std::exp((positions[i - 1] - positions[i]) / scale);
    right_[j - 1] += right_[j] * std::exp((positions[j - 1] - positions[j]) / scale);
  }
}

double LaplaceSum::at(double x) const {
  const auto next = static_cast<std::size_t>(std::ranges::upper_bound(positions_, x) - positions_.begin());
  double sum = 0;
  if (next > 0) sum += left_[next - 1] * std::exp((positions_[next - 1] - x) / scale_);
  if (next < positions_.size()) sum += right_[next] * std::exp((x - positions_[next]) / scale_);
  return sum;
}

void fit_prior(Prior& prior, std::span<const double> noisy, double scale, int rounds) {
  const double lowest = std::ranges::min(noisy), width = scale / cells_per_scale;
  const Pool pool =
      pool_by(noisy.size(), [&](std::size_t i) { return std::llrint((noisy[i] - lowest) / width); });
  std::vector<double> cell(pool.keys.size()), ratio(pool.keys.size());
  for (std::size_t i = 0; i < cell.size(); ++i) cell[i] = lowest + static_cast<double>(pool.keys[i]) * width;
  const auto count = static_cast<double>(noisy.size());
  for (int round = 0; round < rounds; ++round) {
    const LaplaceSum likelihood(prior.grid, prior.mass, scale);
    const double least = least_likelihood * sum_of(prior.mass);
    for (std::size_t i = 0; i < cell.size(); ++i)
      ratio[i] = pool.counts[i] / count / (likelihood.at(cell[i]) + least);
    const LaplaceSum evidence(cell, ratio, scale);
    const double floor = least_likelihood * sum_of(ratio);
    for (std::size_t j = 0; j < prior.grid.size(); ++j) prior.mass[j] *= evidence.at(prior.grid[j]) + floor;
  }
}

std::vector<double> posterior_means(const Prior& prior, std::span<const double> noisy, double scale) {
  std::vector<double> moment(prior.grid.size());
  std::ranges::transform(prior.grid, prior.mass, moment.begin(), std::multiplies());
  const LaplaceSum likelihood(prior.grid, prior.mass, scale), first(prior.grid, moment, scale);
  const double least = least_likelihood * sum_of(prior.mass), least_first = least_likelihood * sum_of(moment);
  std::vector<double> means(noisy.begin(), noisy.end());
  for (double& x : means)
    if (x <= sure_from * scale) x = (first.at(x) + least_first) / (likelihood.at(x) + least);
  return means;
}

}  // namespace hushwalk
