#include "hushwalk/statistics.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "hushwalk/generate.h"
#include "hushwalk/threads.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

using testing::make_graph;

struct Triangles {
  double clustering = 0, transitivity = 0;
};

// Every pair of neighbours of every node, straight from the definition.
Triangles brute_force(const Graph& graph) {
  double sum = 0, centers = 0, closed = 0, wedges = 0;
  for (Node v = 0; v < graph.nodes(); ++v) {
    const auto around = graph.neighbors(v);
    double here = 0, pairs = 0;
    for (const Node a : around)
      for (const Node b : around)
        if (a < b) here += graph.adjacent(a, b), ++pairs;
    if (pairs == 0) continue;
    sum += here / pairs, ++centers, closed += here, wedges += pairs;
  }
  return centers == 0 ? Triangles{} : Triangles{sum / centers, closed / wedges};
}

// Sizes of components by repeated flooding.
std::vector<std::uint64_t> component_sizes(const Graph& graph) {
  std::vector<bool> seen(graph.nodes());
  std::vector<std::uint64_t> sizes;
  for (Node start = 0; start < graph.nodes(); ++start) {
    if (seen[start]) continue;
    std::vector<Node> stack = {start};
    seen[start] = true;
    sizes.push_back(0);
    while (!stack.empty()) {
      const Node v = stack.back();
      stack.pop_back();
      ++sizes.back();
      for (const Node w : graph.neighbors(v))
        if (!seen[w]) seen[w] = true, stack.push_back(w);
    }
  }
  return sizes;
}

TEST(Statistics, OfNothing) {
  const GraphStatistics s = statistics(Graph());
  EXPECT_EQ(s.nodes, 0U);
  EXPECT_EQ(s.components, 0U);
  EXPECT_TRUE(s.degrees.empty());
  EXPECT_EQ(s.clustering, 0);
}

TEST(Statistics, OfATriangleWithATailAndALoner) {
  //  0 - 1
  //   \ /
  //    2 - 3    4
  const GraphStatistics s = statistics(make_graph(5, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}));
  EXPECT_EQ(s.edges, 4U);
  EXPECT_EQ(s.isolated, 1U);
  EXPECT_EQ(s.min_degree, 0U);
  EXPECT_EQ(s.median_degree, 2U);
  EXPECT_EQ(s.max_degree, 3U);
  EXPECT_DOUBLE_EQ(s.mean_degree, 1.6);
  EXPECT_EQ(s.components, 2U);
  EXPECT_EQ(s.largest_component, 4U);
  EXPECT_DOUBLE_EQ(s.clustering, (1 + 1 + 1.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(s.transitivity, 3.0 / 5);
  ASSERT_EQ(s.degrees.size(), 3U);  // 0, 1, 2-3
  EXPECT_EQ(s.degrees[0].nodes, 1U);
  EXPECT_EQ(s.degrees[1].nodes, 1U);
  EXPECT_EQ(s.degrees[2].from, 2U);
  EXPECT_EQ(s.degrees[2].to, 3U);
  EXPECT_EQ(s.degrees[2].nodes, 3U);
}

TEST(Statistics, OfTheKarateClub) {
  const GraphStatistics s = statistics(generate("karate"));
  EXPECT_NEAR(s.transitivity, 0.2556818, 1e-7);
  EXPECT_NEAR(s.clustering, 0.5879306, 1e-7);
}

TEST(Statistics, QuantilesOfDistinctDegrees) {
  // A half graph: node i < 100 is joined to nodes 100 .. 100 + i, so degrees 1 .. 100 stand twice.
  std::vector<std::pair<Node, Node>> edges;
  for (Node i = 0; i < 100; ++i)
    for (Node j = 0; j <= i; ++j) edges.emplace_back(i, 100 + j);
  const GraphStatistics s = statistics(make_graph(200, edges));
  EXPECT_EQ(s.median_degree, 50U);
  EXPECT_EQ(s.p90_degree, 90U);
  EXPECT_EQ(s.p99_degree, 99U);
  EXPECT_FALSE(s.sampled);
}

TEST(Statistics, SampledWedgesHaveTwoDifferentEnds) {
  // A hub of all triangles: every other node has degree 2 and a closed wedge, the hub 3000 closed of 18
  // million.
  constexpr Node triangles = 3000;
  std::vector<std::pair<Node, Node>> edges;
  for (Node i = 0; i < triangles; ++i) {
    edges.emplace_back(0, 2 * i + 1);
    edges.emplace_back(0, 2 * i + 2);
    edges.emplace_back(2 * i + 1, 2 * i + 2);
  }
  const GraphStatistics s = statistics(make_graph(2 * triangles + 1, edges));
  EXPECT_TRUE(s.sampled);
  EXPECT_NEAR(s.clustering, 1, 0.001) << "only the hub's wedges, one centre in 6001, may be open";
}

RC_GTEST_PROP(Statistics, AgreeWithTheDefinitions, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 25);
  const auto end = rc::gen::inRange<Node>(0, nodes);
  const Graph graph =
      make_graph(nodes, *rc::gen::container<std::vector<std::pair<Node, Node>>>(rc::gen::pair(end, end)));
  const GraphStatistics s = statistics(graph);

  std::vector<std::uint64_t> degrees;
  for (Node v = 0; v < nodes; ++v) degrees.push_back(graph.degree(v));
  std::ranges::sort(degrees);
  RC_ASSERT(s.min_degree == degrees.front());
  RC_ASSERT(s.max_degree == degrees.back());
  RC_ASSERT(s.median_degree == degrees[(nodes - 1) / 2]);
  RC_ASSERT(std::ranges::count_if(degrees, [&](auto d) { return d <= s.p90_degree; }) * 10 >=
            std::ssize(degrees) * 9);
  RC_ASSERT(std::ranges::count_if(degrees, [&](auto d) { return d < s.p90_degree; }) * 10 <
            std::ssize(degrees) * 9);
  std::uint64_t counted = 0;
  for (const DegreeBin& bin : s.degrees) {
    RC_ASSERT(static_cast<std::int64_t>(bin.nodes) ==
              std::ranges::count_if(degrees, [&](auto d) { return d >= bin.from && d <= bin.to; }));
    counted += bin.nodes;
  }
  RC_ASSERT(counted == nodes);

  const auto components = component_sizes(graph);
  RC_ASSERT(s.components == components.size());
  RC_ASSERT(s.largest_component == std::ranges::max(components));

  const Triangles expected = brute_force(graph);
  RC_ASSERT(std::abs(s.clustering - expected.clustering) < 1e-12);
  RC_ASSERT(std::abs(s.transitivity - expected.transitivity) < 1e-12);
}

TEST(Statistics, AreSampledOnLargeGraphsTheSameForAnyThreads) {
  const Graph graph = generate("sbm", {.nodes = 3000, .edges = 100'000});
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return statistics(graph);
  };
  const GraphStatistics one = with_threads(1), two = with_threads(2);
  EXPECT_EQ(one.clustering, two.clustering);
  EXPECT_EQ(one.transitivity, two.transitivity);
  const Triangles expected = brute_force(graph);
  // Six standard errors of 400,000 sampled wedges.
  EXPECT_NEAR(one.clustering, expected.clustering, 0.005);
  EXPECT_NEAR(one.transitivity, expected.transitivity, 0.005);
}

}  // namespace
}  // namespace hushwalk
