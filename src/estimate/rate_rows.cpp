#include "estimate/rate_rows.h"

#include <algorithm>

#include "estimate/lanes.h"
#include "estimate/link_tables.h"

namespace hushwalk {
namespace {

// How many counts a grid point stands for: half the way between its neighbours, or the way to the only one.
std::vector<double> widths(std::span<const double> grid) {
  if (grid.size() < 2) return {1};
  std::vector<double> width(grid.size());
  for (std::size_t j = 1; j + 1 < grid.size(); ++j) width[j] = (grid[j + 1] - grid[j - 1]) / 2;
  width.front() = grid[1] - grid[0];
  width.back() = grid.back() - grid[grid.size() - 2];
  return width;
}

// Turns logarithms of weights into probabilities.
void normalise(std::span<double> law) {
  constexpr double negligible = -40;
  const double highest = std::ranges::max(law);
  for (double& value : law) value = value - highest < negligible ? 0 : std::exp(value - highest);
  const double sum = sum_of(law);
  for (double& value : law) value /= sum;
}

}  // namespace

std::vector<double> count_grid(int most) {
  constexpr int all_up_to = 16;
  constexpr double growth = 1.15;
  std::vector<double> grid;
  for (int count = 0; count <= std::min(all_up_to, most); ++count) grid.push_back(count);
  while (grid.back() < most) grid.push_back(std::min<double>(std::ceil(grid.back() * growth), most));
  return grid;
}

RateRows::RateRows(std::span<const double> grid, int from, int to)
    : counts_(grid.size()), from_(from), laws_(static_cast<std::size_t>(to - from + 1) * counts_) {
  std::vector<double> log_weight = widths(grid);
  for (std::size_t j = 0; j < counts_; ++j) log_weight[j] = std::log(log_weight[j]) - log_factorial(grid[j]);
  for (int row = from; row <= to; ++row) {
    const double log_rate = std::log(RateRow::rate(row));
    const std::span law = std::span(laws_).subspan(static_cast<std::size_t>(row - from) * counts_, counts_);
    for (std::size_t j = 0; j < counts_; ++j) law[j] = grid[j] * log_rate + log_weight[j];
    normalise(law);
  }
}

}  // namespace hushwalk
