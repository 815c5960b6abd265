// Whatever is done to a ledger behind its back, nothing that rests on it is shown or charged.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/charge.h"
#include "support/ledgers.h"

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

// --- stored answers --------------------------------------------------------------------------------------

TEST(TamperedAnswer, ThatIsGoneIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  const std::int64_t before = stores(ledger);
  tamper(ledger, "DELETE FROM document WHERE name LIKE 'answer %'");
  expect_damaged(ledger, asked({0}, 0.5), "is gone");
  EXPECT_EQ(stores(ledger), before);
}

TEST(TamperedAnswer, WhoseEntryIsHiddenIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  ledger.release(asked({1}, 0.25));
  const std::int64_t before = stores(ledger);
  tamper(ledger,
         "DELETE FROM document WHERE name LIKE 'answer %'; UPDATE entry SET body = replace(body, 'answer ', "
         "'answer x') WHERE sequence = 3");
  expect_damaged(ledger, asked({0}, 0.5), "entry 3 was altered");
  EXPECT_EQ(stores(ledger), before);
}

TEST(TamperedAnswer, ArtefactThatIsGoneIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked_of_shared(0, 0.5));
  tamper(ledger, "DELETE FROM document WHERE name LIKE 'artefact %'");
  expect_damaged(ledger, asked_of_shared(1, 0.5), "is gone");
}

TEST(TamperedAnswer, ArtefactWhoseEntryIsHiddenIsNotMadeAgain) {
  TestLedger ledger;
  ledger.release(asked_of_shared(0, 0.5));
  const std::int64_t before = stores(ledger);
  tamper(ledger,
         "DELETE FROM document WHERE name LIKE 'artefact %'; UPDATE entry SET body = replace(body, "
         "'artefact ', 'artefact x') WHERE sequence = 3");
  expect_damaged(ledger, asked_of_shared(1, 0.5), "entry 3 was altered");
  EXPECT_EQ(stores(ledger), before);
}

// As somebody would write it who knows the format, its checksum included.
TEST(TamperedAnswer, WithARightChecksumIsNotShown) {
  TestLedger ledger;
  std::vector<double> scores = ledger.scores(asked({0}, 0.5));
  scores[5] += 1;
  const ledger::Bytes bytes = ledger::encode({std::string(64, 'd'), {scores}});
  const ledger::Database raw = ledger::Database::open(ledger.path());
  ledger::Statement(raw, "UPDATE document SET content = ?1 WHERE name LIKE 'answer %'")
      .bind(std::span<const std::byte>(bytes))
      .run();
  expect_damaged(ledger, asked({0}, 0.5), "was altered");
}

// Even when an entry speaks for it.
TEST(TamperedAnswer, WithMoreScoresThanNodesIsNotRead) {
  TestLedger ledger;
  const auto charge = ledger::charge(ledger->impl(), ledger.graph(), asked({0}, 0.5), ledger::Commit::yes);
  const ledger::Document document{ledger::answer_document(charge.answers.front().key),
                                  ledger::encode({std::string(64, 'd'), {std::vector<double>(1000, 1.0)}})};
  {
    ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
    ledger->impl().documents.store(ledger->impl().now(), std::span(&document, 1));
    transaction.commit();
  }
  expect_damaged(ledger, asked({0}, 0.5), "has 1000 scores, and the graph 34 nodes");
}

// --- accounts and limits ---------------------------------------------------------------------------------

// Rewrites the last entry so that its hash and the head fit.
void rewrite_last(TestLedger& ledger, const std::function<void(ledger::Json&)>& alter) {
  const ledger::EntryPointer last = ledger->impl().state.last();
  ledger::Json body = last->body;
  alter(body);
  const ledger::Database raw = ledger::Database::open(ledger.path());
  std::string previous;
  {
    ledger::Statement before(raw, "SELECT hash FROM entry WHERE sequence = ?1");
    ASSERT_TRUE(before.bind(last->sequence - 1).step());
    previous = before.text(0);
  }
  const std::string text = body.dump();
  const std::string hash = ledger::entry_hash(previous, last->sequence, last->at, last->kind, text);
  ledger::Statement(raw, "UPDATE entry SET body = ?1, hash = ?2 WHERE sequence = ?3")
      .bind(text, hash, last->sequence)
      .run();
  ledger::Statement(raw, "UPDATE head SET hash = ?1").bind(hash).run();
}

TEST(TamperedAccount, OfTheTotalIsNotBelieved) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  tamper(ledger, "UPDATE entry SET body = replace(body, '500000000', '100000000') WHERE sequence = 3");
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger(ledger.path()).state(); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 3 was altered"));
  Ledger again(ledger.path());
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({1}, 0.75)); }), ErrorCode::failed);
}

TEST(TamperedAccount, OfARecipientIsNotBelieved) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  ledger.release(asked({0}, 0.75, "ann"));
  ledger.release(asked({1}, 0.5, "bob"));
  tamper(ledger, "UPDATE entry SET body = replace(body, '750000000', '100000000') WHERE sequence = 2");
  Ledger again(ledger.path());
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({2}, 0.5, "ann")); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 2 was altered"));
  EXPECT_EQ(error_of([&] { again.state(); }), ErrorCode::failed);
  const LedgerRanker rests_on_other_entries(again, ledger.graph(), asked({3}, 0.25, "bob"));
}

TEST(TamperedAccount, BelowZeroIsNeitherShownNorUsed) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  rewrite_last(ledger, [](ledger::Json& body) { body["total"]["units"] = -400'000'000; });
  expect_damaged(ledger, asked({1}, 0.5), "negative");
  EXPECT_THROW(ledger.spent(), Error);
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
  tamper(ledger, "UPDATE entry SET body = replace(body, 'ann', 'eve') WHERE sequence = 2");
  Ledger again(ledger.path());
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(again, ledger.graph(), asked({0}, 0.5, "eve")); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("entry 2 was altered"));
}

// --- things that act by themselves -----------------------------------------------------------------------

TEST(TamperedSchema, ATriggerDoesNothingAndIsRefused) {
  TestLedger ledger;
  tamper(ledger, "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM document; END");
  ledger.release(asked({0}, 0.5));  // by the ledger that was open before
  ledger.release(asked({1}, 0.25));
  EXPECT_EQ(ledger::Database::open(ledger.path()).integer("SELECT count(*) FROM document"), 2);
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger again(ledger.path()); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("'t' was added"));
}

}  // namespace
}  // namespace hushwalk
