// How work and ranges are dealt out to processes: pure functions, the same in all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace hushwalk {

// Ranges of positions, one after the other: process p has those from starts[p] to starts[p + 1].
struct Cuts {
  std::vector<std::uint64_t> starts;

  std::size_t owner_of(std::uint64_t position) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts, position) - starts.begin() - 1);
  }
  std::uint64_t first(std::size_t process) const { return starts[process]; }
  std::uint64_t size(std::size_t process) const { return starts[process + 1] - starts[process]; }
};

// As equal as can be.
inline Cuts equal_cuts(std::uint64_t count, std::size_t processes) {
  Cuts cuts;
  for (std::uint64_t p = 0; p <= processes; ++p)
    cuts.starts.push_back(count / processes * p + count % processes * p / processes);
  return cuts;
}

// Of a sample of all keys, those at which the parts 1, 2, … begin: each part gets about as many keys. A key
// belongs to part_of_key(), equal keys to the same.
template <class Key>
std::vector<Key> splitters_of(std::vector<Key> sample, std::size_t parts) {
  std::ranges::sort(sample);
  std::vector<Key> splitters;
  for (std::size_t part = 1; part < parts && !sample.empty(); ++part)
    splitters.push_back(sample[sample.size() * part / parts]);
  return splitters;
}

template <class Key>
std::size_t part_of_key(const std::vector<Key>& splitters, const auto& key) {
  return static_cast<std::size_t>(std::ranges::upper_bound(splitters, key) - splitters.begin());
}

// Which process reads which file: the largest first, each by the process that has least to read by then.
// `first` is read by the first process.
inline std::vector<std::size_t> deal_files(const std::vector<std::uint64_t>& sizes, std::size_t processes,
                                           std::size_t first) {
  std::vector<std::size_t> order(sizes.size()), reader(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t file) { return std::pair(file == first, sizes[file]); });
  std::vector<std::uint64_t> load(processes);
  for (const std::size_t file : order) {
    reader[file] = static_cast<std::size_t>(std::ranges::min_element(load) - load.begin());
    load[reader[file]] += sizes[file] + 1;  // many empty files are work, too
  }
  return reader;
}

}  // namespace hushwalk
