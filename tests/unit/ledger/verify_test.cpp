// Whatever is done to the rows of a ledger behind its back, `verify` says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger_impl.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr, ::testing::Not;

// A ledger with a row in every table.
class Tampered : public ::testing::Test {
 protected:
  Tampered() {
    const SharedArtefact artefact = SharedArtefact::parse(
        share(*ledger_, ledger_.graph(), {{.epsilon = Epsilon(0.25)}, {}, "", true}).bytes, "artefact");
    static_cast<void>(artefact);
    ledger_.release(asked({0, 1}, 0.125, "ann"));
    ledger_.release(asked_in_edge_scope(2, 0.125, "bob"));
    ledger_.release(asked_of_shared(3, 0.25));
    ledger_->add_snapshot(karate().facts());
  }

  std::string after(const std::string& sql, const std::optional<std::string>& head = {}) {
    const ledger::Database raw = ledger::Database::open(ledger_.path());
    raw.execute(sql.c_str());
    const LedgerCheck check = ledger_->verify(head);
    return check.valid ? "valid" : check.reason;
  }
  void expect_noticed(const std::string& sql) { EXPECT_NE(after(sql), "valid") << sql; }

  TestLedger ledger_{{.epsilon = Epsilon(2), .delta = Delta(1e-6), .per_recipient = Epsilon(1)}};
};

TEST_F(Tampered, TheNewestEntriesAreTheLastOfAll) {
  std::vector<LedgerEntry> all;
  ledger_->each_entry([&](const LedgerEntry& entry) { all.push_back(entry); });
  for (std::size_t most = 0; most <= all.size() + 2; ++most) {
    const std::vector<LedgerEntry> newest = ledger_->newest_entries(most);
    ASSERT_EQ(newest.size(), std::min(most, all.size()));
    for (std::size_t i = 0; i < newest.size(); ++i) {
      const LedgerEntry &one = newest[i], &other = all[all.size() - newest.size() + i];
      const auto said = [](const LedgerEntry& entry) {
        return std::tie(entry.sequence, entry.body, entry.hash, entry.source, entry.mechanism,
                        entry.recipient, entry.published, entry.epsilon, entry.recipient_epsilon, entry.rdp);
      };
      EXPECT_EQ(said(one), said(other)) << most << " " << one.sequence;
    }
  }
}

TEST_F(Tampered, NothingDoneIsValid) { EXPECT_EQ(after("SELECT 1"), "valid"); }

// A tag that is gone is made again, the same; but it compares nothing until then, and that is said.
TEST_F(Tampered, TagsThatWereRemovedAreCounted) {
  EXPECT_THAT(ledger_->verify().reason, Not(HasSubstr("removed")));
  EXPECT_EQ(after("DELETE FROM released WHERE answer = (SELECT min(answer) FROM released)"), "valid");
  EXPECT_THAT(ledger_->verify().reason, HasSubstr("1 tag of what was released was removed from it"));
  EXPECT_EQ(after("DELETE FROM released"), "valid");
  EXPECT_THAT(ledger_->verify().reason, HasSubstr("3 tags of what was released were removed from it"));
}

class TamperedBy : public Tampered, public ::testing::WithParamInterface<const char*> {};

