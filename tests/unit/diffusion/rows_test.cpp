// Whoever stands behind Rows, one part or several, a diffusion gives the same bytes.
#include "diffusion/rows.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <set>

#include "diffusion/groups.h"
#include "diffusion/lattice_run.h"
#include "hushwalk/error.h"
#include "support/arbitrary.h"
#include "support/split_rows.h"

namespace hushwalk {
namespace {

using testing::arbitrary_graph;
using testing::arbitrary_seeds;
using testing::SplitGraph;
using Scores = std::vector<std::vector<double>>;
using Units = std::vector<std::vector<std::int64_t>>;

constexpr std::size_t parts[] = {1, 2, 3, 5};

std::vector<std::vector<std::uint64_t>> bytes(const Scores& scores) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const auto& of_seed : scores) {
    all.emplace_back();
    for (const double score : of_seed) all.back().push_back(std::bit_cast<std::uint64_t>(score));
  }
  return all;
}

std::vector<SeedVector> arbitrary_group(const Graph& graph) {
  std::vector<SeedVector> seeds;
  for (int i = *rc::gen::element(1, 3, 20); i > 0; --i) seeds.push_back(arbitrary_seeds(graph));
  return seeds;
}

Diffusion arbitrary_diffusion() {
  return *rc::gen::element(Diffusion::ppr(0.8, 9), Diffusion::pagerank(0.5, 4), Diffusion::heat(2, 5),
                           Diffusion::custom({{0.5, 0.25, 0.25}, {-0.75, 1.25, 0.5}, {0.25, -0.5, 1.25}}));
}

std::size_t up_to_16(std::uint64_t, std::size_t seeds) { return seeds > 8 ? 16 : seeds > 1 ? 8 : 1; }

RC_GTEST_PROP(Rows, ADiffusionIsTheSameForAnyNumberOfParts, ()) {
  const Graph graph = arbitrary_graph();
  const std::vector<SeedVector> seeds = arbitrary_group(graph);
  const Diffusion diffusion = arbitrary_diffusion();
  const auto clip = *rc::gen::element<std::optional<Clip>>(std::nullopt, Clip{0.02, Scope::personalized},
                                                           Clip{0.02, Scope::edge});
  const auto tolerance = *rc::gen::element<std::optional<double>>(std::nullopt, 1e-2);
  const auto run = [&](const Rows& rows) {
    return diffuse_in_groups(rows, diffusion, seeds, clip, {}, up_to_16, tolerance);
  };
  const Scores whole = run(graph);
  RC_ASSERT(bytes(run(Rows(graph).in_segments())) == bytes(whole));
  for (const std::size_t k : parts) RC_ASSERT(bytes(SplitGraph(graph, k).run_all(run)) == bytes(whole));
}

// Any numbers do for noise, if they depend on the public node only.
std::int64_t number_for(std::size_t step, std::size_t seed, std::size_t draw, std::size_t node) {
  const std::uint64_t bits = (((step * 31 + seed) * 7 + draw) * 1009 + node + 1) * 0x9E3779B97F4A7C15;
  return static_cast<std::int64_t>(bits >> 24) - (std::int64_t{1} << 39);
}

RC_GTEST_PROP(Rows, ALatticeRunIsTheSameForAnyNumberOfParts, ()) {
  const Graph graph = arbitrary_graph();
  std::vector<SeedVector> seeds = arbitrary_group(graph);
  seeds.resize(std::min<std::size_t>(seeds.size(), 16), SeedVector(0));
  const Diffusion diffusion = arbitrary_diffusion();
  LatticeDiffusion lattice = make_lattice(
      diffusion, 0x1p-8, *rc::gen::element(Scope::personalized, Scope::edge), 50, {graph.nodes(), 4, 1});
  lattice.push_flow = *rc::gen::arbitrary<bool>();
  const bool noisy = *rc::gen::arbitrary<bool>();
  const auto run = [&](const Rows& rows) {
    const auto noise = [&](std::size_t step, std::size_t seed, std::span<std::vector<std::int64_t>> draws) {
      for (std::size_t draw = 0; draw < draws.size(); ++draw)
        for (std::size_t i = 0; i < draws[draw].size(); ++i)
          draws[draw][i] = number_for(step, seed, draw, rows.first_node() + i);
      return noisy && step != 1;
    };
    return run_on_lattice(rows, lattice, seeds, 2, noise, {});
  };
  const Units whole = run(graph);
  RC_ASSERT(run(Rows(graph).in_segments()) == whole);
  for (const std::size_t k : parts) RC_ASSERT(SplitGraph(graph, k).run_all(run) == whole);
}

// Of seeds in groups of different sizes all but the widest leave some of the room alone.
TEST(Rows, RunsOnTheLatticeTakeTheRoomOfThoseBefore) {
  const Graph graph = testing::path4();
  const Diffusion diffusion = Diffusion::ppr(0.8, 3);
  const LatticeDiffusion lattice = make_lattice(diffusion, 0x1p-8, Scope::personalized, 50, {4, 4, 1});
  const std::vector<SeedVector> seeds(9, SeedVector(1));
  const std::vector<std::size_t> groups = {2, 9, 1};
  const auto run = [&](const Rows& rows) {
    LatticeRoom room(rows, groups);
    const std::set<const std::int64_t*> taken = {room.values().sent.data(), room.values().next.data()};
    EXPECT_EQ(room.values().sent.size(), rows.with_others() * 16);
    Units all;
    for (const std::size_t group : groups) {
      std::ranges::move(run_on_lattice(rows, lattice, std::span(seeds).first(group), 1, {}, {}, room),
                        std::back_inserter(all));
      EXPECT_EQ((std::set<const std::int64_t*>{room.values().sent.data(), room.values().next.data()}), taken);
    }
    return all;
  };
  const Units whole = run(graph);
  for (const auto& state : whole) EXPECT_EQ(state, whole.front());
  for (const std::size_t k : parts) EXPECT_EQ(SplitGraph(graph, k).run_all(run), whole);
}

