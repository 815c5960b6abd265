// Whatever is done to a ledger behind its back, nothing that rests on it is shown or charged.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "ledger/charge.h"
#include "support/old_charges.h"
#include "support/rewritten.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

void tamper(const TestLedger& ledger, const std::string& sql) {
  const ledger::Database raw = ledger::Database::open(ledger.path());
  raw.execute(sql.c_str());
}

// By the ledger that is open, and by one that is opened again.
void expect_damaged(TestLedger& ledger, const LedgerRequest& request, const std::string& part) {
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.scores(request); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("damaged"));
  const auto again = [&] {
    Ledger opened(ledger.path());
    LedgerRanker(opened, ledger.graph(), request).answer(0);
  };
  EXPECT_EQ(error_of(again, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr(part));
}

std::int64_t stores(const TestLedger& ledger) {
  return ledger::Database::open(ledger.path()).integer("SELECT count(*) FROM entry WHERE kind = 'store'");
}

// --- answers as older versions stored them ---------------------------------------------------------------

TEST(TamperedAnswer, ThatIsGoneIsNotMadeAgain) {
  TestLedger ledger;
  release_as_before(ledger, asked({0}, 0.5));
  const std::int64_t before = stores(ledger);
  tamper(ledger, "DELETE FROM document WHERE name LIKE 'answer %'");
  expect_damaged(ledger, asked({0}, 0.5), "is gone");
  EXPECT_EQ(stores(ledger), before);
}

TEST(TamperedAnswer, WhoseEntryIsHiddenIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked({2}, 0.125));
  release_as_before(ledger, asked({0}, 0.5));
  ledger.release(asked({1}, 0.25));
  tamper(
      ledger,
      "DELETE FROM document WHERE name LIKE 'answer %'; UPDATE entry SET body = replace(body, 'answer ', 'answer x') WHERE kind = 'store'");
  expect_damaged(ledger, asked({0}, 0.5), "was altered");
}

TEST(TamperedAnswer, ArtefactThatIsGoneIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked_of_shared(0, 0.5));
  tamper(ledger, "DELETE FROM document WHERE name LIKE 'artefact %'");
  expect_damaged(ledger, asked_of_shared(1, 0.5), "is gone");
}

// As somebody would write it who knows the format, its checksum included.
TEST(TamperedAnswer, WithARightChecksumIsNotShown) {
  TestLedger ledger;
  std::vector<double> scores = release_as_before(ledger, asked({0}, 0.5));
  EXPECT_EQ(ledger.scores(asked({0}, 0.5)), scores);
  scores[5] += 1;
  const ledger::Bytes bytes = encode({std::string(64, 'd'), {scores}});
  const ledger::Database raw = ledger::Database::open(ledger.path());
  ledger::Statement(raw, "UPDATE document SET content = ?1 WHERE name LIKE 'answer %'")
      .bind(std::span<const std::byte>(bytes))
      .run();
  expect_damaged(ledger, asked({0}, 0.5), "was altered");
}

// Even when an entry speaks for it.
TEST(TamperedAnswer, WithMoreScoresThanNodesIsNotRead) {
  TestLedger ledger;
  ledger.release(asked({1}, 0.125));
  const std::string key = charge_as_before(ledger, asked({0}, 0.5));
  store(*ledger,
        {ledger::answer_document(key), encode({std::string(64, 'd'), {std::vector<double>(1000, 1.0)}})});
  expect_damaged(ledger, asked({0}, 0.5), "has 1000 scores, and the graph 34 nodes");
}

// --- accounts and limits ---------------------------------------------------------------------------------

TEST(TamperedAccount, OfTheTotalIsNotBelieved) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  tamper(ledger, "UPDATE entry SET body = replace(body, '500000000', '100000000') WHERE sequence = 4");
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger(ledger.path()).state(); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 4 was altered"));
  Ledger again(ledger.path());
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({1}, 0.75)); }), ErrorCode::failed);
}

