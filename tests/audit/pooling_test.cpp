// Owners who pool their answers. Certificates once said that every other edge stays protected at epsilon "in
// all, because one noisy artefact serves everybody"; but every command draws an artefact of its own. The
// attack must find that sentence false, and the one that stands there now true.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "accounting/taper.h"
#include "graph/csr.h"
#include "hushwalk/certificate.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"
#include "plan/link_plan.h"
#include "support/graphs.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

constexpr double epsilon = 0.29;
constexpr std::size_t owners = 40;
constexpr std::uint64_t N = 4'000;  // trials
constexpr double five_deviations =
    5 * 0.5;                   // of a mean of N coins, times sqrt(N): a false alarm in 3 million
constexpr Node u = 8, v = 20;  // not linked, and no seed of anybody

Graph with_edge(const Graph& graph) {
  std::vector<std::pair<Node, Node>> edges = {{u, v}};
  for (Node a = 0; a < graph.nodes(); ++a)
    for (const Node b : graph.neighbors(a))
      if (b < a) edges.emplace_back(a, b);
  return testing::make_graph(graph.nodes(), edges);
}

Plan plan_for(const Graph& graph, const std::string& mechanism) {
  return make_plan(graph.facts(), {.mechanism = mechanism, .epsilon = Epsilon(epsilon), .rankings = owners});
}

// What an artefact would hold without noise.
std::vector<std::int64_t> exact_numbers(const Plan& plan, const Graph& graph) {
  if (plan.parameters.taper)
    return weighted_links(graph, accounting::QuantisedTaper(1, taper_of(*plan.parameters.taper)));
  std::vector<std::int64_t> linked(all_pairs(graph.nodes()));
  for (Node a = 0; a < graph.nodes(); ++a)
    for (const Node b : graph.neighbors(a))
      if (b < a) linked[all_pairs(a) + b] = 1;
  return linked;
}

// In how many trials the likelier world is the true one, for owners who pool answers from so many artefacts.
double success(const std::string& mechanism, std::size_t artefacts) {
  const Graph without = testing::karate(), with = with_edge(without);
  const Plan plan = plan_for(without, mechanism), plan_with = plan_for(with, mechanism);
  const auto here = exact_numbers(plan, without), there = exact_numbers(plan_with, with);
  std::uint64_t right = 0;
  for (std::uint64_t trial = 0; trial < N; ++trial) {
    const bool linked = trial % 2 == 1;
    KeyedNoise noise(testing::seeded_key(trial));
    const auto release =
        find_mechanism(mechanism).start(linked ? plan_with : plan, linked ? with : without, noise, {});
    const SeedVector seed(0);
    double odds = 0;  // ln of how much likelier the edge is
    for (std::size_t artefact = 0; artefact < artefacts; ++artefact) {
      release->renew(artefact);
      const Columns numbers = release->numbers(std::span(&seed, 1), 0, {}).front();
      for (std::size_t i = 0; i < here.size(); ++i)
        if (here[i] != there[i])
          odds +=
              static_cast<double>(std::abs(numbers[0][i] - here[i]) - std::abs(numbers[0][i] - there[i])) /
              release->scale(seed, 0, static_cast<Node>(i));
    }
    right += (odds > 0) == linked ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(N);
}

double ceiling(double spent) { return 1 / (1 + std::exp(-spent)); }
const double deviations = five_deviations / std::sqrt(static_cast<double>(N));

TEST(Pooling, AnswersOfDifferentCommandsBreakTheSentenceThatOneArtefactServesEverybody) {
  for (const char* mechanism : {"shared", "edgeflip"}) {
    EXPECT_GT(success(mechanism, owners), ceiling(epsilon) + deviations) << mechanism;
  }
}

// As it says now: the budgets of few artefacts leave a ceiling that could be passed.
TEST(Pooling, AnswersOfDifferentCommandsStayWithinTheSumOfTheirBudgets) {
  for (const char* mechanism : {"shared", "edgeflip"})
    for (const std::size_t artefacts : {2U, 4U}) {
      const double found = success(mechanism, artefacts);
      EXPECT_LE(found, ceiling(static_cast<double>(artefacts) * epsilon) + deviations) << mechanism;
      EXPECT_GT(found, 0.5) << mechanism;
    }
}

TEST(Pooling, AnswersFromOneArtefactStayWithinItsEpsilon) {
  for (const char* mechanism : {"shared", "edgeflip"}) {
    const double found = success(mechanism, 1);
    EXPECT_LE(found, ceiling(epsilon) + deviations) << mechanism;
    EXPECT_GT(found, 0.5) << mechanism;
  }
}

TEST(Pooling, CertificatesNameTheArtefactAndSayThatArtefactsAddUp) {
  const Graph graph = testing::karate();
  for (const char* mechanism : {"shared", "edgeflip", "edgeflip+own"}) {
    const Plan plan = plan_for(graph, mechanism);
    const PrivateRanker one(graph, plan.parameters), other(graph, plan.parameters);
    EXPECT_EQ(one.artefact().size(), 32U);
    EXPECT_NE(one.artefact(), other.artefact());
    const std::string named = certificate_json(plan, {.artefact = one.artefact()}),
                      unnamed = certificate_json(plan);
    EXPECT_NE(named.find("all answers from the artefact " + one.artefact()), std::string::npos) << named;
    EXPECT_NE(named.find("answers from other artefacts add up"), std::string::npos);
    EXPECT_NE(unnamed.find("the answers of this command"), std::string::npos);
    for (const std::string& text : {named, unnamed})
      EXPECT_EQ(text.find("serves everybody"), std::string::npos);
  }
  EXPECT_EQ(PrivateRanker(graph, {.mechanism = "twohop"}).artefact(), "");
}

}  // namespace
}  // namespace hushwalk
