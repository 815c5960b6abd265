// Pooling: numbers that fall into the same cell are worked on once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace hushwalk {

inline constexpr double cells_per_scale = 4;  // of noise
// Added to every likelihood: a number that no value of the grid explains then says nothing, instead of
// dividing by zero.
inline constexpr double least_likelihood = 1e-300;

inline double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

struct Pool {
  std::vector<std::int64_t> keys;  // distinct, ascending
  std::vector<double> counts;      // of each

  void add(std::int64_t key, double count) {
    keys.push_back(key);
    counts.push_back(count);
  }
  std::size_t find(std::int64_t key) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(keys, key) - keys.begin());
  }
};

inline Pool pool_sorted(std::span<const std::int64_t> keys) {
  Pool pool;
  for (const std::int64_t key : keys) {
    if (pool.keys.empty() || pool.keys.back() != key) pool.add(key, 0);
    ++pool.counts.back();
  }
  return pool;
}

inline Pool pool_dense(std::span<const std::int64_t> keys, std::int64_t lowest, std::size_t range) {
  std::vector<std::uint32_t> counts(range);
  for (const std::int64_t key : keys) ++counts[static_cast<std::size_t>(key - lowest)];
  Pool pool;
  for (std::size_t i = 0; i < range; ++i)
    if (counts[i] > 0) pool.add(lowest + static_cast<std::int64_t>(i), counts[i]);
  return pool;
}

// Keys below 2^62 in size. Counts in a table where that is not much longer than the keys, else sorts.
template <class KeyOf>
Pool pool_by(std::size_t size, const KeyOf& key_of) {
  if (size == 0) return {};
  std::vector<std::int64_t> keys(size);
  for (std::size_t i = 0; i < size; ++i) keys[i] = key_of(i);
  const auto [lowest, highest] = std::ranges::minmax(keys);
  const std::size_t range = static_cast<std::size_t>(highest - lowest) + 1;
  if (range / 4 < size) return pool_dense(keys, lowest, range);
  std::ranges::sort(keys);
  return pool_sorted(keys);
}

}  // namespace hushwalk
