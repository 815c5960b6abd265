// Artefacts under a ledger.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hushwalk/signing.h"
#include "hushwalk/verify.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(Shared, IsChargedOnceAndItsBytesStayTheSame) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const LedgerArtefact first = shared(ledger, 0.75), second = shared(ledger, 0.75);
  EXPECT_EQ(first.bytes, second.bytes);
  EXPECT_EQ(first.charged.for_custodian.epsilon, 0.75);
  EXPECT_EQ(second.charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger.spent(), 0.75);
  expect_refused([&] { shared(ledger, 0.5); }, "0.25 is left");
  EXPECT_EQ(ledger->state().unfinished, 0U);
}

TEST(Shared, ServesEveryoneAndEachPaysOnceOnTheirOwnBudget) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(1)});
  for (const Node seed : {0U, 1U, 2U}) ledger.release(asked_of_shared(seed, 0.75));
  ledger.release(asked_of_shared(3, 0.75, "1"));  // a second seed of the same recipient
  EXPECT_EQ(ledger.spent(), 0.75);
  EXPECT_EQ(ledger.spent("1"), 0.75);
  EXPECT_EQ(ledger.spent("3"), 0.75);
  expect_refused([&] { ledger.release(asked({0}, 0.5)); }, "0.25 is left");
  ledger.release(asked({0}, 0.25));
  EXPECT_EQ(ledger.spent("1"), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Shared, WhoPaidForTheArtefactDoesNotGetThePersonalAnswersOfOthers) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked_of_shared(0, 0.75, "ann"));
  ledger.release(asked_of_shared(1, 0.75, "eve"));
  expect_refused([&] { ledger.release(asked_of_shared(0, 0.75, "eve")); }, "belong to 'ann'");
}

TEST(Shared, AnswersAreThoseOfTheArtefact) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto scores = ledger.scores(asked_of_shared(4, 1));  // makes the artefact too
  const SharedArtefact artefact = SharedArtefact::parse(shared(ledger, 1).bytes, "artefact");
  const Plan plan = artefact.plan_for(ledger.graph().facts(), asked_of_shared(4, 1).release);
  const SeedVector seed(4);
  EXPECT_EQ(artefact.answer(plan, ledger.graph(), std::span(&seed, 1)).front().scores, scores);
  EXPECT_EQ(ledger.spent(), 1);
}

// Whoever holds the file knows the ledger by this alone.
TEST(Shared, SaysWhatItsLedgerPromisesAndNoMore) {
  const auto counted_under = [](const LedgerTerms& terms, const SigningKey* key) {
    TestLedger ledger(terms);
    const LedgerCharge charge =
        ledger->charge(ledger.graph(), {{.mechanism = "shared", .scope = Scope::edge}, {}});
    const SharedArtefact artefact = ledger->artefact(charge, ledger.graph(), key);
    const auto document = nlohmann::json::parse(artefact.certificate().json);
    EXPECT_TRUE(verify_certificate(document.dump()).valid);
    EXPECT_TRUE(document.at("budget").is_object());
    return document.at("words").at("counted").get<std::string>();
  };
  const SigningKey key = SigningKey::make("us");
  for (const SigningKey* const signing : {static_cast<const SigningKey*>(nullptr), &key}) {
    EXPECT_THAT(counted_under({.epsilon = Epsilon(4)}, signing),
                AllOf(HasSubstr("its budget bounds all"), HasSubstr("at most epsilon = 4 in all")));
    EXPECT_THAT(counted_under({.epsilon = {}, .period = PeriodTerms{.epsilon = Epsilon(2)}}, signing),
                AllOf(Not(HasSubstr("bounds all")), HasSubstr("there is no limit in all")));
  }
}

// Both were accepted for the ledger, and only one of them was paid for.
TEST(Compute, OnlyTheGraphThatWasChargedForIsRead) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const Graph later = karate();
  ledger->add_snapshot(later.facts());
  const LedgerCharge ranking = ledger->charge(ledger.graph(), asked({0}, 0.5));
  EXPECT_THROW(ledger->answers(ranking, later, 0, 1), Error);
  LedgerRequest artefact = asked_of_shared(0, 0.5);
  artefact.seeds.clear();
  artefact.release.scope = Scope::edge;
  const LedgerCharge charged = ledger->charge(ledger.graph(), artefact);
  EXPECT_THROW(ledger->artefact(charged, later), Error);
}

TEST(Shared, OnlyWhatTheLedgerChargedIsAccepted) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const PublicFacts facts = ledger.graph().facts();
  const SharedArtefact ours = SharedArtefact::parse(shared(ledger, 1).bytes, "artefact");
  ledger->check_charged(facts, ours);
  const SharedArtefact noisy_again = SharedArtefact::make(ledger.graph(), ours.plan().parameters);
  expect_refused([&] { ledger->check_charged(facts, noisy_again); }, "did not charge this artefact");
  const Graph later = karate();
  ledger->add_snapshot(later.facts());
  expect_refused([&] { ledger->check_charged(later.facts(), ours); }, "another graph");
}

TEST(Shared, GivenToARecipientIsPaidByThem) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(0.5)});
  expect_refused([&] { shared(ledger, 0.75, "ann"); }, "the budget of 'ann'");
  shared(ledger, 0.5, "ann");
  shared(ledger, 0.5, "bob");
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("bob"), 0.5);
}

}  // namespace
}  // namespace hushwalk
