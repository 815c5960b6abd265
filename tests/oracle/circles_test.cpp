// `circles` beside plain loops, and whole transcripts of it priced on graphs that differ in one edge.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <set>

#include "mechanism/circles.h"
#include "noise/keyed_noise.h"
#include "support/graphs.h"
#include "support/independent_circles.h"
#include "support/independent_noise.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using accounting::circles_design;
using testing::IndependentCircles;
using testing::IndependentNoise;
using testing::Seeded;
using testing::SmallGraph;

IndependentCircles::Design written_down(const CirclesDesign& d) {
  return {d.nodes,  d.clusters, d.block,    d.core,    d.epsilon,   d.fine,
          d.coarse, d.forward,  d.backward, d.leaving, d.by_degrees};
}

SmallGraph random_graph(Seeded& random, std::size_t nodes) {
  SmallGraph graph(nodes);
  const double density = random.uniform();
  const std::size_t groups = 1 + random.below(3);
  for (std::size_t a = 0; a < nodes; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (random.uniform() < (a % groups == b % groups ? density : density / 8)) graph.link(a, b);
  return graph;
}

CirclesDesign random_design(Seeded& random, std::size_t nodes) {
  const std::uint64_t block =
      1 + random.below(3);  // one after another: compilers order arguments as they like
  const auto clusters = static_cast<std::uint32_t>(2 + random.below(5));
  return circles_design(nodes, Epsilon(random.log_uniform(0.3, 20)), clusters, block);
}

TEST(Circles, AReleaseIsThatOfPlainLoops) {
  Seeded random(1);
  std::map<int, int> branches;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const SmallGraph small = random_graph(random, 2 + random.below(60));
    const Graph graph = testing::to_graph(small);
    const CirclesDesign design =
        i % 4 == 0 ? circles_design(small.nodes(), Epsilon(random.log_uniform(accounting::circles_from, 20)))
                   : random_design(random, small.nodes());
    KeyedNoise noise(testing::seeded_key(i));
    const CirclesNumbers released = release_circles(CirclesNoise(design), graph, noise);
    IndependentNoise independent(testing::key_bytes(i));
    const auto result =
        IndependentCircles(written_down(design), testing::drawn_for(independent, written_down(design)))
            .run(small);
    ASSERT_EQ(circles_columns(design, released), testing::columns_of(result, written_down(design)))
        << small.nodes() << " nodes, epsilon " << design.epsilon;
    ++branches[result.branch];
    // Kept numbers go the same way again, and are read as they were written.
    EXPECT_NO_THROW(replay_circles(design, released));
    EXPECT_EQ(circles_numbers(design, circles_values(design, released)), released);
    EXPECT_EQ(circles_numbers_in(design, circles_columns(design, released)), released);
  }
  for (const int branch : {0, 1, 2}) EXPECT_GE(branches[branch], 5) << branch;
}

// By so many threads, whatever cores there are.
Columns released_by(int threads, const CirclesDesign& design, const Graph& graph, std::uint64_t key) {
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute([&] {
    KeyedNoise noise(testing::seeded_key(key));
    return circles_columns(design, release_circles(CirclesNoise(design), graph, noise));
  });
}

