#include "hushwalk/advice.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hushwalk/certificate.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// Other tests of the program add mechanisms from outside.
#define HUSHWALK_NAME(name, code) name,
constexpr const char* of_this_repository[] = {HUSHWALK_MECHANISMS(HUSHWALK_NAME)};
#undef HUSHWALK_NAME

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

TEST(Advice, EveryChoiceOfAutoHasAReasonOfItsOwn) {
  struct Case {
    ReleaseParameters request;
    const char *mechanism, *reason;
  };
  const std::vector<Case> cases = {
      {{.eta = Eta(1e-6)}, "paper", "an eta is asked for"},
      {{.background = 0.5}, "twohop", "a background is asked for"},
      {{.scope = Scope::edge}, "shared", "one edge decides whether a node is a neighbour"},
      {{.epsilon = Epsilon(0.029)}, "shared", "epsilon is below 0.03"},
      {{.rankings = 11}, "circles", "more than 10 rankings"},
      {{.epsilon = Epsilon(0.249), .rankings = 11}, "shared", "below epsilon = 0.25"},
      {{.taper = 100, .rankings = 11}, "shared", "a taper is asked for"},
      {{.epsilon = Epsilon(0.03), .rankings = 10}, "twohop", "it depends on the graph"},
      {{.epsilon = Epsilon(1), .rankings = 10}, "twohop", "told more than popularity alone"}};
  std::set<std::string> reasons;
  for (const auto& [request, mechanism, reason] : cases) {
    EXPECT_EQ(choose_mechanism(request).mechanism, mechanism) << reason;
    EXPECT_THAT(why_chosen(request), HasSubstr(reason));
    reasons.insert(why_chosen(request));
  }
  EXPECT_EQ(reasons.size(), cases.size());
}

TEST(Advice, PromisesNothingOfNeighboursWhereThatDependsOnTheGraph) {
  for (const double epsilon : {0.1, 0.99})
    EXPECT_THAT(why_chosen({.epsilon = Epsilon(epsilon)}),
                AllOf(HasSubstr("the links of the seed's neighbours"), HasSubstr("tune with a public proxy"),
                      Not(HasSubstr("told more"))));
}

TEST(Advice, AMechanismThatWasNamedIsAsAskedFor) {
  for (const char* name : of_this_repository)
    EXPECT_EQ(why_chosen({.mechanism = name, .rankings = 50}), "as asked for") << name;
}

std::string expected(const ReleaseParameters& request) {
  return expected_of(make_plan(public_facts(1000, 5000), request));
}

TEST(Advice, SaysOfEveryMechanismByWhatItRanksStrangers) {
  for (const char* name : of_this_repository)
    EXPECT_THAT(expected({.mechanism = name}),
                AllOf(StartsWith("people who are not linked to the seed yet are ranked by "),
                      Not(HasSubstr("by what is released of them")), HasSubstr("depends on the graph")))
        << name;
}

TEST(Advice, ExpectsOfCirclesAndFrontierWhatTheirEpsilonAllows) {
  const auto ranked_by = [](const char* mechanism, double epsilon) {
    return expected({.mechanism = mechanism, .epsilon = Epsilon(epsilon)});
  };
  EXPECT_THAT(ranked_by("circles", 0.25),
              AllOf(HasSubstr("by the circles they belong to"), HasSubstr("show no circles")));
  EXPECT_EQ(ranked_by("circles", 0.2), ranked_by("shared", 0.2));
  EXPECT_THAT(ranked_by("frontier", 0.4), HasSubstr("the released numbers decide"));
  EXPECT_EQ(ranked_by("frontier", 0.39), ranked_by("twohop", 0.39));
  EXPECT_THAT(expected({.mechanism = "twohop", .background = 0}), HasSubstr("neighbours alone"));
}

TEST(Advice, ExpectsTheSameOfTheSeedsNeighboursInEdgeScope) {
  EXPECT_THAT(expected({.scope = Scope::edge}),
              StartsWith("everybody, the seed's neighbours too, is ranked by their number of links alone"));
}

std::optional<OtherPlan> other(const ReleaseParameters& request) {
  return alternative_to(make_plan(public_facts(1000, 5000), request), request);
}

// An alternative as "mechanism, price".
std::string price(const ReleaseParameters& request) {
  const std::optional<OtherPlan> found = other(request);
  if (!found) return "none";
  EXPECT_THAT(found->words, HasSubstr("mechanism " + found->mechanism + " is the other way"));
  return fmt::format("{}, {}", found->mechanism, found->total_epsilon);
}

TEST(Advice, NamesTheOtherMechanismWhereTheNumberOfRankingsDecides) {
  const auto asked = [](std::uint64_t rankings, const char* mechanism) {
    const ReleaseParameters request{.mechanism = mechanism, .epsilon = Epsilon(1), .rankings = rankings};
    return alternative_for_few(make_plan(public_facts(1000), request), request);
  };
  EXPECT_FALSE(asked(10, "auto"));
  EXPECT_FALSE(asked(11, "circles"));
  ASSERT_TRUE(asked(11, "auto"));
  EXPECT_EQ(asked(11, "auto")->mechanism, "twohop");
  EXPECT_EQ(asked(11, "auto")->total_epsilon, 11);
  EXPECT_THAT(asked(11, "auto")->words, HasSubstr("which it takes for up to 10."));
  EXPECT_EQ(price({.rankings = 11}), "twohop, 11");
  EXPECT_EQ(price({.taper = 100, .rankings = 11}), "twohop, 11");  // which has a taper, too
}

