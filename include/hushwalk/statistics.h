// What a graph looks like. Exact, so not private: for the custodian only.
#pragma once

#include <cstdint>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk {

struct DegreeBin {
  std::uint64_t from, to;  // degrees in [from, to]
  std::uint64_t nodes;
};

struct GraphStatistics {
  std::uint64_t nodes, edges, isolated;
  std::uint64_t min_degree, median_degree, p90_degree, p99_degree, max_degree;  // lower quantiles
  double mean_degree;
  std::vector<DegreeBin> degrees;  // 0, 1, 2-3, 4-7, …
  std::uint64_t components, largest_component;
  // Exact when there are few wedges (paths of two edges), else from 400,000 of them, always the same:
  // standard error at most 0.0008.
  double clustering;    // mean local coefficient over nodes of degree >= 2
  double transitivity;  // closed share of all wedges
  bool sampled;         // clustering and transitivity are estimates: there are too many wedges to count
};

GraphStatistics statistics(const Graph& graph);

}  // namespace hushwalk
