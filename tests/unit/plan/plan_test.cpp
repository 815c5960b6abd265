// Plans come from public facts only, and say no where no proof covers the wish.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "accounting/edge_cost.h"
#include "accounting/taper.h"
#include "hushwalk/certificate.h"
#include "hushwalk/error.h"
#include "hushwalk/mechanism.h"
#include "support/graphs.h"

namespace hushwalk {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ErrorCode code_of(const PublicFacts& facts, const ReleaseParameters& request) {
  try {
    make_plan(facts, request);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "not refused";
  return ErrorCode::failed;
}

ReleaseParameters wish(const std::string& mechanism, double epsilon = 1) {
  ReleaseParameters request;
  request.mechanism = mechanism;
  request.epsilon = Epsilon(epsilon);
  return request;
}

// Two graphs that differ in everything secret have the same plans, up to the random id.
TEST(Plan, DependsOnPublicFactsOnly) {
  const Graph sparse = Graph::from_edges(NodeList::range(1, 200), {{0, 1}}, 5000);
  std::vector<std::pair<Node, Node>> edges;
  for (Node u = 0; u < 60; ++u)
    for (Node v = u + 1; v < 60; ++v) edges.emplace_back(u, v);
  const Graph dense = Graph::from_edges(NodeList::range(1, 200), edges, 5000);
  const auto plan_without_id = [](const Graph& graph,
                                  const ReleaseParameters& request) -> std::optional<Plan> {
    PublicFacts facts = graph.facts();
    facts.graph_id.clear();
    try {
      return make_plan(facts, request);
    } catch (const Error&) {
      return {};
    }
  };
  std::vector<std::string> names = mechanism_names();
  names.emplace_back("auto");
  std::size_t planned = 0;
  for (const std::string& name : names)
    for (const double epsilon : {0.005, 0.05, 0.5, 5.0})
      for (const Scope scope : {Scope::personalized, Scope::edge})
        for (const std::uint64_t rankings : {1, 50}) {
          const ReleaseParameters request{
              .mechanism = name, .scope = scope, .epsilon = Epsilon(epsilon), .rankings = rankings};
          const std::optional<Plan> plan = plan_without_id(sparse, request);
          EXPECT_EQ(plan, plan_without_id(dense, request)) << name;
          planned += plan.has_value();
        }
  EXPECT_EQ(planned,
            (2 * names.size() - 4) * 8);  // all but twohop, frontier and those with own links in edge scope
}

TEST(Plan, EqualPlansHaveEqualCertificates) {
  const Plan plan = make_plan(public_facts(1000), wish("paper"));
  EXPECT_EQ(certificate_json(plan), certificate_json(make_plan(public_facts(1000), wish("paper"))));
  EXPECT_NE(certificate_json(plan), certificate_json(make_plan(public_facts(1001), wish("paper"))));
}

TEST(Plan, AutoChoosesByEpsilonScopeAndHowManyShareTheBudget) {
  const PublicFacts facts = public_facts(10'000);
  EXPECT_EQ(make_plan(facts, wish("auto", 1)).parameters.mechanism, "twohop");
  EXPECT_EQ(make_plan(facts, wish("auto", 0.01)).parameters.mechanism, "shared");
  ReleaseParameters edge = wish("auto"), many = wish("auto");
  edge.scope = Scope::edge;
  many.rankings = 1000;
  EXPECT_EQ(make_plan(facts, edge).parameters.mechanism, "shared");
  EXPECT_EQ(make_plan(facts, many).parameters.mechanism, "circles");
  EXPECT_EQ(make_plan(facts, many).total_epsilon(), 1);
  many.rankings = 10;
  EXPECT_EQ(make_plan(facts, many).parameters.mechanism, "twohop");
  many.rankings = 11;
  EXPECT_EQ(make_plan(facts, many).parameters.mechanism, "circles");
  many.epsilon = Epsilon(0.2);  // too little for rows
  EXPECT_EQ(make_plan(facts, many).parameters.mechanism, "shared");
  many.epsilon = Epsilon(1);
  many.taper = 100;  // a wish for what has one
  EXPECT_EQ(make_plan(facts, many).parameters.mechanism, "shared");
  many.taper = {};
  many.rankings = 1000;
  many.mechanism = "twohop";
  EXPECT_GE(make_plan(facts, many).total_epsilon(), 1000);
}

TEST(Plan, AddsTheDeltasOfAllRankings) {
  ReleaseParameters request = wish("paper", 0.5);
  request.diffusion = Diffusion::heat(5, 40);
  request.eta = Eta(1e-3);
  request.delta = Delta(1e-3);
  request.rankings = 20;
  const Plan plan = make_plan(public_facts(50, 200), request);
  ASSERT_FALSE(plan.guarantee.pure());
  EXPECT_NEAR(plan.total_delta(), 20 * 1e-3, 1e-15);
  EXPECT_GE(plan.total_delta(), 20 * plan.certified_delta());
  request.mechanism = "shared";  // pure: no delta to add
  request.eta = {};
  EXPECT_EQ(make_plan(public_facts(50, 200), request).total_delta(), 0);
}

TEST(Plan, AutoNeverChoosesABaseline) {
  for (const double epsilon : {1e-4, 0.01, 0.1, 1.0, 10.0})
    for (const Scope scope : {Scope::personalized, Scope::edge})
      for (const std::uint64_t rankings : {1, 1000})
        for (const bool with_eta : {false, true}) {
          ReleaseParameters request = wish("auto", epsilon);
          request.scope = scope;
          request.rankings = rankings;
          if (with_eta) request.eta = Eta(1e-6);
          const std::string chosen = make_plan(public_facts(1000), request).parameters.mechanism;
          EXPECT_TRUE(chosen == "twohop" || chosen == "shared" || chosen == "circles" || chosen == "paper")
              << chosen;
        }
}

TEST(Plan, NoiseOfOutputIsSensitivityOverEpsilon) {
  const Plan plan = make_plan(public_facts(10'000), wish("output", 0.5));
  EXPECT_NEAR(plan.noise.front().laplace_scale, plan.sensitivity / 0.5, 1e-12 * plan.sensitivity);
  // beta = 0.8: half of w_K = 8 eta suffices, up to the finite-K term and rounding.
  EXPECT_NEAR(plan.sensitivity, 4e-6, 0.01 * 4e-6);
  EXPECT_GT(plan.slack, 0);
  EXPECT_EQ(plan.noise.front().lattice_scale,
            std::ldexp(plan.noise.front().laplace_scale, plan.lattice_bits));
}

TEST(Plan, NoiseOfPaperAgreesWithCalibration) {
  const Plan plan = make_plan(public_facts(10'000, 100'000), wish("paper"));
  EXPECT_NEAR(plan.noise.front().laplace_scale, 8e-6, 1e-5 * 8e-6);
  EXPECT_EQ(plan.noise.front().draws, 2);
}

TEST(Plan, ADeltaMakesPaperCheaperWhereCompositionCounts) {
  ReleaseParameters request = wish("paper", 0.5);
  request.diffusion = Diffusion::heat(5, 100);
  const double pure = make_plan(public_facts(10'000), request).noise.front().laplace_scale;
  request.delta = Delta(1e-6);
  const Plan plan = make_plan(public_facts(10'000), request);
  EXPECT_LT(plan.noise.front().laplace_scale, 0.5 * pure);
  EXPECT_EQ(plan.certified_delta(), 1e-6);
  EXPECT_LE(plan.guarantee.epsilon, 0.5);
}

TEST(Plan, TwoHopHasItsScales) {
  ReleaseParameters request = wish("twohop", 2);
  request.background = 0.25;
  request.taper = infinity;
  const Plan plan = make_plan(public_facts(100), request);
  EXPECT_EQ(plan.noise[0].laplace_scale, 1);                      // 2 / epsilon
  EXPECT_DOUBLE_EQ(plan.noise[1].laplace_scale, (1 + 0.25) / 2);  // (1 + r S_w) / epsilon
}

TEST(Plan, TwoHopReleasesSeparateNumbersFromFourTenthsOn) {
  const PublicFacts facts = public_facts(100);
  const Plan plan = make_plan(facts, wish("twohop", 2));
  ASSERT_EQ(plan.noise.size(), 4U);
  EXPECT_FALSE(plan.parameters.background.has_value());
  EXPECT_EQ(plan.parameters.taper, 100);
  EXPECT_EQ(plan.noise[0].laplace_scale, 1);                         // 2 / epsilon
  EXPECT_DOUBLE_EQ(plan.noise[1].laplace_scale, 1 / (0.05 * 2));     // 1 / (q epsilon)
  EXPECT_DOUBLE_EQ(plan.noise[2].laplace_scale, 1 / (0.95 * 2));     // 1 / ((1 - q) epsilon)
  EXPECT_NEAR(plan.noise[3].laplace_scale, 1 - 1 / 200.0, 0x1p-25);  // 2 S_w / epsilon
  EXPECT_EQ(make_plan(facts, wish("twohop", 0.4)).noise.size(), 4U);
  EXPECT_EQ(make_plan(facts, wish("twohop", std::nextafter(0.4, 0))).noise.size(), 2U);
  ReleaseParameters with_background = wish("twohop", 2), with_taper = wish("twohop", 2);
  with_background.background = 0.1;
  with_taper.taper = infinity;
  EXPECT_EQ(make_plan(facts, with_background).noise.size(), 2U);
  EXPECT_EQ(make_plan(facts, with_taper).noise[3].laplace_scale, 1);
}

// The scales are rounded so that the cost, rounded up as well, is not above epsilon.
TEST(Plan, SeparateScalesCoverEveryEpsilon) {
  for (int i = 0; i < 2000; ++i) {
    const double epsilon = 0.4 * std::pow(1.0065, i);
    ReleaseParameters request = wish("twohop", epsilon);
    if (i % 3 == 1) request.taper = 1 + i % 7;
    if (i % 3 == 2) request.taper = infinity;
    const PublicFacts facts = public_facts(2 + static_cast<std::uint64_t>(i) * 17);
    const Plan plan = make_plan(facts, request);
    const auto taper = std::isinf(*plan.parameters.taper)
                           ? accounting::Taper()
                           : accounting::Taper(static_cast<std::uint64_t>(*plan.parameters.taper));
    const double moved =
        std::ldexp(static_cast<double>(accounting::QuantisedTaper(1, taper).sensitivity(facts.nodes)), -32);
    const double cost =
        accounting::separate_cost_up({plan.noise[0].laplace_scale, plan.noise[1].laplace_scale,
                                      plan.noise[2].laplace_scale, plan.noise[3].laplace_scale},
                                     moved)
            .worst();
    EXPECT_LE(cost, epsilon);
    EXPECT_GT(cost, epsilon * (1 - 1e-12));
  }
}

TEST(Plan, OneScoreSaysThatAnEdgeMovesALinkAndTheBackground) {
  ReleaseParameters request = wish("twohop", 0.1);
  request.taper = infinity;
  request.background = 0.25;
  EXPECT_EQ(make_plan(public_facts(1000), request).sensitivity, 1.25);
}

// Where they are not sums of units: beyond all units, and of deltas.
TEST(Plan, TotalsAreRoundedUp) {
  Plan plan = make_plan(public_facts(1000), wish("twohop"));
  plan.parameters.rankings = 3001;
  plan.guarantee.order = 2;
  for (int i = 1; i < 200; ++i) {
    const double epsilon = 5e5 * (1 + i / 401.0), delta = 1e-9 * (1 + i / 7.0);
    plan.parameters.epsilon = Epsilon(epsilon);
    plan.guarantee.delta = delta;
    EXPECT_LE(std::fma(epsilon, 3001, -plan.total_epsilon()), 0) << epsilon;
    EXPECT_LE(std::fma(delta, 3001, -plan.total_delta()), 0) << delta;
  }
}

// The largest public bound on edges that is not refused: rounding is five hundredths of the sensitivity
// there.
TEST(Plan, RoundingIsAtMostFiveHundredthsOfTheSensitivity) {
  PublicFacts facts = public_facts(1000);
  ReleaseParameters request = wish("paper");
  request.eta = Eta(1e-12);
  const auto fits = [&](std::uint64_t edges) {
    facts.max_edges = edges;
    try {
      make_plan(facts, request);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::refused);
      return false;
    }
    return true;
  };
  std::uint64_t low = 1, high = 499'500;
  ASSERT_TRUE(fits(low) && !fits(high));
  while (high - low > 1) (fits((low + high) / 2) ? low : high) = (low + high) / 2;
  facts.max_edges = low;
  const Plan plan = make_plan(facts, request);
  EXPECT_LE(plan.slack / plan.sensitivity, 0.05);
  EXPECT_GT(plan.slack / plan.sensitivity, 0.0499);
}

TEST(Plan, CirclesSaysWhatAnEdgeMovesWithRowsAndWithout) {
  const Plan degrees = make_plan(public_facts(1000), wish("circles", 0.01)),
             rows = make_plan(public_facts(1000), wish("circles", 3));
  ASSERT_EQ(degrees.noise.size(), 1U);
  ASSERT_GT(rows.noise.size(), 1U);
  EXPECT_EQ(degrees.sensitivity, 2);
  EXPECT_EQ(rows.sensitivity, 4);
}

// An edge would move the weighted links of nodes far from it, which the price of rows leaves out.
TEST(Plan, CirclesTakesATaperOnlyWhereItHasNoRows) {
  ReleaseParameters request = wish("circles", 0.2);
  request.taper = 7;
  EXPECT_EQ(make_plan(public_facts(1000), request).parameters.taper, 7);
  request.epsilon = Epsilon(0.25);
  try {
    make_plan(public_facts(1000), request);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
  }
  request.taper.reset();
  EXPECT_EQ(make_plan(public_facts(1000), request).noise.size(), 5U);
}

TEST(Plan, TakesWholeTapersFromOneOn) {
  ReleaseParameters request = wish("twohop");
  const double most = static_cast<double>(accounting::QuantisedTaper::max_taper);
  for (const double taper : {-infinity, -1.0, 0.0, 0.5, 1.5, most + 1, std::nan("")}) {
    request.taper = taper;
    try {
      make_plan(public_facts(1000), request);
      ADD_FAILURE() << "not refused: " << taper;
    } catch (const Error& error) {  // before it is made a whole number, which -1 is not
      EXPECT_EQ(error.code(), ErrorCode::usage) << taper;
      EXPECT_NE(std::string(error.what()).find("it must be a whole number from 1"), std::string::npos)
          << error.what();
    }
  }
  for (const double taper : {1.0, 2.0, most, infinity}) {
    request.taper = taper;
    EXPECT_EQ(make_plan(public_facts(1000), request).parameters.taper, taper);
  }
}

TEST(Plan, RefusesWhatNoProofCovers) {
  const PublicFacts facts = public_facts(10'000);
  ReleaseParameters edge = wish("twohop");
  edge.scope = Scope::edge;
  EXPECT_EQ(code_of(facts, edge), ErrorCode::refused);
  ReleaseParameters background = wish("twohop");
  for (const double r : {-0.1, 1.1, std::nan("")}) {
    background.background = r;
    EXPECT_EQ(code_of(facts, background), ErrorCode::refused) << r;
  }
  ReleaseParameters tiny = wish("paper");  // rounding would be all there is
  tiny.eta = Eta(1e-17);
  EXPECT_EQ(code_of(facts, tiny), ErrorCode::refused);
  EXPECT_EQ(code_of(facts, wish("twohop", 1e-7)), ErrorCode::refused);  // more noise than the sampler draws
  EXPECT_EQ(code_of(public_facts(std::uint64_t{1} << 30), wish("shared")), ErrorCode::refused);
  ReleaseParameters simple_walk = wish("pushflow");
  simple_walk.diffusion = Diffusion::pagerank();
  EXPECT_EQ(code_of(facts, simple_walk), ErrorCode::refused);
  for (const char* mechanism : {"pushflow+own", "edgeflip+own"}) {
    ReleaseParameters own = wish(mechanism);
    own.scope = Scope::edge;
    EXPECT_EQ(code_of(facts, own), ErrorCode::refused) << mechanism;
  }
}

TEST(Plan, SaysWhatMakesNoSense) {
  const PublicFacts facts = public_facts(100);
  EXPECT_EQ(code_of(facts, wish("nonsense")), ErrorCode::usage);
  ReleaseParameters eta = wish("twohop"), taper = wish("twohop"), set = wish("shared");
  eta.eta = Eta(1e-6);
  EXPECT_EQ(code_of(facts, eta), ErrorCode::usage);
  eta.mechanism = "edgeflip";
  EXPECT_EQ(code_of(facts, eta), ErrorCode::usage);
  ReleaseParameters background = wish("pushflow");
  background.background = 0.5;
  EXPECT_EQ(code_of(facts, background), ErrorCode::usage);
  for (const double bad : {0.0, -1.0, 2.5, std::nan("")}) {
    taper.taper = bad;
    EXPECT_EQ(code_of(facts, taper), ErrorCode::usage) << bad;
  }
  set.seeds_per_ranking = 101;
  EXPECT_EQ(code_of(facts, set), ErrorCode::usage);
}

TEST(Plan, ASmallerPublicBoundOnEdgesLeavesLessSlack) {
  const Plan any = make_plan(public_facts(100'000), wish("paper")),
             few = make_plan(public_facts(100'000, 1'000'000), wish("paper"));
  EXPECT_LT(few.slack, 1e-3 * any.slack);
  EXPECT_LE(few.noise.front().laplace_scale, any.noise.front().laplace_scale);
}

}  // namespace
}  // namespace hushwalk