TEST(Advice, NamesOneArtefactWhereSeveralRankingsHaveNoiseOfTheirOwn) {
  EXPECT_EQ(price({.rankings = 2}), "circles, 1");
  EXPECT_EQ(price({.rankings = 10}), "circles, 1");
  EXPECT_EQ(price({.epsilon = Epsilon(0.1), .rankings = 10}), "shared, 0.1");
  for (const char* mechanism : {"twohop", "frontier", "paper", "output", "pushflow"})
    for (const std::uint64_t rankings : {2, 11})
      EXPECT_EQ(price({.mechanism = mechanism, .rankings = rankings}), "circles, 1") << mechanism;
  EXPECT_THAT(other({.rankings = 3})->words,
              AllOf(HasSubstr("each of 3 rankings, epsilon = 3 in all"), HasSubstr("epsilon = 1 once"),
                    HasSubstr("people who are not linked to the seed yet are ranked by the circles")));
}

TEST(Advice, NamesTheDeltaOfSeveralRankings) {
  const auto words = [](double delta) {
    return other({.mechanism = "paper", .epsilon = Epsilon(0.1), .delta = Delta(delta), .rankings = 4})
        ->words;
  };
  EXPECT_THAT(words(2e-5), HasSubstr("each of 4 rankings, epsilon = 0.4 and delta = 8e-05 in all"));
  EXPECT_THAT(words(0.3), HasSubstr("each of 4 rankings, for all of which together nothing is promised"));
  EXPECT_THAT(words(1e-6), Not(HasSubstr("delta")));  // pure noise is the smaller one
}

TEST(Advice, NamesFrontierForOneRankingOfAuto) {
  EXPECT_EQ(price({}), "frontier, 1");
  EXPECT_EQ(price({.epsilon = Epsilon(0.4)}), "frontier, 0.4");
  EXPECT_EQ(price({.epsilon = Epsilon(0.39)}), "none");
  EXPECT_THAT(other({})->words, AllOf(HasSubstr("same price"), HasSubstr("worse by up to 0.002")));
  EXPECT_EQ(price({.mechanism = "twohop"}), "none");
  EXPECT_EQ(price({.mechanism = "paper"}), "none");
}

TEST(Advice, NamesFrontierOnlyWhereItWasMeasured) {
  EXPECT_EQ(price({.epsilon = Epsilon(10)}), "frontier, 10");
  EXPECT_EQ(price({.epsilon = Epsilon(10.1)}), "none");
  EXPECT_EQ(price({.diffusion = Diffusion::pagerank()}), "none");
  EXPECT_EQ(price({.diffusion = Diffusion::ppr(0.9)}), "none");
  EXPECT_EQ(price({.diffusion = Diffusion::heat()}), "none");
  EXPECT_EQ(price({.seeds_per_ranking = 2}), "none");
}

TEST(Advice, NamesWhatAutoTakesWhereAnArtefactWasNamedForOne) {
  for (const char* mechanism : {"shared", "circles", "edgeflip"}) {
    EXPECT_EQ(price({.mechanism = mechanism}), "twohop, 1") << mechanism;
    for (const double epsilon : {0.029, 0.1, 0.99})
      EXPECT_EQ(price({.mechanism = mechanism, .epsilon = Epsilon(epsilon)}), "none") << mechanism;
    for (const double epsilon : {0.1, 1.0})
      for (const std::uint64_t rankings : {2, 10, 11})
        EXPECT_EQ(price({.mechanism = mechanism, .epsilon = Epsilon(epsilon), .rankings = rankings}), "none")
            << mechanism;
  }
  EXPECT_THAT(other({.mechanism = "shared"})->words, HasSubstr("at the same price, epsilon = 1"));
}

TEST(Advice, InEdgeScopeSharedIsTheOne) {
  for (const std::uint64_t rankings : {1, 10, 11}) {
    EXPECT_EQ(price({.scope = Scope::edge, .rankings = rankings}), "none");
    EXPECT_EQ(price({.mechanism = "circles", .scope = Scope::edge, .rankings = rankings}), "none");
  }
  EXPECT_EQ(price({.mechanism = "paper", .scope = Scope::edge}), "none");
  EXPECT_EQ(price({.mechanism = "paper", .scope = Scope::edge, .rankings = 5}), "shared, 1");
}

TEST(Advice, NobodyIsAdvisedAgainstAParameterThatWasAskedFor) {
  for (const std::uint64_t rankings : {1, 5, 50}) {
    EXPECT_EQ(price({.eta = Eta(1e-6), .rankings = rankings}), "none");
    EXPECT_EQ(price({.background = 0.5, .rankings = rankings}), "none");
    EXPECT_EQ(price({.mechanism = "shared", .taper = 100, .rankings = rankings}), "none");
  }
  EXPECT_EQ(price({.taper = 100}), "none");
  EXPECT_EQ(price({.taper = 100, .rankings = 10}), "none");
}

// `output` takes more nodes than any mechanism that counts links.
TEST(Advice, WhatWouldBeRefusedIsNoAlternative) {
  const auto of_nodes = [](std::uint64_t nodes) {
    const ReleaseParameters request{.mechanism = "output", .diffusion = Diffusion::pagerank(), .rankings = 5};
    return alternative_to(make_plan(public_facts(nodes, 5000), request), request);
  };
  EXPECT_TRUE(of_nodes((std::uint64_t{1} << 30) - 1));
  EXPECT_FALSE(of_nodes(std::uint64_t{1} << 30));
}

TEST(Advice, NoTotalIsPromisedWhereItWouldBeOneOrMore) {
  const Plan plan =
      make_plan(public_facts(1000, 5000),
                {.mechanism = "paper", .epsilon = Epsilon(1), .delta = Delta(0.3), .rankings = 4});
  EXPECT_THAT(certificate_text(plan), HasSubstr("nothing is promised for all of"));
}

}  // namespace
}  // namespace hushwalk
