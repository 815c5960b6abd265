// Sums of products in four interleaved sums, whatever the processor, so that they are the same bits
// everywhere. Compilers do not reorder sums themselves, and would add one product after the other.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace hushwalk {

using TwoLanes = double __attribute__((vector_size(16)));

inline TwoLanes two_lanes(const double* at) {
  TwoLanes lanes;
  std::memcpy(&lanes, at, sizeof lanes);
  return lanes;
}

inline double sum_of(std::span<const double> values) {
  TwoLanes even{}, odd{};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    even += two_lanes(&values[i]);
    odd += two_lanes(&values[i + 2]);
  }
  even += odd;
  double sum = even[0] + even[1];
  for (const double value : values.subspan(i)) sum += value;
  return sum;
}

// Of `size` products; a multiple of four.
template <std::size_t size>
double sum_of_products(const double* a, const double* b) {
  static_assert(size % 4 == 0);
  TwoLanes even{}, odd{};
  for (std::size_t i = 0; i < size; i += 4) {
    even += two_lanes(a + i) * two_lanes(b + i);
    odd += two_lanes(a + i + 2) * two_lanes(b + i + 2);
  }
  even += odd;
  return even[0] + even[1];
}

// Adds factor * a to sum.
template <std::size_t size>
void add_multiple(double factor, const double* a, double* sum) {
  static_assert(size % 2 == 0);
  for (std::size_t i = 0; i < size; i += 2) {
    const TwoLanes lanes = two_lanes(sum + i) + factor * two_lanes(a + i);
    std::memcpy(sum + i, &lanes, sizeof lanes);
  }
}

}  // namespace hushwalk
