#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "hushwalk/error.h"
#include "hushwalk/ranking.h"

namespace hushwalk {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<double> scores = {0.1, 0.5, 0.5, -1, 0.9, 0.5};

TEST(TopK, PutsTheBestFirstAndTiesInOrderOfNode) {
  EXPECT_THAT(top_k(scores, 3), ElementsAre(Ranked{4, 0.9}, Ranked{1, 0.5}, Ranked{2, 0.5}));
}

TEST(TopK, ReturnsAllWhenKIsLarger) {
  EXPECT_EQ(top_k(scores, 100).size(), 6U);
  EXPECT_EQ(top_k(scores, std::numeric_limits<std::uint64_t>::max()).size(), 6U);
  EXPECT_EQ(top_k(scores, 6).back(), (Ranked{3, -1}));
}

TEST(TopK, OfNothingIsEmpty) {
  EXPECT_THAT(top_k({}, 5), IsEmpty());
  EXPECT_THAT(top_k(scores, 0), IsEmpty());
}

TEST(TopK, LeavesOutTheExcluded) {
  const std::vector<Node> excluded = {4, 1, 4};
  EXPECT_THAT(top_k(scores, 2, excluded), ElementsAre(Ranked{2, 0.5}, Ranked{5, 0.5}));
}

TEST(TopK, ConsidersOnlyCandidatesAndEachOnce) {
  const std::vector<Node> excluded = {4}, candidates = {5, 3, 4, 5};
  EXPECT_THAT(top_k(scores, 9, excluded, candidates), ElementsAre(Ranked{5, 0.5}, Ranked{3, -1}));
  EXPECT_THAT(top_k(scores, 9, {}, std::span<const Node>{}), IsEmpty());
}

TEST(TopK, TakesBothZerosForEqualAndInfinitiesForNumbers) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> odd = {0.0, -0.0, -inf, inf, -0.0};
  std::vector<Node> order;
  for (const Ranked& item : top_k(odd, 5)) order.push_back(item.node);
  EXPECT_THAT(order, ElementsAre(3, 0, 1, 4, 2));
}

TEST(TopK, RefusesWhatIsNotANumber) {
  const std::vector<double> bad = {1, std::nan("")};
  EXPECT_THROW(top_k(bad, 1), Error);
  const std::vector<Node> excluded = {1};
  EXPECT_EQ(top_k(bad, 1, excluded).size(), 1U);
}

TEST(TopK, RefusesNodesWithoutAScore) {
  const std::vector<Node> beyond = {6};
  EXPECT_THROW(top_k(scores, 1, beyond), Error);
  EXPECT_THROW(top_k(scores, 1, {}, beyond), Error);
}

RC_GTEST_PROP(TopK, IsTheHeadOfASortedList, ()) {
  const auto small = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20));
  const auto k = *rc::gen::inRange<std::size_t>(0, 30);
  const auto excluded_list = *rc::gen::container<std::vector<Node>>(
      rc::gen::inRange<Node>(0, static_cast<Node>(std::max<std::size_t>(small.size(), 1))));
  const std::vector<double> values(small.begin(), small.end());
  const std::set<Node> excluded(excluded_list.begin(), excluded_list.end());
  std::vector<Ranked> expected;
  for (Node node = 0; node < values.size(); ++node)
    if (!excluded.contains(node)) expected.push_back({node, values[node]});
  std::ranges::stable_sort(expected, std::greater{}, &Ranked::score);
  expected.resize(std::min(k, expected.size()));
  RC_ASSERT(top_k(values, k, values.empty() ? std::span<const Node>{} : excluded_list) == expected);
}

}  // namespace
}  // namespace hushwalk
