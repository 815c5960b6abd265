// Pooling: numbers that fall into the same cell are worked on once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hushwalk {

struct Pool {
  std::vector<std::int64_t> keys;  // distinct, ascending
  std::vector<double> counts;      // of each
  std::size_t find(std::int64_t key) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(keys, key) - keys.begin());
  }
};

template <class KeyOf>
Pool pool_by(std::size_t size, const KeyOf& key_of) {
  std::vector<std::int64_t> sorted(size);
  for (std::size_t i = 0; i < size; ++i) sorted[i] = key_of(i);
  std::ranges::sort(sorted);
  Pool pool;
  for (const std::int64_t key : sorted) {
    if (pool.keys.empty() || pool.keys.back() != key) {
      pool.keys.push_back(key);
      pool.counts.push_back(0);
    }
    ++pool.counts.back();
  }
  return pool;
}

}  // namespace hushwalk
