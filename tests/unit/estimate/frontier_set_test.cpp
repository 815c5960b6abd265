#include "estimate/frontier_set.h"

#include <gtest/gtest.h>

namespace hushwalk {
namespace {

constexpr std::int64_t link = std::int64_t{1} << 32;
constexpr double scale = 0x1p32;  // of one link

TEST(FrontierSet, TakesTheNodesWithTheMostLinksAndEqualsInPublicOrder) {
  const std::vector<std::int64_t> links = {0, 5 * link, 2 * link, 9 * link, 2 * link, 2 * link + 1, -link};
  const std::vector<Node> far = {1, 2, 4, 5, 6};  // 3 is no node of O
  EXPECT_EQ(nodes_to_look_at_again(links, scale, far, 1, 1), (std::vector<Node>{1}));
  EXPECT_EQ(nodes_to_look_at_again(links, scale, far, 1, 2), (std::vector<Node>{1, 5}));
  EXPECT_EQ(nodes_to_look_at_again(links, scale, far, 1, 7), (std::vector<Node>{1, 5}));  // half of O
  const std::vector<Node> equal = {0, 2, 4, 6};
  EXPECT_EQ(nodes_to_look_at_again(links, scale, equal, 1, 1), (std::vector<Node>{2}));
}

TEST(FrontierSet, IsEmptyWithoutNeighboursAndWhereTheseAreHubs) {
  std::vector<std::int64_t> links = {110 * link, 190 * link, 0, 0};
  const std::vector<Node> far = {0, 1, 2, 3};
  const double exact = 1;
  EXPECT_EQ(nodes_to_look_at_again(links, exact, far, 2, 1), (std::vector<Node>{1}));  // 150 links each
  links[2] = link;
  EXPECT_TRUE(nodes_to_look_at_again(links, exact, far, 2, 1).empty());
  EXPECT_FALSE(nodes_to_look_at_again(links, exact, far, 3, 1).empty());
  EXPECT_TRUE(nodes_to_look_at_again(links, exact, far, 0, 1).empty());
  EXPECT_TRUE(nodes_to_look_at_again(links, exact, far, 3, 0).empty());
}

// The noise of a sum over four nodes has a standard deviation of sqrt(8) scales.
TEST(FrontierSet, TakesNeighboursForHubsOnlyBeyondTheNoiseOfTheirLinks) {
  std::vector<std::int64_t> links = {110 * link, 190 * link, 2 * link, 0};
  const std::vector<Node> far = {0, 1, 2, 3};
  EXPECT_FALSE(nodes_to_look_at_again(links, scale, far, 2, 1).empty());
  EXPECT_TRUE(nodes_to_look_at_again(links, 0.7 * scale, far, 2, 1).empty());
  links[2] = 3 * link;
  EXPECT_TRUE(nodes_to_look_at_again(links, scale, far, 2, 1).empty());
}

// Under noise of three links they have 50, and 3 sqrt(8) are 8.5.
TEST(FrontierSet, TakesNeighboursForHubsSoonerUnderMoreNoise) {
  std::vector<std::int64_t> links = {40 * link, 60 * link, 8 * link, 0};
  const std::vector<Node> far = {0, 1, 2, 3};
  EXPECT_FALSE(nodes_to_look_at_again(links, 3 * scale, far, 2, 1).empty());
  links[2] = 9 * link;
  EXPECT_TRUE(nodes_to_look_at_again(links, 3 * scale, far, 2, 1).empty());
  EXPECT_FALSE(nodes_to_look_at_again(links, scale, far, 2, 1).empty());
}

// Links of N among themselves, say: a node outside O has numbers too.
TEST(FrontierSet, CountsLinksOfNodesOfOAlone) {
  std::vector<std::int64_t> links = {900 * link, 60 * link, 90 * link, 0, 0, 900 * link};
  const std::vector<Node> far = {1, 2, 3, 4};
  EXPECT_EQ(nodes_to_look_at_again(links, scale, far, 1, 1), (std::vector<Node>{2}));
  links[3] = 3 * link;
  links[0] = links[5] = -900 * link;
  EXPECT_TRUE(nodes_to_look_at_again(links, scale, far, 1, 1).empty());
}

// Sums are wider than the numbers.
TEST(FrontierSet, StandsNumbersAtTheirLimit) {
  const std::int64_t most = (std::int64_t{1} << 62) - 1;
  EXPECT_TRUE(nodes_to_look_at_again(std::vector{most, most, most, most}, scale, {0, 1, 2, 3}, 1, 2).empty());
  EXPECT_EQ(nodes_to_look_at_again(std::vector{-most, -most, -most, -most}, scale, {0, 1, 2, 3}, 1, 2).size(),
            2U);
}

}  // namespace
}  // namespace hushwalk
