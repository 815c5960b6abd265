// Graphs of a few nodes as matrices, for brute force over graphs, edges and inputs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "support/seeded.h"

namespace hushwalk::testing {

class SmallGraph {
 public:
  explicit SmallGraph(std::size_t nodes) : n_(nodes), linked_(nodes * nodes, 0), degree_(nodes, 0) {}

  std::size_t nodes() const { return n_; }
  bool linked(std::size_t u, std::size_t v) const { return linked_[u * n_ + v] != 0; }
  std::size_t degree(std::size_t v) const { return degree_[v]; }
  std::size_t edges() const {
    std::size_t sum = 0;
    for (const std::size_t d : degree_) sum += d;
    return sum / 2;
  }

  void link(std::size_t u, std::size_t v) {
    if (u == v || linked(u, v)) return;
    linked_[u * n_ + v] = linked_[v * n_ + u] = 1;
    ++degree_[u], ++degree_[v];
  }
  SmallGraph with(std::size_t u, std::size_t v) const {
    SmallGraph other = *this;
    other.link(u, v);
    return other;
  }

 private:
  std::size_t n_;
  std::vector<char> linked_;
  std::vector<std::size_t> degree_;
};

// A graph without the edge (u, v), which its neighbour has.
struct Pair {
  SmallGraph graph;
  std::size_t u, v;
  SmallGraph neighbor() const { return graph.with(u, v); }
};

// From no edge to nearly all; `fixed` nodes at the front are not touched by the edge.
inline Pair random_pair(Seeded& random, std::size_t max_nodes, std::size_t fixed) {
  const std::size_t n = fixed + 2 + random.below(max_nodes - fixed - 1);
  const std::size_t u = fixed + random.below(n - fixed),
                    v = fixed + (u - fixed + 1 + random.below(n - fixed - 1)) % (n - fixed);
  const double density = random.uniform();
  SmallGraph graph(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!(std::min(u, v) == b && std::max(u, v) == a) && random.uniform() < density) graph.link(a, b);
  return {graph, u, v};
}

inline double l1_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

// (walk P + stay I) x
inline std::vector<double> small_step(const SmallGraph& graph, double walk, double stay,
                                      const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    y[v] += stay * x[v];
    for (std::size_t u = 0; u < x.size(); ++u)
      if (graph.linked(u, v)) y[v] += walk * x[u] / static_cast<double>(graph.degree(u));
  }
  return y;
}

// Two hubs of the same number of leaves; the edge between the hubs (nodes 0 and 1) is not there yet.
inline Pair double_star(std::size_t leaves) {
  SmallGraph graph(2 + 2 * leaves);
  for (std::size_t i = 0; i < leaves; ++i) {
    graph.link(0, 2 + i);
    graph.link(1, 2 + leaves + i);
  }
  return {graph, 0, 1};
}

// 0 - 2 - 4 - …  and  1 - 3 - 5 - …, to become one path by the edge between 0 and 1.
inline Pair broken_path(std::size_t half) {
  SmallGraph graph(2 * half);
  for (std::size_t i = 2; i < 2 * half; ++i) graph.link(i, i - 2);
  return {graph, 0, 1};
}

}  // namespace hushwalk::testing
