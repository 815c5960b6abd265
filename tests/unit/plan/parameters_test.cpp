// One list of parameters: a field that is forgotten anywhere would replay a wrong answer or certify another
// one.
#include "hushwalk/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "evaluation/rows_json.h"
#include "hushwalk/answer.h"
#include "hushwalk/error.h"
#include "ledger/keys.h"
#include "plan/certificate.h"
#include "plan/parameter_json.h"
#include "plan/planner.h"
#include "support/graphs.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

void alter(std::string& mechanism) { mechanism = "paper"; }
void alter(Scope& scope) { scope = Scope::edge; }
void alter(Epsilon& epsilon) { epsilon = Epsilon(0.125); }
void alter(std::optional<Delta>& delta) { delta = Delta(1e-7); }
void alter(std::optional<Eta>& eta) { eta = Eta(1e-3); }
void alter(Diffusion& diffusion) { diffusion = Diffusion::heat(3, 7); }
void alter(std::optional<double>& number) { number = number ? std::nullopt : std::optional(0.5); }
void alter(std::uint64_t& count) { count += 2; }

// Every parameter, with what becomes of the defaults when it alone is another.
std::map<std::string, ReleaseParameters> altered_one_by_one() {
  std::map<std::string, ReleaseParameters> result;
  ReleaseParameters names;
  each_parameter(names, [&](const std::string& name, const auto&) {
    ReleaseParameters one;
    each_parameter(one, [&](const std::string& other, auto& value) {
      if (other == name) alter(value);
    });
    result.emplace(name, one);
  });
  return result;
}

TEST(Parameters, EveryFieldIsVisited) {
  // Does not compile when there are more: then each_parameter needs it too.
  const auto& [mechanism, scope, epsilon, delta, diffusion, eta, background, taper, rankings,
               seeds_per_ranking] = ReleaseParameters{};
  constexpr std::size_t fields = 10;
  const auto altered = altered_one_by_one();
  EXPECT_EQ(altered.size(), fields);
  for (const auto& [name, parameters] : altered) EXPECT_NE(parameters, ReleaseParameters{}) << name;
}

TEST(Parameters, ThatAMechanismDoesNotHaveAreRefusedByName) {
  for (const std::string& mechanism : mechanism_names())
    each_use([&](const std::string& name, auto use, auto) {
      if (parameter_use(mechanism).*use) return;
      ReleaseParameters request = altered_one_by_one().at(name);
      request.mechanism = mechanism;
      try {
        make_plan(public_facts(100), request);
        ADD_FAILURE() << mechanism << " takes " << name;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_THAT(error.what(), ::testing::StartsWith("`" + name + "` goes with ")) << mechanism;
      }
    });
}

TEST(Parameters, OfNoiseDoNotGoWithAnExactAnswerOrAnArtefact) {
  const std::set<std::string> of_any = {"scope", "epsilon", "diffusion", "rankings", "seeds_per_ranking"};
  for (const auto& [name, parameters] : altered_one_by_one())
    for (const GivenPrivacy& given : {GivenPrivacy{.exact = true}, GivenPrivacy{.shared = true}}) {
      if (of_any.contains(name))
        EXPECT_NO_THROW(check_privacy(given, parameters)) << name;
      else
        EXPECT_THROW(check_privacy(given, parameters), Error) << name;
    }
}

TEST(Parameters, EveryOneButCountsIsInTheKeyOfALedger) {
  const std::string plain = ledger::request_key("g", {}, {{"ann", 1}});
  for (const auto& [name, parameters] : altered_one_by_one()) {
    const bool same = ledger::request_key("g", parameters, {{"ann", 1}}) == plain;
    EXPECT_EQ(same, name == "seeds_per_ranking") << name;  // rankings decide what `auto` means
  }
}

// The key of what was drawn, which no plan of the defaults has: a plan is not needed to hash its parameters.
TEST(Parameters, EveryOneButCountsIsInTheKeyOfAnAnswer) {
  Plan plain;
  plain.parameters.mechanism = "twohop";
  for (auto [name, parameters] : altered_one_by_one()) {
    Plan plan;
    plan.parameters = parameters;
    if (name != "mechanism") plan.parameters.mechanism = "twohop";
    const bool count = name == "rankings" || name == "seeds_per_ranking";
    EXPECT_EQ(ledger::answer_key(plan, {}) == ledger::answer_key(plain, {}), count) << name;
  }
}

// By which one artefact is found again, whoever asks. Those of `shared` have a key that older versions wrote:
// keys_test.cpp.
TEST(Parameters, EveryOneThatIsNotOfAnAnswerIsInTheKeyOfAnArtefact) {
  Plan plain;
  plain.parameters.mechanism = "circles";
  for (auto [name, parameters] : altered_one_by_one()) {
    Plan plan;
    plan.parameters = parameters;
    if (name != "mechanism") plan.parameters.mechanism = "circles";
    const bool of_an_answer = name == "scope" || name == "delta" || name == "diffusion";
    const bool count = name == "rankings" || name == "seeds_per_ranking";
    EXPECT_EQ(ledger::artefact_key(plan) == ledger::artefact_key(plain), of_an_answer || count) << name;
  }
}

