// Ledgers as version 1 made them. tests/golden has a whole one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger_impl.h"
#include "support/files.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ledger::Json;
using ::testing::HasSubstr;

// The entries count; the tables that stood beside them are only there to be dropped.
class OldLedger {
 public:
  explicit OldLedger(const Json& recipient_units) : path_(folder_ / "l") {
    write_all(path_, "");
    database_.emplace(ledger::Database::open(path_));
    database_->execute(
        "PRAGMA application_id = 0x48757368; PRAGMA user_version = 1;CREATE TABLE entry(sequence INTEGER PRIMARY KEY, at TEXT, kind TEXT, body TEXT, hash TEXT);CREATE TABLE document(name TEXT PRIMARY KEY, content BLOB)");
    for (const char* table :
         {"terms", "graph", "owner", "source", "payment", "account", "answer", "request", "stored"})
      database_->execute(fmt::format("CREATE TABLE {}(a)", table).c_str());
    add("init", {{"ledger_id", std::string(32, 'a')},
                 {"graph_id", graph_.facts().graph_id},
                 {"units", 1'000'000'000},
                 {"delta", nullptr},
                 {"order", 0.0},
                 {"recipient_units", recipient_units},
                 {"recipient_order", 0.0}});
  }

  void add(const char* kind, const Json& body) {
    const std::string at = "2026-01-01T00:00:00Z";
    hash_ = ledger::entry_hash(hash_, ++entries_, at, kind, body.dump());
    ledger::Statement(*database_, "INSERT INTO entry VALUES(?1, ?2, ?3, ?4, ?5)")
        .bind(entries_, at, kind, body.dump(), hash_)
        .run();
  }
  void charge(const std::string& source, std::int64_t units, const std::string& recipient,
              const Json& more = Json::object()) {
    Json body = {{"source", source},
                 {"recipient", recipient},
                 {"cost", {{"units", units}, {"rdp", 0.0}, {"recipient_rdp", 0.0}}}};
    if (!recipient.empty()) body["pays"] = true;
    body.update(more);
    add("charge", body);
  }

  // Whose certificate said that anyone may have it.
  void charge_for_anyone(const std::string& source, std::int64_t units, const std::string& recipient) {
    charge(source, units, recipient, {{"answer", source}, {"plan", {{"scope", "edge"}}}});
  }

  Ledger open() {
    database_.reset();
    return Ledger(path_);
  }
  const Graph& graph() const { return graph_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  Graph graph_ = karate();
  std::filesystem::path path_;
  std::optional<ledger::Database> database_;
  std::int64_t entries_ = 0;
  std::string hash_;
};

std::string refusal(Ledger& ledger, const Graph& graph, const LedgerRequest& request) {
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(ledger, graph, request); }, &message), ErrorCode::refused);
  return message;
}

TEST(Upgrade, SpendingGoesOnFromWhatTheEntriesSay) {
  OldLedger old(nullptr);
  old.charge("a", 500'000'000, "ann");
  old.charge("b", 250'000'000, "bob");
  Ledger ledger = old.open();
  EXPECT_EQ(ledger.state().total.spent, 0.75);
  EXPECT_EQ(ledger.state().recipients.front().spent, 0.5);
  EXPECT_THAT(refusal(ledger, old.graph(), asked({0}, 0.5)), HasSubstr("0.25 is left"));
  LedgerRanker(ledger, old.graph(), asked({0}, 0.25));
  const LedgerCheck check = ledger.verify();
  EXPECT_TRUE(check.valid) << check.reason;
}

// Else the truth would be in one file until the next charge.
TEST(Upgrade, WhatWasSpentIsNotedBesideTheNewKey) {
  OldLedger old(nullptr);
  old.charge("a", 500'000'000, "ann");
  old.charge("b", 250'000'000, "bob");
  {
    Ledger ledger = old.open();
    const ledger::NotedHead noted = ledger.impl().head.read().value();
    EXPECT_EQ(noted.sequence, static_cast<std::int64_t>(ledger.state().entries));
    EXPECT_EQ(noted.hash, ledger.state().head);
    EXPECT_EQ(noted.spent, 750'000'000);
  }
  std::filesystem::remove(old.path());
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger::create(old.path(), old.graph().facts(), {}); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("spent epsilon = 0.75"));
}

