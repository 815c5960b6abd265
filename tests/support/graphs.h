// Small graphs that tests share.
#pragma once

#include <utility>
#include <vector>

#include "hushwalk/graph.h"
#include "support/small_graph.h"

namespace hushwalk::testing {

// Nodes 0..n-1 (ids 1..n) and the given edges.
inline Graph make_graph(std::uint64_t nodes, const std::vector<std::pair<Node, Node>>& edges) {
  return Graph::from_edges(NodeList::range(1, nodes), edges);
}

//  0 - 1 - 2 - 3
inline Graph path4() { return make_graph(4, {{0, 1}, {1, 2}, {2, 3}}); }

// Zachary's karate club, ids 1..34: W. W. Zachary, "An Information Flow Model for Conflict and Fission in
// Small Groups", 1977.
inline Graph karate() {
  return make_graph(
      34, {{0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
           {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
           {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},   {2, 13},  {2, 27},
           {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
           {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
           {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29},
           {23, 32}, {23, 33}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
           {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}});
}

// Four groups of thirty, of which nearly all are linked.
inline Graph four_groups() {
  std::vector<std::pair<Node, Node>> edges;
  for (Node a = 0; a < 120; ++a)
    for (Node b = 0; b < a; ++b)
      if (a / 30 == b / 30 && (a + b) % 7 != 0) edges.emplace_back(b, a);
  return make_graph(120, edges);
}

inline Graph to_graph(const SmallGraph& small) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node a = 0; a < small.nodes(); ++a)
    for (Node b = 0; b < a; ++b)
      if (small.linked(a, b)) edges.emplace_back(a, b);
  return make_graph(small.nodes(), edges);
}

}  // namespace hushwalk::testing
