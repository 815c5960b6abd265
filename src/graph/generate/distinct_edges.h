// The first `count` distinct edges of an endless sequence of random candidates.
//
// That set is a function of the sequence alone, so it does not depend on threads or on how the work is cut:
// rounds of as many candidates as edges are missing can never overshoot, and the last few are found one by
// one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "base/fail.h"
#include "base/parallel.h"
#include "graph/build_csr.h"
#include "hushwalk/progress.h"

namespace hushwalk {

// The smaller node in the high half. A self-loop is `no_edge`.
using EdgeKey = std::uint64_t;
inline constexpr EdgeKey no_edge = 0;

constexpr EdgeKey edge_key(std::uint64_t u, std::uint64_t v) noexcept {
  return u == v ? no_edge : std::min(u, v) << 32 | std::max(u, v);
}

class DistinctEdges {
 public:
  // candidate(i) is a pure function that returns an EdgeKey. Adds candidates 0, 1, … until there are `count`
  // edges in all. Error{usage} when `model` repeats itself too often to get there.
  template <class Candidate>
  void grow_to(std::uint64_t count, const Candidate& candidate, std::string_view model,
               const Progress& progress);

  std::uint64_t size() const noexcept { return edges_.size(); }
  EdgePieces pieces() const;
  EdgePieces take_pieces() &&;

 private:
  static constexpr std::size_t grain = 1 << 14;

  template <class Candidate>
  void add_round(std::uint64_t first, std::uint64_t candidates, const Candidate& candidate);
  void merge(std::vector<EdgeKey>& round);

  std::vector<EdgeKey> edges_;  // ascending
};

template <class Candidate>
void DistinctEdges::grow_to(std::uint64_t count, const Candidate& candidate, std::string_view model,
                            const Progress& progress) {
  // Enough for every sensible density; beyond it only rare pairs are missing and the shape is lost anyway.
  const std::uint64_t limit = 16 * count + 1'000'000;
  const auto check = [&](std::uint64_t tried, std::uint64_t found) {
    if (progress) progress("generating", static_cast<double>(found) / static_cast<double>(count));
    if (tried > limit)
      fail_usage(
          "{} found only {} of {} distinct edges in {} candidates: nearly all pairs of its dense part are taken. Ask for fewer edges or more nodes, or use er, which can be as dense as you like",
          model, found, count, tried);
  };
  std::uint64_t next = 0;
  while (edges_.size() < count && count - edges_.size() > count / 64) {
    check(next, edges_.size());
    const std::uint64_t missing = count - edges_.size();
    add_round(next, missing, candidate);
    next += missing;
  }
  std::unordered_set<EdgeKey> last;
  for (; edges_.size() + last.size() < count; ++next) {
    if (next % grain == 0) check(next, edges_.size() + last.size());
    const EdgeKey key = candidate(next);
    if (key != no_edge && !std::ranges::binary_search(edges_, key)) last.insert(key);
  }
  std::vector<EdgeKey> round(last.begin(), last.end());
  std::ranges::sort(round);
  merge(round);
}

template <class Candidate>
void DistinctEdges::add_round(std::uint64_t first, std::uint64_t candidates, const Candidate& candidate) {
  std::vector<EdgeKey> round(candidates);
  parallel_for(candidates, grain, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) round[i] = candidate(first + i);
  });
  std::erase(round, no_edge);
  parallel_sort(round.begin(), round.end(), std::less<>{});
  round.erase(std::ranges::unique(round).begin(), round.end());
  merge(round);
}

}  // namespace hushwalk
