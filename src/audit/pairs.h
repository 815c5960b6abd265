// Graphs that differ in one edge, chosen so that the edge moves as much as a proof allows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hushwalk/graph.h"
#include "hushwalk/seed.h"
#include "hushwalk/step.h"

namespace hushwalk::auditing {

using Edge = std::pair<Node, Node>;

// The graph with `edges`, and its neighbour that has `edge` too.
struct AdjacentPair {
  std::string name;
  std::uint64_t nodes;
  std::vector<Edge> edges;
  Edge edge;
  SeedVector seed;

  Graph without() const;
  Graph with() const;
};

// In personalized scope no edge touches its seed. `degree` is how many leaves hubs have.
std::vector<AdjacentPair> worst_pairs(Scope scope, Node degree = 3);

}  // namespace hushwalk::auditing
