#include "estimate/rank_range.h"

#include <gtest/gtest.h>

#include <numeric>

namespace hushwalk {
namespace {

constexpr Series theta_of_lazy_walk{.zero = 0.333, .one = 0.222, .two = 0.148, .rest = 0.297};
constexpr std::size_t node_count = 1000;

// Nodes 1, 2, … in this order; the first `near` of them are the neighbours of node 0.
std::vector<RankedNode> list_of(std::size_t length, double score = 1, std::optional<double> noise = {}) {
  std::vector<RankedNode> list;
  for (std::size_t i = 1; i <= length; ++i) list.push_back({static_cast<Node>(i), score, noise});
  return list;
}
std::vector<Node> first_nodes(std::size_t count) {
  std::vector<Node> near(count);
  std::iota(near.begin(), near.end(), Node{1});
  return near;
}

std::vector<RankedNode> with_ranges(std::vector<RankedNode> list, std::size_t near, const RankDoubt& doubt,
                                    const Listing& listing = {}) {
  RankRanges(node_count, listing).add_to(list, SeedVector(0), first_nodes(near), doubt);
  return list;
}

TEST(RankRange, OfOwnNeighboursEndsShortlyBehindTheirNumber) {
  const auto list = with_ranges(list_of(30), 20, {.near = 4.5});
  for (std::size_t i = 0; i < 20; ++i) {
    ASSERT_TRUE(list[i].range) << i;
    EXPECT_TRUE(1 <= list[i].range->low && list[i].range->low <= i + 1) << i;
    EXPECT_TRUE(i + 1 <= list[i].range->high && list[i].range->high <= 23) << i;
  }
  for (std::size_t i = 20; i < 30; ++i) EXPECT_FALSE(list[i].range) << i;
}

TEST(RankRange, OfOthersNeedsNumbersThatAreClearOfTheNoise) {
  const RankDoubt counted{.near = 3, .far = 0, .link_noise = 1.5};
  EXPECT_FALSE(with_ranges(list_of(1, 5.9, 1.0), 0, counted)[0].range);
  EXPECT_TRUE(with_ranges(list_of(1, 6.1, 1.0), 0, counted)[0].range);
  EXPECT_FALSE(with_ranges(list_of(1, 6.1, 1.0), 0, {.near = 3, .far = 0, .link_noise = 0.1})[0].range);
}

TEST(RankRange, IsNarrowerTheMoreLinksWereCounted) {
  const RankDoubt counted{.near = 3, .far = 0, .link_noise = 1};
  const auto few = with_ranges(list_of(50, 10, 1.0), 0, counted),
             many = with_ranges(list_of(50, 100, 1.0), 0, counted);
  ASSERT_TRUE(few[49].range && many[49].range);
  EXPECT_LT(few[49].range->low, many[49].range->low);
  EXPECT_GT(few[49].range->high, many[49].range->high);
}

TEST(RankRange, CountsAmongTheNodesThatMayBeListed) {
  const RankDoubt popular{.near = 1.4, .far = 1.75};
  const auto all = with_ranges(list_of(30), 20, popular);
  std::vector<RankedNode> others(all.begin() + 20, all.end());
  for (RankedNode& row : others) row.range.reset();
  const auto without = with_ranges(others, 20, popular, {.exclude_neighbors = true});
  for (std::size_t i = 0; i < others.size(); ++i) {
    ASSERT_TRUE(without[i].range);
    EXPECT_EQ(without[i].range->high, all[20 + i].range->high - 20) << i;
    EXPECT_LE(without[i].range->low, i + 1) << i;
  }
  std::vector<Node> twelve(12);
  std::iota(twelve.begin(), twelve.end(), Node{25});
  std::vector<RankedNode> listed{{25, 1}, {26, 0.9}};
  listed = with_ranges(listed, 20, popular, {.candidates = twelve});
  for (const RankedNode& row : listed) EXPECT_LE(row.range.value().high, 12U);
}

TEST(RankRange, ThatIsWorthNothingIsNotGiven) {
  const auto list = with_ranges(list_of(900), 900, {.near = 4.5});
  EXPECT_TRUE(list[0].range);
  EXPECT_FALSE(list[500].range);  // nearly all ranks
  for (const RankedNode& row : list) {
    const auto [low, high] = row.range.value_or(RankRange{1, 1});
    EXPECT_LE(high - low + 1, node_count / 2);
  }
}

TEST(RankRange, IsNotGivenForSeedSets) {
  std::vector<RankedNode> list = list_of(5);
  RankRanges(node_count, {})
      .add_to(list, SeedVector::weighted({{0, 1}, {900, 1}}), first_nodes(5), RankDoubt{.near = 3});
  for (const RankedNode& row : list) EXPECT_FALSE(row.range);
}

TEST(RankDoubt, IsSmallWherePopularityDecides) {
  const auto hubs = rank_doubt({.near = 10, .sum = 1000, .noise = 2, .among = 12, .among_noise = 2},
                               node_count, theta_of_lazy_walk);
  ASSERT_TRUE(hubs);
  EXPECT_GT(hubs->far, 0);
  for (const NearLinks& links : {NearLinks{10, 500, 2},    // neighbours with few links
                                 NearLinks{10, 1000, 20},  // who knows, with that much noise
                                 NearLinks{1, 100, 2},     // one hub
                                 NearLinks{0, 0, 2}}) {
    const auto doubt = rank_doubt(links, node_count, theta_of_lazy_walk);
    ASSERT_TRUE(doubt);
    EXPECT_EQ(doubt->far, 0);
    EXPECT_GT(doubt->near, hubs->near);
  }
}

// As on a graph of users and items. Nine are expected by chance.
TEST(RankDoubt, OfOthersIsUnknownUnlessNeighboursAreLinkedAmongEachOther) {
  for (const auto& [among, noise] : {std::pair(0.0, 0.0), {0.0, 2.0}, {4.0, 0.1}, {12.0, 4.0}}) {
    const NearLinks links{.near = 10, .sum = 1000, .noise = 2, .among = among, .among_noise = noise};
    const auto doubt = rank_doubt(links, node_count, theta_of_lazy_walk, /*link_noise=*/1);
    ASSERT_TRUE(doubt);
    EXPECT_EQ(doubt->far, 0) << among;
    EXPECT_EQ(doubt->link_noise, 0) << among;
  }
}

TEST(RankDoubt, OfNeighboursIsCompleteWhereNoiseHidesHowTheyDiffer) {
  const auto near = [](double spread) {
    return rank_doubt({.near = 10, .sum = 1000, .noise = 2, .spread = spread, .number_noise = 2}, node_count,
                      theta_of_lazy_walk)
        ->near;
  };
  EXPECT_LT(near(1.5), 2);
  const auto list = with_ranges(list_of(30), 20, {.near = near(1.3)});
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(list[i].range.value().low, 1U);
    EXPECT_EQ(list[i].range.value().high, 23U);
  }
}

TEST(RankDoubt, KnowsASpread) {
  EXPECT_EQ(spread_of({}), 0);
  EXPECT_EQ(spread_of({7}), 0);
  EXPECT_EQ(spread_of({1, 2, 3, 4, 1000}), 1);
}

TEST(RankDoubt, IsUnknownForWalksThatGoFar) {
  EXPECT_FALSE(rank_doubt({10, 1000, 2}, node_count, {.zero = 0.1, .one = 0.09, .two = 0.08, .rest = 0.73}));
  EXPECT_FALSE(rank_doubt({10, 1000, 2}, node_count, {.zero = 1, .one = -0.2, .two = 0.1, .rest = 0.1}));
  EXPECT_FALSE(rank_doubt({10, 1000, 2}, node_count, theta_of_lazy_walk, 20));
}

}  // namespace
}  // namespace hushwalk
