// The example of docs/extending.md, as it stands there.
#include "extending_example.h"

#include <gtest/gtest.h>

#include "audit/targets.h"
#include "noise/keyed_noise.h"

namespace hushwalk {
namespace {

Plan plan_of_degree(const Degree& mechanism, std::uint64_t nodes, double epsilon) {
  Plan plan;
  plan.mechanism = mechanism.name();
  plan.graph = public_facts(nodes);
  plan.scope = Scope::edge;
  plan.epsilon = epsilon;
  mechanism.complete(plan, {});
  return plan;
}

TEST(ExtendingExample, ReleasesDegreesWithNoise) {
  const Degree mechanism;
  const Graph star = Graph::from_edges(NodeList::range(1, 5), {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  const Plan plan = plan_of_degree(mechanism, 5, 1e5);  // hardly any noise
  KeyedNoise noise(ReleaseKey::fresh());
  const std::vector<SeedVector> seeds = {Node{1}};
  const auto release = mechanism.start(plan, star, noise, {});
  const PrivateScores answer = release->answer(seeds, 0, {}).front();
  EXPECT_NEAR(answer.scores[0], 4, 0.01);
  EXPECT_NEAR(answer.scores[1], 1, 0.01);
}

TEST(ExtendingExample, StandsTheAudit) {
  const Degree mechanism;
  const std::vector<auditing::Target> targets = {{"", mechanism, [&](std::uint64_t nodes, std::uint64_t) {
                                                    return plan_of_degree(mechanism, nodes, 1);
                                                  }}};
  AuditRequest request;
  request.scope = Scope::edge;
  request.trials = 20'000;
  const auto pairs = auditing::worst_pairs(Scope::edge);
  const AuditReport report = auditing::attack(targets, pairs, request, {});
  EXPECT_EQ(report.verdict(), "consistent") << report.findings.front();
  EXPECT_NEAR(report.worst_sensitivity_ratio, 1, 1e-9);
}

}  // namespace
}  // namespace hushwalk
