// The separate numbers of `twohop` before noise, against a count over all pairs through the public Graph.
#include <gtest/gtest.h>

#include <algorithm>

#include "mechanism/links.h"
#include "support/graphs.h"
#include "support/seeded.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;
using testing::Seeded;

enum class Part { seed, near, far };

std::vector<Part> parts_of(const Graph& graph, const SeedVector& seed) {
  std::vector<Part> parts(graph.nodes(), Part::far);
  for (Node v = 0; v < graph.nodes(); ++v)
    for (const auto& [s, weight] : seed.entries())
      if (graph.adjacent(s, v)) parts[v] = Part::near;
  for (const auto& [s, weight] : seed.entries()) parts[s] = Part::seed;
  return parts;
}

std::uint64_t links_into(const Graph& graph, const std::vector<Part>& parts, Node v, Part part) {
  std::uint64_t links = 0;
  for (Node u = 0; u < graph.nodes(); ++u) links += parts[u] == part && graph.adjacent(u, v);
  return links;
}

std::uint64_t slow_background(const Graph& graph, const std::vector<Part>& parts, const QuantisedTaper& taper,
                              Node v) {
  std::uint64_t sum = 0;
  for (Node u = 0; u < graph.nodes(); ++u)
    if (parts[u] == Part::far && graph.adjacent(u, v))
      sum += taper.weight(links_into(graph, parts, u, Part::far));
  return sum;
}

Graph random_graph(Seeded& random, Node nodes) {
  const double density = random.uniform() * random.uniform();
  std::vector<std::pair<Node, Node>> edges;
  for (Node a = 0; a < nodes; ++a)
    for (Node b = 0; b < a; ++b)
      if (random.uniform() < density) edges.emplace_back(a, b);
  return testing::make_graph(nodes, edges);
}

SeedVector random_seeds(Seeded& random, Node nodes) {
  std::vector<std::pair<Node, double>> entries;
  const std::size_t most = std::min<std::size_t>(nodes, 1 + random.below(3));
  for (Node v = 0; v < nodes && entries.size() < most; ++v)
    if (nodes - v <= most - entries.size() || random.uniform() < 0.3)
      entries.emplace_back(v, random.uniform(1, 2));
  return SeedVector::weighted(entries);
}

TEST(SeparateLinks, AreWhatAPairByPairCountFinds) {
  Seeded random(5);
  for (int i = 0; i < 3000; ++i) {
    const auto nodes = static_cast<Node>(1 + random.below(24));
    const Graph graph = random_graph(random, nodes);
    const SeedVector seed = random_seeds(random, nodes);
    const std::vector<Part> parts = parts_of(graph, seed);
    const QuantisedTaper taper(1, random.below(5) == 0 ? accounting::Taper() : 1 + random.below(12));
    const std::vector<std::int64_t> background = weighted_links(graph, taper);
    const std::vector<Node> near = own_links(graph, seed).near;
    const SeparateLinks found = separate_links(graph, taper, background, seed, near);
    const auto tapered = far_links(graph, taper, background, seed, near);
    for (Node v = 0; v < nodes; ++v) {
      const bool is_seed = parts[v] == Part::seed;
      const std::uint64_t into_near =
          is_seed ? 0 : links_into(graph, parts, v, Part::near) * QuantisedTaper::unit;
      const std::uint64_t behind = is_seed ? 0 : slow_background(graph, parts, taper, v);
      const std::uint64_t into_far =
          parts[v] == Part::near ? links_into(graph, parts, v, Part::far) * QuantisedTaper::unit : behind;
      ASSERT_EQ(found.into_near[v], static_cast<std::int64_t>(into_near));
      ASSERT_EQ(found.into_far[v], static_cast<std::int64_t>(into_far));
      ASSERT_EQ(tapered[v], static_cast<std::int64_t>(behind));
    }
  }
}

}  // namespace
}  // namespace hushwalk
