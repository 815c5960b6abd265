// Whatever noise does, scores are finite numbers, and those of the seeds are 0.
#include "estimate/separate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/seeded.h"

namespace hushwalk {
namespace {

constexpr double most = 0x1p30;  // links: where noisy numbers are clamped
constexpr Series theta{.one = 0.2, .two = 0.1, .rest = 0.3};

accounting::SeparateScales scales_for(double epsilon) {
  return {2 / epsilon, 20 / epsilon, 1 / (0.95 * epsilon), 2 / epsilon};
}

OwnLinks first_neighbors(Node seeds, std::size_t count) {
  OwnLinks own;
  for (Node v = seeds; own.near.size() < count; ++v) {
    own.near.push_back(v);
    own.share.push_back(1 / static_cast<double>(count));
  }
  return own;
}

Estimate checked(const SeparateNumbers& noisy, std::size_t neighbors) {
  Estimate estimate = estimate_separate(noisy, SeedVector(0), first_neighbors(1, neighbors), theta);
  EXPECT_EQ(estimate.scores.size(), noisy.into_near.size());
  EXPECT_EQ(estimate.scores[0], 0);
  for (const double score : estimate.scores) EXPECT_TRUE(std::isfinite(score) && score >= 0) << score;
  EXPECT_TRUE(std::isfinite(estimate.near_error) && std::isfinite(estimate.far_error));
  return estimate;
}

TEST(EstimateSeparate, IsFiniteForEveryShapeOfATinyGraph) {
  for (const double epsilon : {0.4, 1.0, 1e3, 1e6})
    for (std::size_t nodes = 1; nodes <= 5; ++nodes)
      for (std::size_t neighbors = 0; neighbors < nodes; ++neighbors)
        for (const double value : {0.0, 1.0, -1.0, most, -most}) {
          const std::vector<double> same(nodes, value);
          std::vector<double> mixed = same;
          for (std::size_t v = 0; v < nodes; v += 2) mixed[v] = -value;
          checked({same, same, scales_for(epsilon)}, neighbors);
          checked({same, mixed, scales_for(epsilon)}, neighbors);
          checked({mixed, same, scales_for(epsilon)}, neighbors);
        }
}

TEST(EstimateSeparate, IsFiniteForWildNumbers) {
  testing::Seeded random(1);
  for (int i = 0; i < 60; ++i) {
    const std::size_t nodes = 2 + random.below(1500);
    SeparateNumbers noisy{{}, {}, scales_for(random.log_uniform(0.4, 1e6))};
    const double reach = random.log_uniform(1e-3, most);
    for (std::size_t v = 0; v < nodes; ++v) {
      noisy.into_near.push_back(random.uniform(-reach, reach));
      noisy.into_far.push_back(random.below(9) == 0 ? most : random.uniform(-reach, reach));
    }
    checked(noisy, random.below(nodes));
  }
}

TEST(EstimateSeparate, WithoutNoiseFollowsTheLinksIntoTheNeighbourhood) {
  const std::vector<double> into_near = {0, 2, 1, 1, 3, 2, 1, 0}, into_far = {0, 1, 2, 3, 1, 1, 1, 1};
  const Estimate found = checked({into_near, into_far, scales_for(1e4)}, 3);
  EXPECT_GT(found.scores[4], found.scores[5]);
  EXPECT_GT(found.scores[5], found.scores[6]);
  EXPECT_GT(found.scores[6], found.scores[7]);
  EXPECT_GT(found.scores[3], theta.one / 3);
}

}  // namespace
}  // namespace hushwalk