TEST(TamperedAccount, OfARecipientIsNotBelieved) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  ledger.release(asked({0}, 0.75, "ann"));
  ledger.release(asked({1}, 0.8125, "bob"));  // who has the greatest account, on which all others rest
  tamper(ledger, "UPDATE entry SET body = replace(body, '750000000', '100000000') WHERE sequence = 4");
  Ledger again(ledger.path());
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({2}, 0.5, "ann")); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 4 was altered"));
  EXPECT_EQ(error_of([&] { again.state(); }), ErrorCode::failed);
  const LedgerRanker rests_on_other_entries(again, ledger.graph(), asked({3}, 0.125, "bob"));
}

TEST(TamperedAccount, BelowZeroIsNeitherShownNorUsed) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  rewrite_last(ledger, [](ledger::Json& body) { body["total"]["units"] = -400'000'000; });
  expect_damaged(ledger, asked({1}, 0.5), "negative");
  EXPECT_THROW(ledger.spent(), Error);
}

// As a program wrote it that did not see who had paid by the entry just before.
TEST(TamperedAccount, ThatCountsAPublicationTwiceIsTooGreatAndNoDamage) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(0.5)});
  ledger.release(asked_in_edge_scope(0, 0.5, "ann"));
  ledger.release(published(asked_in_edge_scope(0, 0.5)));
  rewrite_last(ledger, [](ledger::Json& body) { body.erase("paid_before"); });
  EXPECT_EQ(ledger.spent("ann"), 1);
  EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
  expect_refused([&] { ledger.release(asked({1}, 0.001, "ann")); }, "the budget of 'ann'");
}

TEST(TamperedAccount, OfWhichNothingIsGivenBackIsDamage) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(2)});
  for (const char* name : {"ann", "bob"}) ledger.release(asked_in_edge_scope(0, 0.5, name));
  ledger.release(published(asked_in_edge_scope(0, 0.5)));
  rewrite_last(ledger, [](ledger::Json& body) { body.erase("paid_before"); });
  EXPECT_THAT(ledger->verify().reason, HasSubstr("does not give back what was paid for (to 'ann')"));
}

TEST(TamperedAccount, OfAPublicationOfNothingIsDamage) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(2)});
  ledger.release(asked_in_edge_scope(0, 0.5, "ann"));
  ledger.release(published(asked_in_edge_scope(0, 0.5)));
  rewrite_last(ledger, [](ledger::Json& body) { body.erase("source"); });
  EXPECT_FALSE(ledger.intact());
}

TEST(TamperedAccount, WithoutATotalIsDamage) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  rewrite_last(ledger, [](ledger::Json& body) { body.erase("total"); });
  expect_damaged(ledger, asked({1}, 0.5), "cannot be read");
}

TEST(TamperedAccount, WhoseLastChargesWereCutOffIsNotBelieved) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  tamper(ledger, "DELETE FROM entry WHERE sequence > 1; DELETE FROM document");
  expect_damaged(ledger, asked({1}, 0.75), "at its end");
}

TEST(TamperedLimit, IsNotBelieved) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  tamper(ledger, "UPDATE entry SET body = replace(body, '1000000000', '9000000000') WHERE sequence = 1");
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger again(ledger.path()); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 1 was altered"));
}

TEST(TamperedOwner, IsNotBelieved) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5, "ann"));
  tamper(ledger, "UPDATE entry SET body = replace(body, 'ann', 'eve') WHERE sequence = 4");
  Ledger again(ledger.path());
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({0}, 0.5, "eve")); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 4 was altered"));
}

// Who is removed has paid for nothing, it seems, and their seeds belong to nobody.
TEST(TamperedMembers, OfWhomOneIsRemovedAreNotBelieved) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  LedgerRequest everyone = asked_of_shared(0, 0.75);
  everyone.seeds.clear();
  for (Node seed = 0; seed < 3; ++seed) everyone.seeds.push_back(SeedVector(seed));
  ledger.release(everyone);
  EXPECT_EQ(ledger.spent("2"), 0.75);
  ledger.release(asked_of_shared(4, 0.75));  // an entry of another kind says it, too
  tamper(ledger, "DELETE FROM member WHERE name = '2'");
  std::string message;
  for (const auto& question : {asked({1}, 0.5, "eve"), asked({9}, 0.5, "2")}) {
    Ledger again(ledger.path());
    EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), question); }, &message), ErrorCode::failed);
    EXPECT_THAT(message, HasSubstr("somebody was removed"));
  }
}

