// The example of docs/extending.md, as it stands there.
#include "extending_example.h"

#include <gtest/gtest.h>

#include "hushwalk/advice.h"
#include "hushwalk/lab.h"
#include "hushwalk/verify.h"
#include "plan/certificate.h"
#include "support/graphs.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

class ExtendingExample : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { register_mechanism(degree_mechanism()); }

  static AnswerRequest request(double epsilon) {
    return {.seeds = {Node{1}},
            .release = {.mechanism = "degree", .scope = Scope::edge, .epsilon = Epsilon(epsilon)}};
  }
};

TEST_F(ExtendingExample, RanksByNoisyDegrees) {
  const Graph star = Graph::from_edges(NodeList::range(1, 5), {{0, 1}, {0, 2}, {0, 3}, {0, 4}});
  AnswerSource answers = ask(star, request(1e5));  // hardly any noise
  answers.each([](const Ranking& ranking) {
    ASSERT_EQ(ranking.nodes.size(), 4U);
    EXPECT_EQ(ranking.nodes[0].node, 0U);
    EXPECT_NEAR(ranking.nodes[0].score, 4, 0.01);
    EXPECT_NEAR(ranking.nodes[1].score, 1, 0.01);
  });
}

TEST_F(ExtendingExample, ItsCertificateSaysWhoseWordItIs) {
  const Plan plan = make_plan(public_facts(100), request(0.5).release);
  EXPECT_DOUBLE_EQ(plan.noise.front().laplace_scale, 4);
  const IssuedCertificate certificate = issue(plan, {});
  EXPECT_NE(certificate.text.find("not proven in this repository"), std::string::npos);
  const Verification here = verify_certificate(certificate.json);
  EXPECT_TRUE(here.valid);
  EXPECT_NE(here.reason.find("not proven in this repository"), std::string::npos) << here.reason;
  Json elsewhere = Json::parse(certificate.json);  // of a mechanism that this program does not have
  elsewhere["mechanism"] = "decree";
  elsewhere.erase("digest");
  elsewhere["digest"] = digest_of(elsewhere);
  const Verification found = verify_certificate(elsewhere.dump());
  EXPECT_FALSE(found.valid);
  EXPECT_NE(found.reason.find("there is no mechanism 'decree'"), std::string::npos) << found.reason;
}

// What ARCHITECTURE.md says of the walk of `rank`.
TEST_F(ExtendingExample, AQuestionIsPlannedOnceAndItsEdgesAreCountedOnceForEachSeed) {
  static int plans = 0, counts = 0;  // what is registered outlives the test
  OutsideMechanism watched = degree_mechanism();
  watched.name = "watched";
  watched.released = [released = watched.released](const auto& facts, const auto& parameters) {
    ++plans;
    return released(facts, parameters);
  };
  watched.count = [count = watched.count](const auto& graph, const auto& seed, const auto& all) {
    ++counts;
    return count(graph, seed, all);
  };
  register_mechanism(watched);
  AnswerRequest wanted = request(1);
  wanted.release.mechanism = "watched";
  wanted.seeds = {Node{1}, Node{2}};
  ask(testing::karate(), wanted).each([](const Ranking&) {});
  EXPECT_EQ(plans, 1);
  EXPECT_EQ(counts, 2);

  // As the verb `rank` does it, with advice before anything is charged; a repeat under a ledger plans for
  // that only.
  testing::TestLedger made({.epsilon = Epsilon(10)}, testing::karate());
  for (const bool under_a_ledger : {false, true}) {
    plans = 0;
    if (under_a_ledger) wanted.audience.ledger = std::make_shared<Ledger>(made.path());
    CheckedRequest question(made.graph(), wanted);
    ASSERT_TRUE(question.plan());
    EXPECT_EQ(question.plan()->parameters.rankings, 2U);
    EXPECT_TRUE(weak_points(*question.plan()).empty());
    EXPECT_FALSE(alternative_for_few(*question.plan(), wanted.release));
    ask(std::move(question)).each([](const Ranking&) {});
    EXPECT_EQ(plans, 1) << under_a_ledger;
  }
}

TEST_F(ExtendingExample, StandsTheAudit) {
  const AuditReport report = audit({.release = request(1).release, .trials = 20'000});
  EXPECT_EQ(report.verdict(), "consistent") << report.findings.front();
  EXPECT_NEAR(report.worst_sensitivity_ratio, 1, 1e-9);
}

TEST_F(ExtendingExample, IsEvaluated) {
  const EvaluationRequest wanted{.mechanisms = {"degree"}, .release = {.scope = Scope::edge}, .seeds = 3};
  evaluate(testing::karate(), wanted, [](const EvaluationRow& row) {
    EXPECT_FALSE(row.refused);
    EXPECT_GT(*row.ndcg.mean, 0.3);
  });
}

TEST_F(ExtendingExample, AWrongWordIsFoundByTheAudit) {
  OutsideMechanism liar = degree_mechanism();
  liar.name = "liar";
  liar.released = [](const PublicFacts&, const ReleaseParameters&) {
    return ReleasedNumbers{{{"links of every node"}}, {{"any edge", {1}}}};  // one end instead of two
  };
  register_mechanism(liar);
  ReleaseParameters release = request(1).release;
  release.mechanism = "liar";
  EXPECT_TRUE(audit({.release = release, .trials = 2}).violated());
}

TEST_F(ExtendingExample, ANameThatIsTakenIsRefused) {
  EXPECT_THROW(register_mechanism(degree_mechanism()), Error);
  for (const char* name : {"twohop", "auto", "exact", "", "a b"}) {
    OutsideMechanism other = degree_mechanism();
    other.name = name;
    EXPECT_THROW(register_mechanism(other), Error) << name;
  }
}

}  // namespace
}  // namespace hushwalk
