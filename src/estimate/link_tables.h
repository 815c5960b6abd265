// How likely a noisy count of links is, for rates on a grid: Poisson(rate) links under discrete Laplace
// noise.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hushwalk {

// ln x!, on any thread: std::lgamma writes to a variable of the whole process.
inline double log_factorial(double x) {
  int sign = 0;
  return ::lgamma_r(x + 1, &sign);
}

// A logarithmic grid of rates: index i stands for step^i. A factor between two rates is a difference of
// indices.
struct RateGrid {
  static constexpr int rates = 110, of_one = 50;          // how many there are; which of them is 1
  static constexpr int factors = 44, first_factor = -20;  // by which a rate may differ from the expected one
  static constexpr int least = -28, most = 34;            // the indices that an expected rate may have
  static double step() { return 1.25; }
  static double value(int index) { return std::pow(step(), index); }
  static int index(double rate);  // of the nearest one, within least and most
};

class LinkTables {
 public:
  // For counts within these bounds; others are taken for the nearest.
  LinkTables(double scale, std::int64_t lowest, std::int64_t highest);

  // Where the likelihoods of a count lie for an expected rate of this index and a factor of index 0.
  std::int32_t place(std::int64_t count, int expected) const;
  // At a place plus the index of a factor: likelihoods; and the logarithm of them with the rate blurred.
  const float* likelihood() const { return likelihood_.data(); }
  const float* blurred_log() const { return blurred_log_.data(); }

 private:
  void fill(double rate, std::size_t column, double decay);
  void blur();

  std::int64_t lowest_, highest_;
  std::vector<float> likelihood_, blurred_log_;  // a row of all rates for each count
};

}  // namespace hushwalk
