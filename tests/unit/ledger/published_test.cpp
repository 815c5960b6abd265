// What is published counts for everybody.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hushwalk/verify.h"
#include "plan/certificate.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

const LedgerTerms half_each{.epsilon = Epsilon(9), .per_recipient = Epsilon(0.5)};

LedgerArtefact shared_with_all(TestLedger& ledger, double epsilon) {
  return share(*ledger, ledger.graph(), published({{.epsilon = Epsilon(epsilon)}, {}, ""}));
}

TEST(Published, UnderALimitForEachRecipientSomebodyMustBeCharged) {
  TestLedger ledger(half_each);
  EXPECT_EQ(error_of([&] { shared(ledger, 0.25); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger.release(asked_in_edge_scope(0, 0.25)); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger.release(published(asked_in_edge_scope(0, 0.25, "ann"))); }),
            ErrorCode::usage);
  expect_refused([&] { ledger.release(published(asked({0}, 0.25))); }, "cannot be published");
  EXPECT_EQ(ledger.spent(), 0);
}

TEST(Published, WithoutALimitForEachRecipientOnlyTheTotalCounts) {
  TestLedger ledger({.epsilon = Epsilon(0.5)});
  ledger.release(published(asked_in_edge_scope(0, 0.25)));
  ledger.release(published(asked_in_edge_scope(1, 0.25)));
  EXPECT_EQ(ledger->state().total.spent, 0.5);
  expect_refused([&] { ledger.release(published(asked_in_edge_scope(2, 0.25))); }, "Nothing more fits");
}

TEST(Published, CountsForEveryRecipientNowAndLater) {
  TestLedger ledger(half_each);
  ledger.release(asked({0}, 0.125, "ann"));
  EXPECT_EQ(shared_with_all(ledger, 0.25).charged.for_custodian.payments.front().published, true);
  EXPECT_EQ(ledger.spent("ann"), 0.375);
  EXPECT_EQ(ledger->state().published.spent, 0.25);
  expect_refused([&] { ledger.release(asked({1}, 0.25, "ann")); }, "0.125 is left");
  expect_refused([&] { ledger.release(asked({2}, 0.375, "bob")); }, "0.25 is left");
  ledger.release(asked({1}, 0.125, "ann"));
  ledger.release(asked({2}, 0.25, "bob"));
  EXPECT_EQ(ledger.spent("bob"), 0.5);
  EXPECT_EQ(ledger.spent(), 0.75);
  EXPECT_TRUE(ledger.intact());
}

TEST(Published, IsRefusedWhenSomebodyHasNotEnoughLeft) {
  TestLedger ledger(half_each);
  expect_refused([&] { shared_with_all(ledger, 0.75); }, "the budget of each recipient");
  ledger.release(asked({0}, 0.375, "ann"));
  expect_refused([&] { shared_with_all(ledger, 0.25); }, "the budget of 'ann'");
  expect_refused([&] { ledger.release(published(asked_in_edge_scope(1, 0.25))); }, "the budget of 'ann'");
  shared_with_all(ledger, 0.125);
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  EXPECT_TRUE(ledger.intact());
}

TEST(Published, IsNotCountedTwiceForThoseWhoHadPaidForIt) {
  TestLedger ledger({.epsilon = Epsilon(9), .delta = Delta(1e-6), .per_recipient = Epsilon(0.5)});
  const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5, "ann"));
  ledger.release(asked_in_edge_scope(0, 0.5, "bob"));
  EXPECT_EQ(ledger.scores(published(asked_in_edge_scope(0, 0.5))), scores);
  for (const char* name : {"ann", "bob"}) EXPECT_EQ(ledger.spent(name), 0.5);
  expect_refused([&] { ledger.release(asked({1}, 0.001, "ann")); }, "the budget of 'ann'");
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "eve")), scores);
  EXPECT_EQ(ledger->state().recipients.size(), 2U);  // nothing is eve's own
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_TRUE(ledger.intact());
}

// One entry draws and pays, and the next publishes: ann was charged twice, and verify called it damage.
TEST(Published, IsNotCountedTwiceWhenTheNextEntryPublishesIt) {
  for (const double limit : {0.5, 2.0}) {
    TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(limit)});
    const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5, "ann"));
    EXPECT_EQ(ledger.scores(published(asked_in_edge_scope(0, 0.5))), scores);
    EXPECT_EQ(ledger.spent("ann"), 0.5);
    EXPECT_EQ(ledger->state().published.spent, 0.5);
    EXPECT_EQ(ledger.spent(), 0.5);
    EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
  }
}