RC_GTEST_PROP(Rows, BeingReadyForALongJobDoesNotShow, ()) {
  const Graph graph = arbitrary_graph();
  const std::vector<SeedVector> seeds = arbitrary_group(graph);
  const auto run = [&](const Rows& rows) {
    return diffuse_in_groups(rows.ready_for(1000, 1000), Diffusion::ppr(0.8, 5), seeds, {}, {}, up_to_16);
  };
  const Scores expected = diffuse_in_groups(graph, Diffusion::ppr(0.8, 5), seeds, {}, {}, up_to_16);
  RC_ASSERT(bytes(run(graph)) == bytes(expected));
  RC_ASSERT(bytes(SplitGraph(graph, 3).run_all(run)) == bytes(expected));
}

TEST(Rows, AllPartsRefuseWhatGrowsBeyondAllNumbers) {
  const Graph graph = testing::make_graph(6, {{0, 1}, {2, 3}, {3, 4}});  // no part but the first sees node 0
  const Diffusion wild = Diffusion::custom(std::vector(4, Step{1e200, -1e200, 1}));
  const auto run = [&](const Rows& rows) {
    EXPECT_THROW(diffuse_in_groups(rows, wild, std::vector<SeedVector>{0}, {}, {}, up_to_16), Error);
    return 0;
  };
  SplitGraph(graph, 3).run_parts(run);
}

// Sums of rows that need no other are made while the values of others are on their way, which SplitGraph
// spoils until they have arrived.
TEST(Rows, ASweepBeginsWithRowsThatNeedNoOthers) {
  //  0 - 1 - 2 - 3 - 4 - 5, cut in the middle
  const Graph path = testing::make_graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  const auto order = SplitGraph(path, 2).run_parts([](const Rows& rows) {
    std::vector<std::int64_t> x =
        rows.by_row([&](Row row) { return std::int64_t{rows.node_index(row)} + 1; });
    std::vector<std::int64_t> room(rows.mine());
    std::vector<std::vector<std::int64_t>> sums;  // node, sum
    rows.sweep<std::int64_t, 1>(
        rows.blocks<1>(), x.data(), room.data(), [&](const RowBlock& block, const std::int64_t* of_block) {
          for (Row row = block.first; row < block.last; ++row)
            sums.push_back({rows.first_node() + rows.node_index(row), of_block[row - block.first]});
        });
    return sums;
  });
  using ::testing::ElementsAre;
  using ::testing::UnorderedElementsAre;
  const auto is = [](std::int64_t node, std::int64_t sum) { return ElementsAre(node, sum); };
  ASSERT_EQ(order[0].size(), 3U);
  EXPECT_EQ(order[0].back().front(), 2);
  EXPECT_THAT(order[0], UnorderedElementsAre(is(0, 2), is(1, 4), is(2, 3)));
  EXPECT_EQ(order[1].back().front(), 3);
  EXPECT_THAT(order[1], UnorderedElementsAre(is(3, 5), is(4, 4), is(5, 2)));
}

// How long such an array is depends on links, so that noise must not be drawn before it is there.
TEST(Rows, AnArrayWithRoomForOthersServesAgain) {
  SpareRooms rooms;
  std::vector<std::int64_t> first = rooms.take(5), second = rooms.take(5);
  const std::int64_t *const a = first.data(), *const b = second.data();
  EXPECT_NE(a, b);
  first[3] = 7;
  rooms.give_back(std::move(first));
  std::vector<std::int64_t> again = rooms.take(5);
  EXPECT_EQ(again.data(), a);
  EXPECT_EQ(again, std::vector<std::int64_t>(5));
  rooms.give_back(std::move(second));
  EXPECT_EQ(rooms.take(4).data(), b);
}

TEST(Rows, APartKnowsItsOwnNodesOnly) {
  //  0 - 1 - 2 - 3
  SplitGraph split(testing::path4(), 2);
  const auto seen = split.run_parts([](const Rows& rows) {
    std::vector<std::vector<std::uint64_t>> facts = {{rows.mine(), rows.with_others(), rows.nodes()}};
    for (Node node = 0; node < 5; ++node)
      if (const auto row = rows.find(node))
        facts.push_back({node, rows.first_node() + rows.node_index(*row), rows.degree(*row)});
    return facts;
  });
  using ::testing::ElementsAre;
  EXPECT_THAT(seen[0], ElementsAre(ElementsAre(2, 3, 4), ElementsAre(0, 0, 1), ElementsAre(1, 1, 2)));
  EXPECT_THAT(seen[1], ElementsAre(ElementsAre(2, 3, 4), ElementsAre(2, 2, 2), ElementsAre(3, 3, 1)));
}

}  // namespace
}  // namespace hushwalk