TEST_P(TamperedBy, IsNoticed) { expect_noticed(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Entries, TamperedBy,
    ::testing::Values(
        "UPDATE entry SET body = replace(body, '125000000', '12500000') WHERE sequence = (SELECT min(sequence) FROM entry WHERE body LIKE '%125000000%')",
        "UPDATE entry SET at = '2020-01-01T00:00:00Z' WHERE sequence = 2",
        "UPDATE entry SET kind = 'store' WHERE sequence = 4",
        "UPDATE entry SET hash = hex(randomblob(32)) WHERE sequence = 4",
        "DELETE FROM entry WHERE sequence = 1", "DELETE FROM entry WHERE sequence = 4",
        "DELETE FROM entry WHERE sequence = (SELECT max(sequence) FROM entry)",
        "DELETE FROM entry WHERE sequence > 1", "DELETE FROM entry", "DELETE FROM head",
        "UPDATE head SET hash = hex(randomblob(32))",
        "UPDATE entry SET sequence = -sequence WHERE sequence IN (3, 4);UPDATE entry SET sequence = 7 + sequence WHERE sequence < 0",
        "INSERT INTO entry SELECT max(sequence) + 1, at, 'clock', '{}', hash FROM entry",
        "INSERT INTO entry VALUES(0, '', 'clock', '{}', '')"));

INSTANTIATE_TEST_SUITE_P(
    Documents, TamperedBy,
    ::testing::Values("DELETE FROM document", "INSERT INTO released VALUES('x', x'00', '1')",
                      "INSERT INTO member VALUES('eve', 4, 5)", "UPDATE tally SET recipients = 0",
                      "UPDATE document SET content = zeroblob(9) WHERE name LIKE 'artefact %'",
                      "UPDATE document SET name = 'answer x' WHERE name = (SELECT min(name) FROM document)",
                      "INSERT INTO document VALUES('answer x', x'00')"));

INSTANTIATE_TEST_SUITE_P(
    Schema, TamperedBy,
    ::testing::Values("CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM document; END",
                      "CREATE TABLE more(a)", "CREATE VIEW v AS SELECT 1", "DROP INDEX entry_source",
                      "CREATE INDEX i ON entry(hash)"));

// Entries whose hashes fit, and which say what is not so.
class Forged : public Tampered {
 protected:
  std::string after_entry(const char* kind, const ledger::Json& body) {
    ledger::Transaction transaction(ledger_->impl().database, ledger::Transaction::Kind::writing);
    ledger_->impl().state.append("2999-01-01T00:00:00Z", kind, body);
    transaction.commit();
    const LedgerCheck check = ledger_->verify();
    return check.valid ? "valid" : check.reason;
  }
  ledger::Json total(std::int64_t units_less) {
    ledger::Json total = ledger_->impl().state.last()->body.at("total");
    total["units"] = total["units"].get<std::int64_t>() - units_less;
    return total;
  }
  static ledger::Json charge(const char* source) {
    return {{"recipient", "ann"},
            {"source", source},
            {"cost", {{"units", 1000}, {"rdp", 0.0}, {"recipient_rdp", 0.0}}},
            {"pays", true}};
  }
};

TEST_F(Forged, ATrueEntryIsValid) { EXPECT_EQ(after_entry("charge", charge("s")), "valid"); }

TEST_F(Forged, WhatIsStoredWithoutAChargeIsFound) {
  EXPECT_THAT(after_entry("store", {{"document", "answer x"}, {"sha256", "0"}}),
              ::testing::HasSubstr("not charged"));
}

TEST_F(Forged, AnArtefactThatIsStoredWithoutAChargeIsFound) {
  EXPECT_THAT(after_entry("store", {{"document", "artefact x"}, {"sha256", "0"}}),
              ::testing::HasSubstr("not charged"));
}

TEST_F(Forged, ATotalThatIsNotTheSumIsNoticed) {
  EXPECT_THAT(after_entry("clock", {{"total", total(1)}}), HasSubstr("not the sum of what was charged"));
}

TEST_F(Forged, AChargeThatIsNotInTheTotalIsNoticed) {
  ledger::Json body = charge("s");
  body["total"] = total(0);
  EXPECT_THAT(after_entry("charge", body), HasSubstr("not the sum of what was charged"));
}

TEST_F(Forged, AnAccountThatIsNotTheSumIsNoticed) {
  ledger::Json body = charge("s");
  body["total"] = total(-1000);
  body["total"]["releases"] = body["total"]["releases"].get<int>() + 1;
  body["account"] = body["total"];
  body["account"]["name"] = "ann";
  EXPECT_THAT(after_entry("charge", body), HasSubstr("not the sum of what was charged to it"));
}

TEST_F(Forged, ANegativeCostIsNotEvenWritten) {
  ledger::Json body = charge("s");
  body["cost"]["units"] = -400'000'000;
  EXPECT_THROW(after_entry("charge", body), Error);
  EXPECT_TRUE(ledger_.intact());
}

TEST_F(Forged, MoreThanTheBudgetIsNoticed) {
  ledger::Json body = charge("s");
  body["cost"] = {{"units", 900'000'000}, {"rdp", 100.0}, {"recipient_rdp", 100.0}};
  EXPECT_THAT(after_entry("charge", body), HasSubstr("spends more than the budget"));
}

TEST_F(Forged, APublicationThatExceedsTheBudgetOfOneIsNoticed) {
  ledger::Json body = charge("s");
  body["recipient"] = everybody;
  body["cost"] = {{"units", 600'000'000}, {"rdp", 100.0}, {"recipient_rdp", 100.0}};
  EXPECT_THAT(after_entry("charge", body), HasSubstr("spends more than the budget"));
}

TEST_F(Forged, ASmallerGreatestAccountIsNoticed) {
  EXPECT_THAT(after_entry("clock", {{"greatest", {{"name", "ann"}, {"units", 1}, {"rdp", 0.0}}}}),
              HasSubstr("another greatest account"));
}

TEST_F(Forged, APublicationThatIsLeftOutIsNoticed) {
  ledger::Json body = charge("s");
  body["recipient"] = everybody;
  body["published_before"] = 2;
  EXPECT_THAT(after_entry("charge", body), HasSubstr("forgets a publication"));
}

TEST_F(Forged, WhatWasNotPublishedIsNotGivenBack) {
  std::string source;
  ledger_->each_entry([&](const LedgerEntry& entry) {
    if (entry.recipient == "bob") source = entry.source;
  });
  EXPECT_THAT(after_entry("publish", {{"source", source}, {"recipient", "bob"}}),
              HasSubstr("gives back what is not published"));
}

TEST_F(Forged, AnUnknownKindIsNoticed) {
  EXPECT_THAT(after_entry("gift", ledger::Json::object()), HasSubstr("unknown kind"));
}

TEST_F(Tampered, ALostTailIsNoticedByAHeadThatWasNoted) {
  const std::string noted = ledger_->state().head;
  EXPECT_EQ(after("SELECT 1", noted), "valid");
  ledger_.release(asked({5}, 0.0625));
  EXPECT_EQ(after("SELECT 1", noted), "valid");  // more was added since
  EXPECT_NE(after("SELECT 1", std::string(64, '0')).find("older copy"), std::string::npos);
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
