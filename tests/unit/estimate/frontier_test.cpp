#include "estimate/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hushwalk/diffusion.h"
#include "support/seeded.h"

namespace hushwalk {
namespace {

constexpr Node nodes = 800, near_end = 11, friends_end = 71, in_the_set = 150;

double laplace(testing::Seeded& random) {
  const double size = -std::log(1 - random.uniform());
  return random.coin() ? size : -size;
}

// Node 0 and its neighbours 1 to 10. The next sixty are their friends: two links into N, nine into A where
// chance gives two. All have ten links. Noise of scale 1.
FrontierNumbers friends_of_friends(double into_near = 2) {
  testing::Seeded random(4);
  FrontierNumbers numbers{{{}, {}, {1, 1, 1, 1}}, {}, std::vector<char>(nodes), {1, 1, 1}};
  std::vector<Node> order;
  for (Node v = 0; v < nodes; ++v) {
    const bool is_friend = v >= near_end && v < friends_end;
    const double into_set = is_friend ? 9 : 2;
    numbers.separate.into_near.push_back((is_friend ? into_near : 0) + laplace(random));
    numbers.separate.into_far.push_back(10 - into_set + laplace(random));
    numbers.into_set.push_back(into_set + laplace(random));
    if (v >= near_end) order.push_back(v);
  }
  std::ranges::sort(order, std::greater(), [&](Node v) { return numbers.separate.into_near[v]; });
  for (std::size_t i = 0; i < in_the_set; ++i) numbers.in_set[order[i]] = 1;
  return numbers;
}

OwnLinks own_links() {
  OwnLinks own;
  for (Node v = 1; v < near_end; ++v) own.near.push_back(v), own.share.push_back(0.1);
  return own;
}

// How often a friend has a higher score than somebody else.
double friends_first(const std::vector<double>& scores) {
  double won = 0;
  for (Node a = near_end; a < friends_end; ++a)
    for (Node b = friends_end; b < nodes; ++b) won += scores[a] > scores[b];
  return won / ((friends_end - near_end) * (nodes - friends_end));
}

Series lazy_walk() { return series_of(Diffusion::ppr().steps()); }

TEST(FrontierEstimate, FindsFriendsThatTheLinksIntoNAloneDoNotTell) {
  const FrontierNumbers numbers = friends_of_friends();
  const Estimate twice = estimate_frontier(numbers, SeedVector(0), own_links(), lazy_walk());
  const Estimate once = estimate_separate(numbers.separate, SeedVector(0), own_links(), lazy_walk());
  EXPECT_GT(friends_first(twice.scores), 0.97);
  EXPECT_LT(friends_first(once.scores), 0.95);
}

// A fifth of a link each is within the noise of sixty numbers: 1.2 variances in all.
TEST(FrontierEstimate, DoesNotBelieveWhatNoiseExplainsAsWell) {
  const Estimate estimate =
      estimate_frontier(friends_of_friends(0.2), SeedVector(0), own_links(), lazy_walk());
  EXPECT_LT(friends_first(estimate.scores), 0.75);
}

TEST(FrontierEstimate, WithoutASetIsThatOfTwoHop) {
  FrontierNumbers numbers = friends_of_friends();
  std::ranges::fill(numbers.in_set, 0);
  EXPECT_EQ(estimate_frontier(numbers, SeedVector(0), own_links(), lazy_walk()).scores,
            estimate_separate(numbers.separate, SeedVector(0), own_links(), lazy_walk()).scores);
}

}  // namespace
}  // namespace hushwalk
