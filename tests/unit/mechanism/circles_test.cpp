#include "mechanism/circles.h"
#include "hushwalk/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "estimate/circles.h"
#include "hushwalk/error.h"
#include "mechanism/links.h"
#include "noise/keyed_noise.h"
#include "plan/artefact_file.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/seeded.h"
#include "support/seeded_key.h"
#include "support/split_rows.h"

namespace hushwalk {
namespace {

using accounting::circles_cost_up;
using accounting::circles_design;
using testing::Seeded;

// Groups whose nodes are mostly linked, and some links between all.
Graph communities(std::size_t groups, std::size_t size) {
  Seeded random(4);
  std::vector<std::pair<Node, Node>> edges;
  for (Node a = 0; a < groups * size; ++a)
    for (Node b = 0; b < a; ++b)
      if (random.uniform() < (a / size == b / size ? 0.8 : 0.02)) edges.emplace_back(b, a);
  return testing::make_graph(groups * size, edges);
}

CirclesNumbers released(const CirclesDesign& design, const Graph& graph, std::uint64_t key) {
  KeyedNoise noise(testing::seeded_key(key));
  return release_circles(CirclesNoise(design), graph, noise);
}

TEST(CirclesDesign, CostsNoMoreThanEpsilonAndNearlyAllOfIt) {
  for (double epsilon = accounting::circles_from; epsilon < 40; epsilon *= 1.07) {
    const CirclesDesign design = circles_design(1000, Epsilon(epsilon));
    EXPECT_LE(circles_cost_up(design).worst(), epsilon);
    EXPECT_GE(circles_cost_up(design).worst(), std::min(epsilon, 16.0) * (1 - 1e-12));
    EXPECT_GE(circles_cost_up(design).rows, design.epsilon * (1 - 1e-12));
    EXPECT_GE(circles_cost_up(design).stopped_between, design.epsilon * (1 - 1e-12));
    EXPECT_GE(std::min(design.forward, design.fine), DiscreteLaplace::min_scale);
    EXPECT_LT(design.fine, design.coarse);
  }
}

TEST(CirclesDesign, RefusesWhatNoProofOrNoSamplerCovers) {
  EXPECT_THROW(circles_design(std::uint64_t{1} << 30, Epsilon(1)), Error);
  EXPECT_THROW(circles_design(1000, Epsilon(0.2499)), Error);
}

TEST(CirclesRelease, PutsTheCoreIntoWholeBlocks) {
  for (const std::uint64_t block : {1U, 3U, 7U, 50U}) {
    const CirclesDesign design = circles_design(40, Epsilon(4), 4, block);
    EXPECT_TRUE(design.core % block == 0 || design.core == 40) << block;
    EXPECT_NO_THROW(released(design, communities(2, 20), 1));
  }
}

TEST(CirclesRelease, IsRefusedForAPartOfAGraph) {
  const CirclesDesign design = circles_design(40, Epsilon(4), 4, 1);
  const Graph graph = communities(2, 20);
  const CirclesNumbers numbers = released(design, graph, 1);
  const auto offsets = std::vector<std::uint64_t>(21), none = std::vector<std::uint64_t>(1);
  std::vector<Node> nodes(20);
  std::iota(nodes.begin(), nodes.end(), Node{0});
  for (const Csr& csr : {Csr{none, {}, {}, {}, nullptr}, Csr{offsets, {}, nodes, nodes, nullptr}}) {
    const Rows part({.csr = csr, .nodes = 40});
    KeyedNoise noise(testing::seeded_key(1));
    EXPECT_THROW(release_circles(CirclesNoise(design), part, noise), Error);
    // Nothing was drawn: the same noise can still be drawn, once.
    EXPECT_EQ(release_circles(CirclesNoise(design), graph, noise), numbers);
    EXPECT_THROW(circles_centres(design, part, numbers), Error);
  }
}

// Each part counts for the nodes of a block that it has; from 64 nodes on, by several threads. A core of half
// the graph sees its groups under any noise.
TEST(CirclesRelease, IsThatOfOneMachineForPartsAndBlocksOfAnySize) {
  const Graph graph = communities(20, 50);
  for (const std::uint64_t block : {3U, 64U}) {
    CirclesDesign design = circles_design(graph.nodes(), Epsilon(6), 6, block);
    design.core = graph.nodes() / 2 / block * block;
    const CirclesNumbers whole = released(design, graph, 5);
    ASSERT_EQ(whole.branch, CirclesBranch::rows);
    for (const std::size_t parts : {2U, 3U, 9U}) {
      const auto in_parts =
          testing::SplitGraph(graph, parts, nodes_per_group).run_parts([&](const Rows& rows) {
            KeyedNoise noise(testing::seeded_key(5));
            return release_circles(CirclesNoise(design), rows, noise);
          });
      for (const CirclesNumbers& numbers : in_parts)
        EXPECT_EQ(numbers, whole) << parts << " parts, blocks of " << block;
    }
  }
}

// A number that was changed is noticed where it changes the way: a release that stopped has no other rows,
// and one that did not has all.
TEST(CirclesNumbers, AreRefusedWhenTheyDoNotGoTheirWay) {
  const CirclesDesign design = circles_design(120, Epsilon(4), 4, 1);
  const CirclesNumbers numbers = released(design, communities(4, 30), 2);
  ASSERT_EQ(numbers.branch, CirclesBranch::rows);
  CirclesNumbers other = numbers;
  std::ranges::fill(other.coarse, -100);  // too sparse for rows
  EXPECT_THROW(replay_circles(design, other), Error);
  other = numbers;
  std::ranges::fill(other.forward, std::int16_t{0});  // nothing to see after the core
  EXPECT_THROW(replay_circles(design, other), Error);
  std::vector<std::int64_t> values = circles_values(design, numbers);
  EXPECT_EQ(circles_numbers(design, values), numbers);
  values.front() = 1;
  EXPECT_THROW(replay_circles(design, circles_numbers(design, values)), Error);
  values.front() = 3;
  EXPECT_THROW(circles_numbers(design, values), Error);
  values.front() = 2;
  values.back() = 40'000;
  EXPECT_THROW(circles_numbers(design, values), Error);
  values.pop_back();
  EXPECT_THROW(circles_numbers(design, values), Error);
}

// Where the sweep stopped, nodes of the core have no fine degree.
TEST(CirclesNumbers, AreRefusedWhenTheyTellMoreThanTheirWayDoes) {
  const CirclesDesign design = circles_design(120, Epsilon(4), 4, 1);
  const Graph graph = communities(1, 120);
  CirclesNumbers numbers;
  for (std::uint64_t key = 0; key < 50 && numbers.branch != CirclesBranch::stopped; ++key)
    numbers = released(design, graph, key);
  ASSERT_EQ(numbers.branch, CirclesBranch::stopped);
  const CirclesSweeps sweeps = replay_circles(design, numbers);
  numbers.fine[sweeps.order.nodes.front()] = 5;
  EXPECT_THROW(replay_circles(design, numbers), Error);
}

// Degrees say how many there are; but for what versions before 0.4 made, which took 16 for each unit of
// epsilon.
TEST(CirclesNumbers, AreRefusedWithAnotherNumberOfClusters) {
  const Graph graph = communities(5, 40);
  const CirclesDesign design = circles_design(graph.nodes(), Epsilon(4));
  const std::uint32_t right = released(design, graph, 2).clusters;
  EXPECT_GT(right, 4U);
  EXPECT_LT(right, design.clusters);
  for (const std::uint32_t clusters : {1U, 4U, right - 1, right, right + 1, design.clusters, 63U, 64U}) {
    const CirclesNumbers numbers = released(circles_design(graph.nodes(), Epsilon(4), clusters, 1), graph, 2);
    ASSERT_EQ(numbers.clusters, clusters);
    if (clusters == right || clusters == 64)
      EXPECT_NO_THROW(replay_circles(design, numbers)) << clusters;
    else
      EXPECT_THROW(replay_circles(design, numbers), Error) << clusters;
  }
}

TEST(CirclesModel, FindsTheFellowsOfTheSeedsNeighbours) {
  const Graph graph = communities(5, 40);
  const CirclesDesign design = circles_design(graph.nodes(), Epsilon(6), 8, 1);
  const CirclesModel model(design, released(design, graph, 3));
  const Series theta{.one = 0.22, .two = 0.15, .rest = 0.3};
  const OwnLinks own = own_links(graph, SeedVector(0));
  const std::vector<double> scores = model.answer(SeedVector(0), &own, theta),
                            without = model.answer(SeedVector(0), nullptr, theta);
  double inside = 0, outside = 0, inside_row = 0, outside_row = 0;
  for (Node v = 1; v < graph.nodes(); ++v) {
    const bool known = std::ranges::binary_search(own.near, v);
    if (!known) (v < 40 ? inside : outside) += scores[v] / (v < 40 ? 8 : 160);
    (v < 40 ? inside_row : outside_row) += without[v] / (v < 40 ? 39 : 160);
  }
  EXPECT_GT(inside, 2 * outside);
  EXPECT_GT(inside_row, 2 * outside_row);  // in edge scope the seed's own row tells as much
}

// One artefact, kept in a file: the same answers, at most two bytes a number that it has, and no byte of it
// may change.
TEST(CirclesArtefact, IsKeptInAFileAndChecked) {
  const Graph graph = communities(5, 40);
  const ReleaseParameters request{.mechanism = "circles", .scope = Scope::edge, .epsilon = Epsilon(2)};
  const SharedArtefact artefact = SharedArtefact::make(graph, request);
  std::vector<std::byte> bytes = artefact.bytes();
  EXPECT_EQ(SharedArtefact::parse(bytes, "it"), artefact);
  EXPECT_TRUE(verify_certificate({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).valid);
  const auto body = static_cast<std::size_t>(bytes.end() - std::ranges::find(bytes, std::byte{'\n'}) - 1);
  EXPECT_LE(body, 2 * parse_artefact(bytes, "it").values.size());
  const Plan plan = artefact.plan_for(graph.facts(), {});
  const SeedVector seed(0);
  EXPECT_EQ(artefact.answer(plan, graph, {&seed, 1}).front().scores,
            SharedArtefact::parse(bytes, "it").answer(plan, graph, {&seed, 1}).front().scores);
  bytes.back() ^= std::byte{1};
  EXPECT_THROW(SharedArtefact::parse(bytes, "it"), Error);
  bytes.pop_back();
  EXPECT_THROW(SharedArtefact::parse(bytes, "it"), Error);
}

// Checksum and certificate are right, and the numbers are not those of such a release: too few, or another
// way than they say.
TEST(CirclesArtefact, WithOtherNumbersIsNotOpenedAndDoesNotVerify) {
  const Graph graph = communities(5, 40);
  const ReleaseParameters request{.mechanism = "circles", .scope = Scope::edge, .epsilon = Epsilon(2)};
  const ArtefactFile whole = parse_artefact(SharedArtefact::make(graph, request).bytes(), "it");
  const auto opens = [&](const auto& change) {
    ArtefactFile altered = new_artefact_file(whole.plan, whole.context, whole.values);
    change(altered.values);
    const std::vector<std::byte> bytes = artefact_bytes(altered);
    const bool verifies =
        verify_certificate({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).valid;
    try {
      SharedArtefact::parse(bytes, "it");
    } catch (const Error&) {
      EXPECT_FALSE(verifies);
      return false;
    }
    EXPECT_TRUE(verifies);
    return true;
  };
  EXPECT_TRUE(opens([](auto&) {}));
  EXPECT_FALSE(opens([](auto& values) { values.clear(); }));
  EXPECT_FALSE(opens([](auto& values) { values.assign(5, 7); }));
  EXPECT_FALSE(opens([](auto& values) { values.pop_back(); }));
  EXPECT_FALSE(opens([](auto& values) { values.push_back(0); }));
  EXPECT_FALSE(opens([](auto& values) { values.front() = values.front() == 0 ? 1 : 0; })) << "the branch";
}

}  // namespace
}  // namespace hushwalk
