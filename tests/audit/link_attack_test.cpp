// A link-disclosure attack succeeds on exact answers and is held to its ceiling by noise.
#include <gtest/gtest.h>

#include "hushwalk/audit.h"
#include "hushwalk/error.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

constexpr std::uint64_t N = 40'000;
constexpr double five_deviations = 5 / 1.96;

TEST(LinkAttack, AlwaysSucceedsWithoutNoiseAndNeverBeatsTheCeilingWithIt) {
  constexpr double epsilons[] = {0.1, 1, 3};
  for (const char* mechanism : {"twohop", "shared", "output", "paper", "pushflow", "edgeflip"}) {
    ReleaseParameters request;
    request.mechanism = mechanism;
    const auto rows = link_attack(testing::karate(), {2, 9}, 0, request, epsilons, N / 10);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].success, 1);
    for (std::size_t i = 1; i < rows.size(); ++i)
      EXPECT_LE(rows[i].success, rows[i].ceiling + five_deviations * rows[i].success_ci) << mechanism;
  }
}

// The edge leads out of N, and nearly all of its loss is at the one end.
TEST(LinkAttack, ComesCloseToTheCeilingOnTwohop) {
  constexpr double epsilons[] = {1};
  ReleaseParameters request;
  request.mechanism = "twohop";
  const auto row = link_attack(testing::karate(), {2, 9}, 0, request, epsilons, N).back();
  EXPECT_GT(row.success, 0.67);
  EXPECT_NEAR(row.ceiling, 0.7310585786, 1e-9);
}

TEST(LinkAttack, TellsHowFarItIsWhileItDraws) {
  constexpr double epsilons[] = {1, 2};
  std::vector<double> told;
  link_attack(testing::karate(), {2, 9}, 0, {}, epsilons, 100,
              [&](std::string_view, double fraction) { told.push_back(fraction); });
  EXPECT_EQ(told, (std::vector{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0}));
}

TEST(LinkAttack, RefusesAnEdgeThatTheRecipientKnows) {
  constexpr double epsilons[] = {1};
  EXPECT_THROW(link_attack(testing::karate(), {0, 2}, 0, {}, epsilons, 10), Error);
  EXPECT_THROW(link_attack(testing::karate(), {2, 2}, 0, {}, epsilons, 10), Error);
}

}  // namespace
}  // namespace hushwalk