TEST(TamperedMembers, WhoseNumberIsWrongAreDamage) {
  TestLedger ledger;
  LedgerRequest two = asked_of_shared(0, 0.75);
  two.seeds = {SeedVector(0), SeedVector(1)};
  ledger.release(two);
  ledger.release(asked({5}, 0.125));
  EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
  for (const int wrong : {1, 3}) {
    rewrite_last(ledger, [&](ledger::Json& body) { body.at("member_count") = wrong; });
    EXPECT_THAT(ledger->verify().reason, HasSubstr("another number of members"));
  }
}

// As programs wrote them that did not count: the next that counts begins with what entries say.
TEST(TamperedMembers, ThatWereNotCountedAreCountedFromThenOn) {
  TestLedger ledger;
  const auto ask_two = [&](Node first) {
    LedgerRequest two = asked_of_shared(0, 0.75);
    two.seeds = {SeedVector(first), SeedVector(first + 1)};
    ledger.release(two);
  };
  ask_two(0);
  const auto last = [&] { return ledger->impl().state.last()->body; };
  rewrite_last(ledger, [](ledger::Json& body) { body.erase("member_count"); });
  ledger.release(asked({5}, 0.125));
  EXPECT_FALSE(last().contains("member_count"));
  tamper(ledger, "DELETE FROM member WHERE name = '2'");
  ask_two(2);
  EXPECT_EQ(last().at("member_count"), 4);
  std::string message;
  EXPECT_EQ(
      error_of([&] { Ledger(ledger.path()).charge(ledger.graph(), asked({9}, 0.125, "eve")); }, &message),
      ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("somebody was removed"));
  tamper(ledger, "INSERT INTO member SELECT '2', source, entry FROM member WHERE name = '1'");
  EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
}

// What docs/ledger.md says of an entry in the middle that is altered so that it is not found.
TEST(TamperedAccount, ThatIsRenamedIsMissedUntilItIsVerifiedButTheTotalIsNot) {
  TestLedger ledger({.epsilon = Epsilon(1.5), .per_recipient = Epsilon(1)});
  ledger.release(asked({0}, 0.5, "ann"));
  ledger.release(asked({1}, 0.75, "bob"));  // who has the greatest account, which is looked at in any case
  tamper(ledger, "UPDATE entry SET body = replace(body, 'ann', 'eva') WHERE sequence = 4");
  Ledger again(ledger.path());
  expect_refused([&] { LedgerRanker(again, ledger.graph(), asked({2}, 0.5, "ann")); }, "budget");
  EXPECT_THAT(again.verify().reason, HasSubstr("entry 4 was altered"));
}

// --- entries that are found where they should not be ------------------------------------------------------

std::string only_source(TestLedger& ledger) {
  ledger::Statement source(ledger->impl().database, "SELECT answer FROM entry WHERE answer IS NOT NULL");
  source.step();
  return std::string(source.text(0));
}

// Its hash rests on no other, and the last entry stays the last.
TEST(TamperedEntry, BeforeTheFirstIsNotBelieved) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  ledger.release(asked_in_edge_scope(0, 0.5, "ann"));
  const std::string at = "2026-01-01T00:00:00Z";
  const std::string body =
      ledger::Json{{"source", only_source(ledger)}, {"recipient", "bob"}, {"pays", true}}.dump();
  for (const std::int64_t sequence : {-7, 0}) {
    const ledger::Database raw = ledger::Database::open(ledger.path());
    raw.execute("DELETE FROM entry WHERE sequence < 1");
    ledger::Statement(raw, "INSERT INTO entry VALUES(?1, ?2, 'charge', ?3, ?4)")
        .bind(sequence, at, body, ledger::entry_hash("", sequence, at, "charge", body))
        .run();
    expect_damaged(ledger, asked_in_edge_scope(0, 0.5, "bob"), "before the first");
  }
}

TEST(TamperedEntry, WithoutATotalIsNotOfVersion1) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  ledger.release(asked_in_edge_scope(0, 0.5, "ann"));
  rewrite(ledger, 4, [](ledger::Json& body) { body.erase("total"); });
  EXPECT_TRUE(ledger->impl().state.paid(only_source(ledger), "ann"));
  EXPECT_FALSE(ledger->impl().state.paid_in_version_1(only_source(ledger), "ann"));
}

