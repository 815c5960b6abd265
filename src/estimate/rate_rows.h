// Counts that are Poisson with rates on a logarithmic grid, as restricted to 0..most. For link_rates.cpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace hushwalk {

// Row r stands for the rate 2^(r / per_octave).
struct RateRow {
  static constexpr int per_octave = 4;
  static double rate(int row) { return std::exp2(static_cast<double>(row) / per_octave); }
  static int nearest(double rate) { return static_cast<int>(std::rint(std::log2(rate) * per_octave)); }
};

// Every count up to 16, then in steps of about 15 %, up to `most`.
std::vector<double> count_grid(int most);

class RateRows {
 public:
  // Of the rows from..to.
  RateRows(std::span<const double> grid, int from, int to);
  // How likely each count of the grid is.
  std::span<const double> law(int row) const {
    return std::span(laws_).subspan(static_cast<std::size_t>(row - from_) * counts_, counts_);
  }

 private:
  std::size_t counts_;
  int from_;
  std::vector<double> laws_;
};

}  // namespace hushwalk