// By which the noise of an answer is drawn: what differs in any of it draws other noise.
class ReleaseDigest : public ::testing::Test {
 protected:
  ReleaseDigest() {
    plain.parameters.mechanism = "twohop";
    plain.noise.resize(1);
  }
  std::string digest(const Plan& plan) const { return ledger::release_digest(plan, seeds, content, 1); }
  void expect_other(const std::string& name, const std::function<void(Plan&)>& alter) const {
    Plan plan = plain;
    alter(plan);
    EXPECT_NE(digest(plan), digest(plain)) << name;
  }

  Plan plain;
  ledger::NamedSeeds seeds{{"ann", 1}};
  Sha256 content{};
};

TEST_F(ReleaseDigest, HasEveryParameterButCounts) {
  for (auto [name, parameters] : altered_one_by_one()) {
    Plan plan = plain;
    plan.parameters = parameters;
    if (name != "mechanism") plan.parameters.mechanism = "twohop";
    const bool count = name == "rankings" || name == "seeds_per_ranking";
    EXPECT_EQ(digest(plan) == digest(plain), count) << name;
  }
}

TEST_F(ReleaseDigest, HasTheRestOfThePlanThatDecidesReleasedNumbers) {
  expect_other("graph_id", [](Plan& plan) { plan.graph.graph_id = "another"; });
  expect_other("nodes", [](Plan& plan) { ++plan.graph.nodes; });
  expect_other("max_edges", [](Plan& plan) { ++plan.graph.max_edges; });
  expect_other("lattice_bits", [](Plan& plan) { ++plan.lattice_bits; });
  expect_other("sensitivity", [](Plan& plan) { plan.sensitivity += 1; });
  expect_other("slack", [](Plan& plan) { plan.slack += 1; });
  expect_other("noise", [](Plan& plan) { plan.noise.emplace_back(); });
  expect_other("laplace_scale", [](Plan& plan) { plan.noise[0].laplace_scale += 1; });
  expect_other("lattice_scale", [](Plan& plan) { plan.noise[0].lattice_scale += 1; });
  expect_other("flip_probability", [](Plan& plan) { plan.noise[0].flip_probability += 0.25; });
  expect_other("draws", [](Plan& plan) { ++plan.noise[0].draws; });
}

TEST_F(ReleaseDigest, HasSeedsContentAndArithmetic) {
  Sha256 other = content;
  other.front() ^= 1;
  EXPECT_NE(ledger::release_digest(plain, seeds, other, 1), digest(plain));
  EXPECT_NE(ledger::release_digest(plain, seeds, content, 2), digest(plain));
  EXPECT_NE(ledger::release_digest(plain, {}, content, 1), digest(plain));
  EXPECT_NE(ledger::release_digest(plain, {{"bob", 1}}, content, 1), digest(plain));
  EXPECT_NE(ledger::release_digest(plain, {{"ann", 0.5}, {"bob", 0.5}}, content, 1),
            ledger::release_digest(plain, {{"ann", 0.25}, {"bob", 0.75}}, content, 1));
}

// By which a run that was stopped is taken up again: another request must not be mixed into it. A field of
// AnswerRequest that the digest forgets does not compile (answer.cpp).
TEST(Parameters, EveryOneButCountsIsInTheDigestOfARequest) {
  testing::TestLedger ledger;
  AnswerRequest plain{.seeds = {Node{1}}};
  plain.audience.ledger = std::make_shared<Ledger>(ledger.path());
  const std::string digest = CheckedRequest(ledger.graph(), plain).digest();
  for (const auto& [name, parameters] : altered_one_by_one()) {
    AnswerRequest request = plain;
    request.release = parameters;
    const bool count = name == "rankings" || name == "seeds_per_ranking";  // counted from the seeds
    EXPECT_EQ(CheckedRequest(ledger.graph(), request).digest() == digest, count) << name;
  }
}

// What a file to resume is recognised by.
TEST(Parameters, EveryOneThatIsNotAListIsInTheRequestOfAnEvaluation) {
  const Json plain = request_json({});
  for (const auto& [name, parameters] : altered_one_by_one()) {
    const bool list = name == "mechanism" || name == "epsilon" || name == "eta";
    const bool count = name == "seeds_per_ranking";  // rankings are its users
    EXPECT_EQ(request_json({.release = parameters}) == plain, list || count) << name;
  }
}

TEST(Parameters, EveryOneIsInThePlanAndComesBackFromItsCertificate) {
  for (const auto& [name, parameters] : altered_one_by_one()) {
    Plan plan;
    plan.parameters = parameters;
    Plan plain;
    EXPECT_NE(plan, plain) << name;
    EXPECT_NE(plan_document(plan), plan_document(plain)) << name;
    ReleaseParameters again;
    each_parameter(again, [&](const char* field, auto& value) {
      const Json document = plan_document(plan);
      read_parameter(stands_by_itself(field) ? document.at(field) : document.at("parameters").at(field),
                     value);
    });
    EXPECT_EQ(again, parameters) << name;
  }
}

}  // namespace
}  // namespace hushwalk
