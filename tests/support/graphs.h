// Small graphs that tests share.
#pragma once

#include <utility>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk::testing {

// Nodes 0..n-1 (ids 1..n) and the given edges.
inline Graph make_graph(std::uint64_t nodes, const std::vector<std::pair<Node, Node>>& edges) {
  return Graph::from_edges(NodeList::range(1, nodes), edges);
}

//  0 - 1 - 2 - 3
inline Graph path4() { return make_graph(4, {{0, 1}, {1, 2}, {2, 3}}); }

}  // namespace hushwalk::testing
