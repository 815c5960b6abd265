// Certificates under a ledger: they name the ledger and the artefact, and one of format 1 that promised too
// much is not shown again.
#include <gtest/gtest.h>

#include <map>

#include "ledger/ledger_impl.h"
#include "plan/certificate.h"
#include "support/old_charges.h"

namespace hushwalk {
namespace {

using ledger::Document, ledger::Transaction;
using testing::TestLedger, testing::shared;

Json certificate_of(TestLedger& ledger, const LedgerRequest& request) {
  return Json::parse(testing::LedgerRanker(*ledger, ledger.graph(), request).certificate({}).json);
}

// As the first version wrote them.
Json to_format_1(Json certificate) {
  for (const char* key : {"randomness", "artefact", "ledger", "digest", "budget", "charged", "answer",
                          "issuer", "public_key", "machine_checked"})
    certificate.erase(key);
  certificate["format"] = 1;
  certificate["software_version"] = "0.1.0";
  certificate["words"]["pooling"] = "every other edge stays protected at epsilon = 0.25 in all";
  certificate["digest"] = digest_of(certificate);
  return certificate;
}

void store_certificate(TestLedger& ledger, const LedgerRequest& request, const Json& certificate) {
  const Plan plan = make_plan(ledger.graph().facts(), request.release);
  const std::string content = Json{{"certificate", certificate}, {"text", "as it was"}}.dump();
  const auto bytes = std::as_bytes(std::span(content));
  const Document document{ledger::certificate_document_name(digest_of(plan_document(plan)), 1, {}),
                          {bytes.begin(), bytes.end()}};
  Ledger::Impl& impl = ledger->impl();
  Transaction transaction(impl.database, Transaction::Kind::writing);
  impl.documents.store(impl.now(), std::span(&document, 1));
  transaction.commit();
}

TEST(LedgerCertificate, OfFormat1ThatPromisedTooMuchIsMadeAnew) {
  TestLedger other;
  const LedgerRequest request = testing::asked_of_shared(0, 0.25);
  TestLedger ledger({}, other.graph());
  shared(ledger, 0.25);  // the artefact
  testing::release_as_before(ledger, request);
  store_certificate(ledger, request, to_format_1(certificate_of(other, request)));
  const Json found = certificate_of(ledger, request);
  EXPECT_EQ(found.at("format"), certificate_format);
  EXPECT_TRUE(verify_document(found).valid);
  EXPECT_EQ(certificate_of(ledger, request), found);
}

TEST(LedgerCertificate, OfFormat1ThatIsTrueStaysAsItWasShown) {
  TestLedger other;
  const LedgerRequest request = testing::asked({0}, 0.25);
  TestLedger ledger({}, other.graph());
  testing::release_as_before(ledger, request);
  const Json old = to_format_1(certificate_of(other, request));
  store_certificate(ledger, request, old);
  EXPECT_EQ(certificate_of(ledger, request), old);
}

TEST(LedgerCertificate, NamesTheLedgerAndTheArtefact) {
  TestLedger ledger;
  const Json one = certificate_of(ledger, testing::asked_of_shared(0, 0.25)),
             two = certificate_of(ledger, testing::asked_of_shared(1, 0.25)),
             other = certificate_of(ledger, testing::asked_of_shared(1, 0.5)),
             alone = certificate_of(ledger, testing::asked({1}, 0.25));
  EXPECT_EQ(one.at("artefact"), two.at("artefact"));
  EXPECT_NE(one.at("artefact"), other.at("artefact"));  // another epsilon is another artefact
  EXPECT_TRUE(alone.at("artefact").is_null());
  for (const Json& certificate : {one, two, other, alone}) {
    EXPECT_EQ(certificate.at("ledger"), ledger->state().ledger_id);
    EXPECT_TRUE(verify_document(certificate).valid);
  }
}

TEST(LedgerCertificate, OfAnotherLedgerIsToldApart) {
  TestLedger ledger({.epsilon = Epsilon(9)}), other({.epsilon = Epsilon(9)});
  const LedgerCharge charge = ledger->charge(ledger.graph(), testing::asked({0}, 0.25));
  const Verification found = verify_document(Json::parse(ledger->certificate(charge, {}).json));
  ASSERT_TRUE(found.valid) << found.reason;
  ledger->check_named_by(found);
  EXPECT_EQ(testing::error_of([&] { other->check_named_by(found); }), ErrorCode::failed);
  EXPECT_EQ(testing::error_of([&] { other->check_named_by({}); }), ErrorCode::failed)
      << "no ledger charged it";
}

// Not the newest entry of all that were charged together.
TEST(LedgerCertificate, OfOneRankingNamesItsOwnEntry) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  ledger.release(testing::asked({1}, 0.5));
  const LedgerCharge charge = ledger->charge(ledger.graph(), testing::asked({0, 1, 2}, 0.5));
  std::map<std::string, LedgerEntry> entries;  // by recipient
  ledger->each_entry([&](const LedgerEntry& entry) {
    if (!entry.recipient.empty()) entries[entry.recipient] = entry;
  });
  for (const std::size_t ranking : {0U, 1U, 2U}) {
    const Json certificate = Json::parse(ledger->certificate(charge, {}, nullptr, ranking).json);
    const LedgerEntry& entry = entries.at(std::to_string(ranking + 1));
    EXPECT_EQ(certificate.at("charged").at("entry"), entry.sequence);
    EXPECT_EQ(certificate.at("charged").at("head"), entry.hash);
    EXPECT_EQ(certificate.at("total_epsilon"), 1.5);  // that were made together
    EXPECT_TRUE(verify_document(certificate).valid);
  }
  const Json all = Json::parse(ledger->certificate(charge, {}).json);
  EXPECT_EQ(all.at("charged").at("entry"), entries.at("3").sequence);
  EXPECT_EQ(testing::error_of([&] { ledger->certificate(charge, {}, nullptr, 3); }), ErrorCode::usage);
}

// Another process may have raised them.
TEST(LedgerCertificate, SaysTheLimitsAsTheyAreWhenItIsMade) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const LedgerCharge charge = ledger->charge(ledger.graph(), testing::asked({0}, 0.5));
  Ledger(ledger.path()).extend({.epsilon = Epsilon(1), .reason = "more"});
  EXPECT_EQ(Json::parse(ledger->certificate(charge, {}).json).at("budget").at("epsilon"), 2.0);
}

}  // namespace
}  // namespace hushwalk