TEST(Upgrade, EverySeedOfASetKeepsItsOwner) {
  OldLedger old(nullptr);
  old.charge("a", 500'000'000, "ann", {{"new_owners", {"1", "2", "3"}}});
  Ledger ledger = old.open();
  for (const Node seed : {0U, 1U, 2U})
    EXPECT_THAT(refusal(ledger, old.graph(), asked({seed}, 0.25, "eve")), HasSubstr("belong to 'ann'"));
  EXPECT_TRUE(ledger.verify().valid);
}

TEST(Upgrade, WhatWasCertifiedForAnyoneCountsForEverybodyEvenBeyondTheirLimit) {
  OldLedger old(500'000'000);
  old.charge("a", 375'000'000, "ann");
  old.charge_for_anyone("s", 250'000'000, "");
  old.charge_for_anyone("t", 125'000'000, "bob");
  Ledger ledger = old.open();
  EXPECT_EQ(ledger.state().published.spent, 0.375);
  EXPECT_EQ(ledger.state().recipients.front().spent, 0.75);
  EXPECT_EQ(ledger.state().recipients.back().spent, 0.375);  // t is not counted twice
  EXPECT_THAT(refusal(ledger, old.graph(), asked({0}, 0.001, "ann")), HasSubstr("Nothing more fits"));
  LedgerRanker(ledger, old.graph(), asked({1}, 0.125, "bob"));
  const LedgerCheck check = ledger.verify();
  EXPECT_TRUE(check.valid) << check.reason;
}

TEST(Upgrade, PersonalizedAnswersStayTheirOwners) {
  OldLedger old(500'000'000);
  old.charge("a", 375'000'000, "ann", {{"answer", "a"}, {"plan", {{"scope", "personalized"}}}});
  Ledger ledger = old.open();
  EXPECT_EQ(ledger.state().published.spent, 0);
  EXPECT_EQ(ledger.state().recipients.front().spent, 0.375);
}

// Its certificates named nobody, and are shown again as they were.
TEST(Upgrade, WhatWasPaidForBeforeItIsToldFromWhatIsPaidForAfter) {
  OldLedger old(500'000'000);
  old.charge("a", 125'000'000, "ann");
  old.charge_for_anyone("s", 125'000'000, "bob");
  Ledger ledger = old.open();
  LedgerRanker(ledger, old.graph(), asked({3}, 0.125, "eve"));
  ledger::State& state = ledger.impl().state;
  EXPECT_TRUE(state.paid_in_version_1("a", "ann"));
  EXPECT_TRUE(state.paid_in_version_1("s", everybody));
  const std::string now = state.last()->body.at("answer");
  ASSERT_TRUE(state.paid(now, "eve"));
  EXPECT_FALSE(state.paid_in_version_1(now, "eve"));
}

TEST(Upgrade, WithoutALimitForEachRecipientNothingIsPublished) {
  OldLedger old(nullptr);
  old.charge_for_anyone("t", 125'000'000, "bob");
  EXPECT_EQ(old.open().state().published.releases, 0U);
}

// It adds nothing to what they see.
TEST(Upgrade, WhatSomebodyBeyondTheLimitHasPaidForMayBePublished) {
  OldLedger old(500'000'000);
  const LedgerRequest artefact =
      published({{.mechanism = "shared", .scope = Scope::edge, .epsilon = Epsilon(0.125)}, {}, ""});
  old.charge(ledger::artefact_key(make_plan(old.graph().facts(), artefact.release)), 125'000'000, "ann");
  old.charge("a", 250'000'000, "ann");
  old.charge_for_anyone("s", 250'000'000, "");
  Ledger ledger = old.open();
  EXPECT_EQ(ledger.state().recipients.front().spent, 0.625);
  EXPECT_EQ(share(ledger, old.graph(), artefact).charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger.state().recipients.front().spent, 0.625);
  EXPECT_EQ(ledger.state().published.spent, 0.375);
  const LedgerCheck check = ledger.verify();
  EXPECT_TRUE(check.valid) << check.reason;
}

TEST(Upgrade, OfALedgerThatIsNotWholeIsRefused) {
  OldLedger old(nullptr);
  old.charge("a", 500'000'000, "ann");
  old.charge("a", 500'000'000, "bob");
  std::string message;
  EXPECT_EQ(error_of([&] { old.open(); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("source"));
}

}  // namespace
}  // namespace hushwalk
