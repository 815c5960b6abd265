// What was charged and not finished.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/charge.h"
#include "plan/certificate.h"
#include "support/ledgers.h"
#include "support/old_charges.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(Unfinished, IsCompletedByTheSameRequestAtNoCost) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto request = asked({0, 1}, 0.5);
  static_cast<void>(ledger->charge(ledger.graph(), request));
  EXPECT_EQ(ledger->state().unfinished, 2U);
  EXPECT_EQ(ledger.spent(), 1);
  const LedgerRanker ranker(*ledger, ledger.graph(), request);
  EXPECT_EQ(ranker.charged().for_custodian.epsilon, 0);
  EXPECT_EQ(ledger->state().unfinished, 0U);
  EXPECT_EQ(ledger->state().stored, 2U);
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger.scores(request), ranker.answer(0).scores);
}

TEST(Unfinished, ArtefactIsCompletedAtNoCost) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  LedgerRequest request{{.mechanism = "shared", .scope = Scope::edge}, {}, ""};
  static_cast<void>(ledger->charge(ledger.graph(), request));
  EXPECT_EQ(ledger->state().unfinished, 1U);
  EXPECT_EQ(shared(ledger, 1).charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger->state().unfinished, 0U);
}

// What a later version would make of the request does not matter: the plan that was charged is run. Here it
// was charged with another taper than this version would take.
TEST(Unfinished, IsCompletedByThePlanThatWasCharged) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  auto request = asked({0}, 0.5), tapered = request;
  tapered.release.taper = 3;
  const std::string id = ledger.graph().facts().graph_id;
  charge_as_before(ledger, tapered, [&](ledger::Json& body) {
    body["request"] = ledger::request_key(id, request.release, {{"1", 1.0}});
  });
  const LedgerRanker ranker(*ledger, ledger.graph(), request);
  EXPECT_EQ(ranker.charged().for_custodian.epsilon, 0);
  EXPECT_THAT(ranker.certificate({}).json, HasSubstr("\"taper\": 3.0"));
}

TEST(Unfinished, IsNotCompletedByAPlanThatCostsMoreThanWasCharged) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto request = asked({0}, 0.5);
  charge_as_before(ledger, request, [](ledger::Json& body) {
    body["cost"]["units"] = body["cost"]["units"].get<std::int64_t>() - 1;
    body["plan"]["theorem"] = "An older one";
  });
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(request); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("would have added more noise"));
  EXPECT_EQ(ledger->state().stored, 0U);
}

// Whoever asks next, by a plan that is charged now: the artefact was charged by the first.
TEST(Unfinished, ArtefactIsPricedByThePlanThatItWasDrawnBy) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const auto cheaper = [](ledger::Json& body) {
    body["cost"]["units"] = body["cost"]["units"].get<std::int64_t>() - 1;
  };
  charge_as_before(ledger, asked_of_shared(0, 0.5), cheaper);
  LedgerRequest other = asked_of_shared(1, 0.5);
  other.release.diffusion = Diffusion::heat(3, 20);
  for (const LedgerRequest& request : {asked_of_shared(0, 0.5), asked_of_shared(1, 0.5), other}) {
    std::string message;
    EXPECT_EQ(error_of([&] { ledger.release(request); }, &message), ErrorCode::failed);
    EXPECT_THAT(message, HasSubstr("would have added more noise"));
  }
  EXPECT_EQ(error_of([&] { shared(ledger, 0.5); }), ErrorCode::failed);
  EXPECT_EQ(ledger->state().stored, 0U);
  ledger.release(asked_of_shared(0, 0.25));  // and holds nothing else up
}

// The same plan, charged by a version that thought less of its cost.
TEST(Unfinished, IsNotCompletedOnAChargeThatWasTooSmall) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const auto request = asked({0}, 0.5);
  charge_as_before(ledger, request, [](ledger::Json& body) {
    body["cost"]["units"] = body["cost"]["units"].get<std::int64_t>() - 1;
  });
  LedgerRequest both = request;
  both.seeds.emplace_back(1);  // charged now, by the same plan
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(both); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("would have added more noise"));
}

}  // namespace
}  // namespace hushwalk