// What they had paid for stays in the entries, and is taken from the account when it is next altered.
TEST(Published, IsTakenFromTheAccountsOfThoseWhoHadPaidForIt) {
  TestLedger ledger({.epsilon = Epsilon(9), .delta = Delta(1e-6), .per_recipient = Epsilon(2)});
  const auto own = [&] {
    double units = 0;
    ledger->each_entry([&](const LedgerEntry& entry) {
      const Json body = Json::parse(entry.body);
      if (body.contains("account") && body["account"]["name"] == "ann") units = body["account"]["units"];
    });
    return units / 1e9;
  };
  for (const Node seed : {0U, 1U, 2U}) ledger.release(asked_in_edge_scope(seed, 0.25, "ann"));
  for (const Node seed : {0U, 2U}) ledger.release(published(asked_in_edge_scope(seed, 0.25)));
  ledger.release(published(asked_in_edge_scope(5, 0.25)));  // nobody had paid for it
  EXPECT_EQ(ledger.spent("ann"), 1);
  EXPECT_EQ(own(), 0.75);
  ledger.release(asked_in_edge_scope(3, 0.25, "ann"));
  EXPECT_EQ(own(), 0.5);
  EXPECT_EQ(ledger.spent("ann"), 1.25);
  ledger.release(published(asked_in_edge_scope(1, 0.25)));
  ledger.release(published(asked_in_edge_scope(3, 0.25)));
  EXPECT_EQ(ledger.spent("ann"), 1.25);
  ledger.release(asked_in_edge_scope(4, 0.75, "ann"));
  EXPECT_EQ(own(), 0.75);
  expect_refused([&] { ledger.release(asked_in_edge_scope(6, 0.25, "ann")); }, "the budget of 'ann'");
  EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
}

TEST(Published, IsTakenFromTheAccountsOfMembersToo) {
  TestLedger ledger(half_each);
  for (const Node seed : {0U, 1U}) ledger.release(asked_of_shared(seed, 0.25));
  shared_with_all(ledger, 0.25);
  for (const char* name : {"1", "2"}) EXPECT_EQ(ledger.spent(name), 0.25);
  ledger.release(asked({0}, 0.25));
  ledger.release(asked_of_shared(1, 0.125));
  EXPECT_EQ(ledger.spent("1"), 0.5);
  EXPECT_EQ(ledger.spent("2"), 0.375);
  expect_refused([&] { ledger.release(asked({0}, 0.125)); }, "the budget of '1'");
  EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
}

// The greatest account is looked at first, and is no reason: what is published adds nothing to it.
TEST(Published, IsRefusedForASmallerAccountThatHadNotPaidForIt) {
  TestLedger ledger(half_each);
  ledger.release(asked_in_edge_scope(0, 0.5, "ann"));
  ledger.release(asked({1}, 0.125, "bob"));
  expect_refused([&] { ledger.release(published(asked_in_edge_scope(0, 0.5))); }, "the budget of 'bob'");
  EXPECT_EQ(ledger->state().published.spent, 0);
  EXPECT_TRUE(ledger.intact());
}

TEST(Published, ArtefactServesEveryoneAtNoFurtherCost) {
  TestLedger ledger(half_each);
  shared_with_all(ledger, 0.5);
  const std::string head = ledger->state().head;
  EXPECT_EQ(shared_with_all(ledger, 0.5).charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger->state().head, head);
  for (const Node seed : {0U, 1U}) ledger.release(asked_of_shared(seed, 0.5));
  EXPECT_EQ(ledger.spent(), 0.5);
  for (const LedgerAccount& account : ledger->state().recipients) {  // nothing but what was published
    EXPECT_EQ(account.spent, 0.5);
    EXPECT_EQ(account.releases, 1U);
  }
  EXPECT_TRUE(ledger.intact());
}

std::string words_for_whom(const std::string& certificate) {
  EXPECT_TRUE(verify_certificate(certificate).valid) << verify_certificate(certificate).reason;
  return Json::parse(certificate).at("words").at("audience");
}

