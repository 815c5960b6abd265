// Whatever is done to the rows of a ledger behind its back, `verify` says so.
#include <gtest/gtest.h>

#include "ledger/database.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;

// A ledger with a row in every table.
class Tampered : public ::testing::Test {
 protected:
  Tampered() {
    const SharedArtefact artefact = SharedArtefact::parse(
        share(*ledger_, ledger_.graph(), {{.epsilon = Epsilon(0.25)}, {}, ""}).bytes, "artefact");
    static_cast<void>(artefact);
    ledger_.release(asked({0, 1}, 0.125, "ann"));
    ledger_.release(asked_in_edge_scope(2, 0.125, "bob"));
    ledger_.release(asked_of_shared(3, 0.25));
    ledger_->add_snapshot(public_facts(karate()));
  }

  std::string after(const std::string& sql, const std::optional<std::string>& head = {}) {
    const ledger::Database raw = ledger::Database::open(ledger_.path());
    raw.execute("PRAGMA foreign_keys = OFF");
    raw.execute(sql.c_str());
    const LedgerCheck check = ledger_->verify(head);
    return check.valid ? "valid" : check.reason;
  }
  void expect_noticed(const std::string& sql) { EXPECT_NE(after(sql), "valid") << sql; }

  TestLedger ledger_{{.epsilon = Epsilon(2), .delta = Delta(1e-6), .per_recipient = Epsilon(1)}};
};

TEST_F(Tampered, NothingDoneIsValid) { EXPECT_EQ(after("SELECT 1"), "valid"); }

class TamperedBy : public Tampered, public ::testing::WithParamInterface<const char*> {};

