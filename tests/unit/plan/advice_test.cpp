#include "hushwalk/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hushwalk/certificate.h"

namespace hushwalk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> points(std::uint64_t nodes, const ReleaseParameters& request) {
  return weak_points(make_plan(public_facts(nodes, 5000), request));
}

TEST(Advice, AnOrdinaryPromiseHasNoWeakPoint) {
  EXPECT_THAT(points(1000, {.epsilon = Epsilon(1)}), IsEmpty());
  EXPECT_THAT(points(1000, {.epsilon = Epsilon(10)}), IsEmpty());
  EXPECT_THAT(points(1000, {.mechanism = "paper", .epsilon = Epsilon(0.1), .delta = Delta(9e-6)}), IsEmpty());
}

TEST(Advice, SaysWhenEpsilonIsLarge) {
  EXPECT_THAT(points(1000, {.epsilon = Epsilon(10.5)}), ElementsAre(HasSubstr("epsilon = 10.5")));
  EXPECT_THAT(points(1000, {.epsilon = Epsilon(6), .rankings = 2}), ElementsAre(HasSubstr("epsilon = 12")));
}

TEST(Advice, SaysWhenDeltaIsLargeOrHasNoEffect) {
  EXPECT_THAT(points(1000, {.epsilon = Epsilon(1), .delta = Delta(1e-9)}),
              ElementsAre(HasSubstr("no effect")));
  EXPECT_THAT(points(1000, {.mechanism = "paper", .epsilon = Epsilon(0.1), .delta = Delta(2e-5)}),
              ElementsAre(HasSubstr("stay below 1e-05")));
  EXPECT_THAT(points(1'000'000, {.mechanism = "paper",
                                 .epsilon = Epsilon(1),
                                 .delta = Delta(2e-6),
                                 .diffusion = Diffusion::heat(5, 20),
                                 .eta = Eta(0.01)}),
              ElementsAre(HasSubstr("stay below 1e-06")));
}

TEST(Advice, NamesTheOtherMechanismWhereTheNumberOfRankingsDecides) {
  const auto asked = [](std::uint64_t rankings, const char* mechanism) {
    const ReleaseParameters request{.mechanism = mechanism, .epsilon = Epsilon(1), .rankings = rankings};
    return alternative_to(make_plan(public_facts(1000), request), request);
  };
  EXPECT_FALSE(asked(10, "auto"));
  EXPECT_FALSE(asked(11, "circles"));
  ASSERT_TRUE(asked(11, "auto"));
  EXPECT_EQ(asked(11, "auto")->mechanism, "twohop");
  EXPECT_EQ(asked(11, "auto")->total_epsilon, 11);
}

TEST(Advice, NoTotalIsPromisedWhereItWouldBeOneOrMore) {
  const Plan plan =
      make_plan(public_facts(1000, 5000),
                {.mechanism = "paper", .epsilon = Epsilon(1), .delta = Delta(0.3), .rankings = 4});
  EXPECT_THAT(certificate_text(plan), HasSubstr("nothing is promised for all of"));
}

}  // namespace
}  // namespace hushwalk
