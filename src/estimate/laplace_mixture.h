// Empirical Bayes for numbers with Laplace noise: which values on a grid, and how often each, would look like
// this? The answer comes from expectation maximisation over the pooled numbers, and each number is then
// replaced by its posterior mean. Post-processing only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "estimate/widening_cells.h"

namespace hushwalk {

// Added to every likelihood: a number that no value of the grid explains then says nothing, instead of
// dividing by zero.
inline constexpr double least_likelihood = 1e-300;

// Where likelihoods of noisy numbers are computed: `per_scale` marks in a scale of noise, further apart from
// 2^bits of them on. A number between two marks counts as a mixture of both. All numbers up to the first
// value that is possible say the same, and so do all from the last one on: with Laplace noise their
// likelihoods differ by a factor only.
template <int bits, int per_scale>
class LaplaceMarks {
 public:
  using Cells = WideningCells<bits>;

  LaplaceMarks(double first, double last, double scale)
      : first_(first), last_(last), per_link_(per_scale / scale) {}

  typename Cells::Place place(double x) const {
    return Cells::place((std::clamp(x, first_, last_) - first_) * per_link_);
  }
  std::vector<double> positions() const {
    std::vector<double> marks(place(last_).cell + 2);
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = first_ + Cells::begin(i) / per_link_;
    return marks;
  }
  // At a number, of something known at the marks.
  double between(const double* at_marks, double x) const {
    const auto [cell, within] = place(x);
    return at_marks[cell] + within * (at_marks[cell + 1] - at_marks[cell]);
  }

 private:
  double first_, last_, per_link_;
};

// Sums over values on a grid, or over marks, of mass e^(-distance / scale), again and again with new masses:
// what lies on either side decays as one number from one grid value to the next, so that all sums together
// take as long as there are values and marks.
class LaplaceMixture {
 public:
  // Both ascend, and no mark lies before the grid.
  LaplaceMixture(std::span<const double> grid, std::span<const double> marks, double scale);

  void sum_at_marks(std::span<const double> mass, std::span<double> sums);
  void sum_on_grid(std::span<const double> mass, std::span<double> sums);

 private:
  std::vector<double> decay_;           // of each grid value: from the one before
  std::vector<std::size_t> first_;      // of each grid value: the first mark from it on
  std::vector<double> before_, after_;  // of each mark: from the grid value at or before it, from the next
  std::vector<double> left_, right_;    // scratch: what comes from either side
};

struct Prior {
  std::vector<double> grid;  // ascending
  std::vector<double> mass;  // sums to 1
};

// `rounds` of expectation maximisation from this prior.
void fit_prior(Prior& prior, std::span<const double> noisy, double scale, int rounds);

// Posterior means. A number far above its noise stands for itself, so that the grid does not round it.
std::vector<double> posterior_means(const Prior& prior, std::span<const double> noisy, double scale);

}  // namespace hushwalk
