// Random small graphs and seeds for property tests.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "hushwalk/diffuse.h"
#include "support/graphs.h"

namespace hushwalk::testing {

// Up to `max_nodes` nodes, from no edge to many; some nodes isolated, some of high degree.
inline Graph arbitrary_graph(std::uint32_t max_nodes = 40) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, max_nodes + 1);
  const auto end = rc::gen::inRange<Node>(0, nodes);
  auto edges = *rc::gen::container<std::vector<std::pair<Node, Node>>>(rc::gen::pair(end, end));
  if (*rc::gen::arbitrary<bool>())
    for (Node v = 1; v < nodes; v += 2) edges.emplace_back(0, v);  // a hub
  return make_graph(nodes, edges);
}

inline Node arbitrary_node(const Graph& graph) {
  return *rc::gen::inRange<Node>(0, static_cast<Node>(graph.nodes()));
}

inline SeedVector arbitrary_seeds(const Graph& graph) {
  const auto nodes =
      *rc::gen::unique<std::vector<Node>>(*rc::gen::inRange<std::size_t>(1, graph.nodes() < 4 ? 2 : 4),
                                          rc::gen::inRange<Node>(0, static_cast<Node>(graph.nodes())));
  std::vector<std::pair<Node, double>> entries;
  for (const Node node : nodes) entries.emplace_back(node, *rc::gen::inRange(1, 10));
  return SeedVector::weighted(entries);
}

}  // namespace hushwalk::testing