TEST(Audience, IsNamedInTheCertificateOfAnAnswer) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(5)});
  const auto certificate = [&](const LedgerRequest& request) {
    return LedgerRanker(*ledger, ledger.graph(), request).certificate({}).json;
  };
  const std::string ann = certificate(asked_in_edge_scope(0, 0.5, "ann"));
  EXPECT_THAT(words_for_whom(ann), HasSubstr("'ann', on whose budget it counts"));
  EXPECT_THAT(words_for_whom(certificate(asked_in_edge_scope(0, 0.5, "bob"))), HasSubstr("'bob'"));
  EXPECT_THAT(words_for_whom(certificate(published(asked_in_edge_scope(0, 0.5)))), HasSubstr("published"));
  EXPECT_THAT(words_for_whom(certificate(asked({0}, 0.5, "ann"))), HasSubstr("the owner of the seed only"));
  Json altered = Json::parse(ann);
  altered["audience_named"] = {{"published", true}};
  altered.erase("digest");
  altered["digest"] = digest_of(altered);
  EXPECT_FALSE(verify_certificate(altered.dump()).valid);
}

TEST(Audience, OfABatchIsThatOfAllItsAnswers) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(5)});
  const auto words = [&](const LedgerRequest& request) {
    return words_for_whom(LedgerRanker(*ledger, ledger.graph(), request).certificate({}).json);
  };
  LedgerRequest both = asked_in_edge_scope(0, 0.5, "bob");
  both.seeds.emplace_back(1);
  ledger.release(published(asked_in_edge_scope(0, 0.5)));
  EXPECT_THAT(words(both), HasSubstr("'bob', on whose budget"));
  std::ranges::reverse(both.seeds);
  EXPECT_THAT(words(both), HasSubstr("'bob', on whose budget"));
  ledger.release(published(asked_in_edge_scope(1, 0.5)));
  EXPECT_THAT(words(both), HasSubstr("published"));
}

TEST(Audience, IsNamedInTheCertificateOfAnArtefact) {
  TestLedger ledger(half_each);
  const auto certificate = [](const LedgerArtefact& artefact) {
    const std::string_view text(reinterpret_cast<const char*>(artefact.bytes.data()), artefact.bytes.size());
    return Json::parse(text.substr(0, text.find('\n'))).at("certificate").dump();
  };
  const LedgerArtefact for_ann = shared(ledger, 0.5, "ann"), for_all = shared_with_all(ledger, 0.5);
  EXPECT_THAT(words_for_whom(certificate(for_ann)), HasSubstr("'ann'"));
  EXPECT_THAT(words_for_whom(certificate(for_all)), HasSubstr("published"));
  const PublicFacts facts = ledger.graph().facts();
  for (const LedgerArtefact* artefact : {&for_ann, &for_all})
    ledger->check_charged(facts, SharedArtefact::parse(artefact->bytes, "artefact"));
}

// Its certificate speaks of one flipped graph for everybody, which nobody keeps.
TEST(Baselines, EdgeflipIsRefusedUnderALedger) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  LedgerRequest request = asked({0}, 1);
  for (const char* mechanism : {"edgeflip", "edgeflip+own"}) {
    request.release.mechanism = mechanism;
    expect_refused([&] { ledger.release(request); }, "one artefact for everybody");
  }
  request.release.mechanism = "pushflow";
  ledger.release(request);
  EXPECT_EQ(ledger.spent(), 1);
}

TEST(Export, HasTheWholeCurveOfEveryRelease) {
  TestLedger ledger({.epsilon = Epsilon(9), .delta = Delta(1e-6)});
  ledger.release(asked({0}, 0.5));
  LedgerRequest paper = asked({1}, 1);
  paper.release.mechanism = "paper";
  paper.release.eta = Eta(0.01);
  ledger.release(paper);
  std::vector<LedgerEntry> charges;
  ledger->each_entry([&](const LedgerEntry& entry) {
    if (entry.kind == "charge") charges.push_back(entry);
  });
  ASSERT_EQ(charges.size(), 2U);
  const PrivacyCost pure = PrivacyCost::of(Epsilon(0.5));
  EXPECT_TRUE(std::ranges::equal(charges[0].rdp, pure.rdp()));
  ReleaseParameters one = paper.release;
  const PrivacyCost noisy = privacy_cost(make_plan(ledger.graph().facts(), one));
  EXPECT_TRUE(std::ranges::equal(charges[1].rdp, noisy.rdp()));
  EXPECT_EQ(charges[1].recipient_epsilon, 1);
}

}  // namespace
}  // namespace hushwalk