// Threads share a block of 64 nodes or more; the last block has fewer. A core of half the graph sees its
// groups under any noise.
TEST(Circles, AReleaseInLargeBlocksIsThatOfPlainLoopsForAnyNumberOfThreads) {
  SmallGraph small(2040);
  Seeded random(4);
  for (std::size_t a = 0; a < small.nodes(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (random.uniform() < (a / 50 == b / 50 ? 0.8 : 0.02)) small.link(a, b);
  const Graph graph = testing::to_graph(small);
  for (const std::uint64_t block : {64U, 200U}) {
    CirclesDesign design = circles_design(small.nodes(), Epsilon(6), 6, block);
    design.core = small.nodes() / 2 / block * block;
    IndependentNoise independent(testing::key_bytes(block));
    const auto result =
        IndependentCircles(written_down(design), testing::drawn_for(independent, written_down(design)))
            .run(small);
    ASSERT_EQ(result.branch, 2);
    const Columns expected = testing::columns_of(result, written_down(design));
    for (const int threads : {1, 2, 8})
      EXPECT_EQ(released_by(threads, design, graph, block), expected)
          << threads << " threads, blocks of " << block;
  }
}

// sum |change| / scale along a transcript; infinity when the graphs go on differently.
double price(const CirclesCentres& a, const CirclesCentres& b) {
  if (a.scale != b.scale) return INFINITY;
  double cost = 0;
  for (std::size_t column = 0; column < a.centre.size(); ++column)
    for (std::size_t v = 0; v < a.centre[column].size(); ++v)
      if (a.scale[column][v] > 0)
        cost += static_cast<double>(std::abs(a.centre[column][v] - b.centre[column][v])) / a.scale[column][v];
  return cost;
}

constexpr double rounding = 1e-12;

// Every graph of three nodes, every edge, and all transcripts of small numbers.
TEST(Circles, NoTranscriptOfThreeNodesCostsMoreThanEpsilon) {
  constexpr std::size_t n = 3, k = 2;
  std::vector<SmallGraph> graphs;
  for (int edges = 0; edges < 8; ++edges) {
    SmallGraph graph(n);
    if (edges & 1) graph.link(0, 1);
    if (edges & 2) graph.link(0, 2);
    if (edges & 4) graph.link(1, 2);
    graphs.push_back(graph);
  }
  for (const std::uint64_t block : {1U, 2U}) {
    const CirclesDesign design = circles_design(n, Epsilon(12), k, block);
    std::vector<Graph> real;
    for (const SmallGraph& graph : graphs) real.push_back(testing::to_graph(graph));
    double worst = 0;
    std::map<CirclesBranch, int> branches;
    for (int degrees = 0; degrees < 27; ++degrees)
      for (int cells = 0; cells < 1 << (2 * n * k); ++cells) {
        CirclesNumbers given;
        for (int v = 0, rest = degrees; v < static_cast<int>(n); ++v, rest /= 3)
          given.coarse.push_back(rest % 3);
        given.fine = given.leaving = given.coarse;
        for (std::size_t i = 0; i < n * k; ++i) {
          given.forward.push_back(static_cast<std::int16_t>(3 * (cells >> i & 1)));
          given.backward.push_back(static_cast<std::int16_t>(3 * (cells >> (i + n * k) & 1)));
        }
        std::vector<CirclesCentres> centres;
        for (const Graph& graph : real) centres.push_back(circles_centres(design, graph, given));
        const bool rows = centres[0].scale[3 + k][0] > 0;
        const auto leaving = [&](double scale) { return scale > 0; };
        const bool stopped = std::ranges::any_of(centres[0].scale[2], leaving);
        ++branches[rows ? CirclesBranch::rows : stopped ? CirclesBranch::stopped : CirclesBranch::degrees];
        for (std::size_t a = 0; a < graphs.size(); ++a)
          for (std::size_t bit = 1; bit < graphs.size(); bit *= 2)
            worst = std::max(worst, price(centres[a], centres[a ^ bit]));
        // Backward cells are not read where the sweep stops.
        if (!rows && cells >= 1 << (n * k)) break;
      }
    EXPECT_LE(worst, design.epsilon * (1 + rounding));
    EXPECT_GE(worst, design.epsilon * (1 - rounding));
    EXPECT_EQ(branches.size(), block == 1 ? 3U : 2U);  // a core of one block cannot tell
  }
}

TEST(Circles, NoTranscriptOfUpToEightNodesCostsMoreThanEpsilon) {
  Seeded random(2);
  std::array<double, 3> worst{};
  std::set<std::uint32_t> by_degrees;
  for (std::uint64_t i = 0; i < 8'000; ++i) {
    const testing::Pair pair = testing::random_pair(random, 8, 0);
    CirclesDesign design = random_design(random, pair.graph.nodes());
    if (i % 4 == 0) {  // at a larger epsilon degrees could not decide
      design = circles_design(design.nodes, Epsilon(16), 8, design.block);
      design.by_degrees = true;
    }
    const Graph without = testing::to_graph(pair.graph), with = testing::to_graph(pair.neighbor());
    KeyedNoise noise(testing::seeded_key(i));
    const CirclesNumbers released =
        release_circles(CirclesNoise(design), random.coin() ? with : without, noise);
    if (design.by_degrees) by_degrees.insert(released.clusters);
    const double cost =
        price(circles_centres(design, without, released), circles_centres(design, with, released));
    double& highest = worst[static_cast<std::size_t>(released.branch)];
    highest = std::max(highest, cost / design.epsilon);
  }
  EXPECT_TRUE(by_degrees.contains(4) && by_degrees.contains(5) && by_degrees.contains(6));
  for (const double highest : worst) {
    EXPECT_LE(highest, 1 + rounding);
    EXPECT_GE(highest, 1 - 1e-9);
  }
}

}  // namespace
}  // namespace hushwalk
