#include "bench_graph.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace hushwalk::bench {

// Of the size of BlogCatalog, with a power law of degrees: endpoints are drawn with probability proportional
// to (rank + 12)^-0.75.
Graph bench_graph() {
  constexpr std::uint32_t nodes = 10'312;
  constexpr std::size_t edges = 333'983;
  std::vector<double> weights(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) weights[i] = std::pow(i + 12.0, -0.75);
  std::mt19937_64 random(1);
  std::shuffle(weights.begin(), weights.end(), random);  // ids say nothing about degrees
  std::discrete_distribution<Node> end(weights.begin(), weights.end());
  std::set<std::pair<Node, Node>> chosen;
  while (chosen.size() < edges) {
    const Node u = end(random), v = end(random);
    if (u != v) chosen.insert(std::minmax(u, v));
  }
  return Graph::from_edges(NodeList::range(1, nodes), {chosen.begin(), chosen.end()});
}

}  // namespace hushwalk::bench
