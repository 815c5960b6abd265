// Empirical Bayes for numbers with Laplace noise: which values on a grid, and how often each, would look like
// this? The answer comes from expectation maximisation over the pooled numbers, and each number is then
// replaced by its posterior mean. Post-processing only.
#pragma once

#include <span>
#include <vector>

namespace hushwalk {

// sum over i of mass_i e^(-|x - position_i| / scale) for any x, in logarithmic time: what lies on either side
// of x decays from the nearest position as one number.
class LaplaceSum {
 public:
  // Positions ascend.
  LaplaceSum(std::span<const double> positions, std::span<const double> masses, double scale);
  double at(double x) const;

 private:
  std::span<const double> positions_;
  std::vector<double> left_, right_;  // the sum over all positions up to here, and from here on
  double scale_;
};

struct Prior {
  std::vector<double> grid;  // ascending
  std::vector<double> mass;  // sums to 1
};

// `rounds` of expectation maximisation from this prior. The numbers are pooled in cells of a quarter scale.
void fit_prior(Prior& prior, std::span<const double> noisy, double scale, int rounds);

// Posterior means. A number far above its noise stands for itself, so that the grid does not round it.
std::vector<double> posterior_means(const Prior& prior, std::span<const double> noisy, double scale);

}  // namespace hushwalk