TEST_P(TamperedBy, IsNoticed) { expect_noticed(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Entries, TamperedBy,
    ::testing::Values("UPDATE entry SET body = replace(body, '125000000', '12500000') WHERE sequence = 4",
                      "UPDATE entry SET at = '2020-01-01T00:00:00Z' WHERE sequence = 2",
                      "UPDATE entry SET kind = 'store' WHERE sequence = 4",
                      "UPDATE entry SET hash = hex(randomblob(32)) WHERE sequence = 4",
                      "DELETE FROM entry WHERE sequence = 1", "DELETE FROM entry WHERE sequence = 4",
                      "DELETE FROM entry WHERE sequence = (SELECT max(sequence) FROM entry)",
                      "DELETE FROM entry WHERE sequence > 1", "DELETE FROM entry",
                      "UPDATE entry SET sequence = -sequence WHERE sequence IN (3, 4);"
                      "UPDATE entry SET sequence = 7 + sequence WHERE sequence < 0",
                      "INSERT INTO entry SELECT max(sequence) + 1, at, kind, body, hash FROM entry",
                      "INSERT INTO entry VALUES(0, '', 'clock', '{}', '')"));

INSTANTIATE_TEST_SUITE_P(
    Accounts, TamperedBy,
    ::testing::Values("UPDATE account SET units = units - 1", "UPDATE account SET rdp = rdp * 0.999999999",
                      "UPDATE account SET releases = releases - 1 WHERE recipient = 'ann'",
                      "DELETE FROM account WHERE recipient = 'bob'", "DELETE FROM account",
                      "INSERT INTO account VALUES('eve', -1, 0, 0)", "UPDATE terms SET units = units + 1",
                      "UPDATE terms SET delta = 1e-5", "UPDATE terms SET rdp_order = 2",
                      "UPDATE terms SET recipient_units = NULL", "DELETE FROM terms",
                      "UPDATE source SET units = 0", "UPDATE source SET rdp = 0",
                      "UPDATE source SET recipient_rdp = 0", "INSERT INTO source VALUES('k', 0, 0, 0)",
                      "DELETE FROM payment WHERE recipient = 'ann'",
                      "INSERT INTO payment SELECT key, 'eve' FROM source"));

INSTANTIATE_TEST_SUITE_P(
    LookUps, TamperedBy,
    ::testing::Values("UPDATE owner SET recipient = 'eve' WHERE node = '1'", "DELETE FROM owner",
                      "INSERT INTO owner VALUES('30', 'eve')", "INSERT INTO graph VALUES('g', 1)",
                      "DELETE FROM graph WHERE entry > 1", "UPDATE answer SET plan = '{}'",
                      "UPDATE answer SET source = (SELECT max(key) FROM source)", "DELETE FROM answer",
                      "DELETE FROM request", "UPDATE request SET answer = (SELECT max(key) FROM answer)",
                      "UPDATE request SET key = 'x' WHERE key = (SELECT min(key) FROM request)"));

INSTANTIATE_TEST_SUITE_P(
    Documents, TamperedBy,
    ::testing::Values("DELETE FROM document WHERE name LIKE 'answer %'",
                      "UPDATE document SET content = zeroblob(9) WHERE name LIKE 'artefact %'",
                      "UPDATE document SET name = 'answer x' WHERE name = (SELECT min(name) FROM document)",
                      "UPDATE stored SET entry = 1", "UPDATE stored SET sha256 = 'x'",
                      "PRAGMA foreign_keys = OFF; INSERT INTO document VALUES('answer x', x'00')"));

INSTANTIATE_TEST_SUITE_P(
    Schema, TamperedBy,
    ::testing::Values("CREATE TRIGGER t AFTER INSERT ON account BEGIN UPDATE account SET units = 0; END",
                      "CREATE TABLE more(a)", "CREATE INDEX i ON entry(hash)"));

TEST_F(Tampered, ALostTailIsNoticedByAHeadThatWasNoted) {
  const std::string noted = ledger_->state().head;
  EXPECT_EQ(after("SELECT 1", noted), "valid");
  ledger_.release(asked({5}, 0.0625));
  EXPECT_EQ(after("SELECT 1", noted), "valid");  // more was added since
  EXPECT_NE(after("SELECT 1", std::string(64, '0')).find("older copy"), std::string::npos);
}

// Whoever removes a released answer does not get another one for the same charge, and leaves a trace.
TEST(Verify, ARemovedAnswerIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  ledger::Database::open(ledger.path()).execute("DELETE FROM document WHERE name LIKE 'answer %'");
  EXPECT_THROW(ledger.scores(asked({0}, 0.5)), Error);
  ledger::Database::open(ledger.path())
      .execute("PRAGMA foreign_keys = OFF; DELETE FROM stored WHERE name LIKE 'answer %'");
  ledger.release(asked({0}, 0.5));
  EXPECT_NE(ledger->verify().reason.find("a second time"), std::string::npos);
}

TEST(Verify, ALimitThatWasRaisedForAMomentIsNoticed) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger::Database::open(ledger.path()).execute("UPDATE terms SET units = units * 10");
  {
    Ledger raised(ledger.path());
    LedgerRanker(raised, ledger.graph(), asked({0}, 5));
  }
  ledger::Database::open(ledger.path()).execute("UPDATE terms SET units = units / 10");
  EXPECT_NE(ledger->verify().reason.find("spends more than the budget"), std::string::npos);
}

TEST(Verify, AnOlderCopyIsNoticedByAHeadThatWasNoted) {
  TestLedger ledger;
  const std::string copy = ledger.path().string() + ".copy";
  {
    const ledger::Database raw = ledger::Database::open(ledger.path());
    raw.execute(("VACUUM INTO '" + copy + "'").c_str());
  }
  ledger.release(asked({0}, 0.5));
  const std::string head = ledger->state().head;
  const Ledger older(copy);
  EXPECT_TRUE(older.verify().valid);
  EXPECT_FALSE(older.verify(head).valid);
  EXPECT_TRUE(ledger->verify(head).valid);
}

TEST(Verify, AnAlteredLastEntryStopsFurtherCharges) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  const ledger::Database raw = ledger::Database::open(ledger.path());
  raw.execute("UPDATE entry SET body = '{}' WHERE sequence = (SELECT max(sequence) FROM entry)");
  EXPECT_EQ(error_of([&] { ledger.release(asked({1}, 0.1)); }), ErrorCode::failed);
}

}  // namespace
}  // namespace hushwalk
