#include "estimate/laplace_mixture.h"

#include <cmath>

namespace hushwalk {
namespace {

constexpr double sure_from = 20;  // in scales of noise

using Marks = LaplaceMarks<4, 4>;

double decay(double distance, double scale) {
  constexpr double deepest = 200;  // e^-200 is unlikely enough, and above 0
  return std::exp(-std::min(deepest, distance / scale));
}

// The part of all numbers at each mark.
std::vector<double> parts(const Marks& marks, std::size_t count, std::span<const double> noisy) {
  std::vector<double> part(count);
  for (const double x : noisy) {
    const auto [cell, within] = marks.place(x);
    part[cell] += 1 - within;
    part[cell + 1] += within;
  }
  for (double& numbers : part) numbers /= static_cast<double>(noisy.size());
  return part;
}

}  // namespace

LaplaceMixture::LaplaceMixture(std::span<const double> grid, std::span<const double> marks, double scale)
    : decay_(grid.size()), first_(grid.size() + 1), before_(marks.size()), after_(marks.size()) {
  for (std::size_t j = 1; j < grid.size(); ++j) decay_[j] = decay(grid[j] - grid[j - 1], scale);
  std::size_t mark = 0;
  for (std::size_t j = 0; j < grid.size(); ++j) {
    const bool last = j + 1 == grid.size();
    for (first_[j] = mark; mark < marks.size() && (last || marks[mark] < grid[j + 1]); ++mark) {
      before_[mark] = decay(marks[mark] - grid[j], scale);
      after_[mark] = last ? 0 : decay(grid[j + 1] - marks[mark], scale);
    }
  }
  first_.back() = mark;
}

void LaplaceMixture::sum_at_marks(std::span<const double> mass, std::span<double> sums) {
  left_.assign(mass.begin(), mass.end());
  right_.assign(mass.begin(), mass.end());
  right_.push_back(0);
  for (std::size_t j = 1; j < mass.size(); ++j) left_[j] += left_[j - 1] * decay_[j];
  for (std::size_t j = mass.size() - 1; j-- > 0;) right_[j] += right_[j + 1] * decay_[j + 1];
  for (std::size_t j = 0; j < mass.size(); ++j)
    for (std::size_t i = first_[j]; i < first_[j + 1]; ++i)
      sums[i] = left_[j] * before_[i] + right_[j + 1] * after_[i];
}

void LaplaceMixture::sum_on_grid(std::span<const double> mass, std::span<double> sums) {
  left_.assign(sums.size() + 1, 0);
  right_.assign(sums.size(), 0);
  for (std::size_t j = 0; j < sums.size(); ++j)
    for (std::size_t i = first_[j]; i < first_[j + 1]; ++i) {
      right_[j] += mass[i] * before_[i];
      left_[j + 1] += mass[i] * after_[i];
    }
  for (std::size_t j = 1; j < sums.size(); ++j) left_[j] += left_[j - 1] * decay_[j];
  for (std::size_t j = sums.size() - 1; j-- > 0;) right_[j] += right_[j + 1] * decay_[j + 1];
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] = left_[j] + right_[j];
}

void fit_prior(Prior& prior, std::span<const double> noisy, double scale, int rounds) {
  const Marks marks(prior.grid.front(), prior.grid.back(), scale);
  const std::vector<double> at = marks.positions(), part = parts(marks, at.size(), noisy);
  LaplaceMixture mixture(prior.grid, at, scale);
  std::vector<double> ratio(at.size()), evidence(prior.grid.size());
  for (int round = 0; round < rounds; ++round) {
    mixture.sum_at_marks(prior.mass, ratio);
    for (std::size_t i = 0; i < ratio.size(); ++i) ratio[i] = part[i] / (ratio[i] + least_likelihood);
    mixture.sum_on_grid(ratio, evidence);
    for (std::size_t j = 0; j < evidence.size(); ++j) prior.mass[j] *= evidence[j];
  }
}

std::vector<double> posterior_means(const Prior& prior, std::span<const double> noisy, double scale) {
  const double sure = sure_from * scale;
  const Marks marks(prior.grid.front(), std::clamp(sure, prior.grid.front(), prior.grid.back()), scale);
  const std::vector<double> at = marks.positions();
  LaplaceMixture mixture(prior.grid, at, scale);
  std::vector<double> moment(prior.grid.size()), mean(at.size()), likelihood(at.size());
  for (std::size_t j = 0; j < moment.size(); ++j) moment[j] = prior.grid[j] * prior.mass[j];
  mixture.sum_at_marks(moment, mean);
  mixture.sum_at_marks(prior.mass, likelihood);
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] /= likelihood[i] + least_likelihood;
  std::vector<double> means(noisy.begin(), noisy.end());
  for (double& x : means)
    if (x <= sure) x = marks.between(mean.data(), x);
  return means;
}

}  // namespace hushwalk