// The index is made by another rule than the one that stands in the file afterwards.
void mislead(const TestLedger& ledger, const std::string& rule, const std::string& index) {
  const std::string column = "body ->> '$.account.name'";
  const auto write = [&](const std::string& from, const std::string& to, const std::string& then) {
    const ledger::Database raw = ledger::Database::open(ledger.path());
    sqlite3_db_config(raw.handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    raw.execute(("REINDEX " + then + "; PRAGMA writable_schema = ON").c_str());
    ledger::Statement(raw, "UPDATE sqlite_schema SET sql = replace(sql, ?1, ?2) WHERE name = 'entry'")
        .bind(from, to)
        .run();
    raw.execute("PRAGMA schema_version = 1000");
  };
  write(column, rule, "head");
  write(rule, column, index);
}

TEST(TamperedIndex, ThatLeadsToAnotherAccountIsNotBelieved) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  ledger.release(asked({0}, 0.75, "ann"));
  ledger.release(asked({1}, 0.25, "bob"));
  mislead(ledger,
          "replace(replace(replace(body ->> '$.account.name', 'ann', 'x'), 'bob', 'ann'), 'x', 'bob')",
          "entry_account");
  Ledger again(ledger.path());
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({2}, 0.5, "ann")); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("is found for 'ann'"));
}

TEST(TamperedSnapshots, AreNotBelieved) {
  const auto reason_after = [](const std::function<void(ledger::Json&)>& alter) {
    TestLedger ledger;
    PublicFacts facts = ledger.graph().facts();
    for (const char digit : {'a', 'b'}) {
      facts.graph_id = std::string(32, digit);
      ledger->add_snapshot(facts);
    }
    rewrite_last(ledger, alter);
    return ledger->verify().reason;
  };
  EXPECT_THAT(reason_after([](ledger::Json&) {}), HasSubstr("one unbroken chain"));
  EXPECT_THAT(reason_after([](ledger::Json& body) { body["snapshots"]["count"] = 2; }),
              HasSubstr("another number of snapshots"));
  EXPECT_THAT(reason_after([](ledger::Json& body) { body["snapshot_before"] = 1; }),
              HasSubstr("forgets a snapshot"));
}

// As older programs declared them.
TEST(TamperedSnapshots, ThatAreNotCountedAreFoundAllTheSame) {
  TestLedger ledger;
  PublicFacts facts = ledger.graph().facts();
  for (const char digit : {'a', 'b', 'c'}) {
    facts.graph_id = std::string(32, digit);
    ledger->add_snapshot(facts);
    rewrite_last(ledger, [](ledger::Json& body) {
      body.erase("snapshots");
      body.erase("snapshot_before");
    });
  }
  const auto last_two = [&] {
    const LedgerState state = ledger->state();
    return std::pair(state.graph_count, state.graph_ids);
  };
  const auto id = [](char digit) { return std::string(32, digit); };
  const std::string first = ledger.graph().facts().graph_id;
  EXPECT_EQ(last_two(), std::pair(std::uint64_t{4}, std::vector{first, id('a'), id('b'), id('c')}));
  facts.graph_id = id('d');
  ledger->add_snapshot(facts);
  EXPECT_EQ(last_two(), std::pair(std::uint64_t{5}, std::vector{first, id('a'), id('b'), id('c'), id('d')}));
  EXPECT_TRUE(ledger.intact()) << ledger->verify().reason;
}

// --- things that act by themselves -----------------------------------------------------------------------

TEST(TamperedSchema, ATriggerDoesNothingAndIsRefused) {
  TestLedger ledger;
  tamper(ledger, "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM released; END");
  ledger.release(asked({0}, 0.5));  // by the ledger that was open before
  ledger.release(asked({1}, 0.25));
  EXPECT_EQ(ledger::Database::open(ledger.path()).integer("SELECT count(*) FROM released"), 2);
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger again(ledger.path()); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("'t' was added"));
}

TEST(TamperedSchema, AViewInThePlaceOfATableIsNotReadByALedgerThatIsOpen) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  tamper(ledger, "ALTER TABLE head RENAME TO old_head; CREATE VIEW head AS SELECT * FROM old_head");
  std::string message;
  EXPECT_EQ(error_of([&] { ledger->state(); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("view"));
}

}  // namespace
}  // namespace hushwalk
