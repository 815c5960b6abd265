// A clock that is wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ledger/ledger_impl.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

void append_in_the_future(TestLedger& ledger) {
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  ledger->impl().state.append("2999-01-01T00:00:00Z", ledger::kind_clock, ledger::Json::object());
  transaction.commit();
}

void store_in_2026(TestLedger& ledger, const char* name) {
  const ledger::Document document{name, {std::byte{1}}};
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  ledger->impl().documents.store("2026-01-01T00:00:00Z", std::span(&document, 1));
  transaction.commit();
}

TEST(Clock, ThatRunsBackwardsStopsChargesUntilItIsAccepted) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto scores = ledger.scores(asked({0}, 0.5));
  append_in_the_future(ledger);
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked({1}, 0.5)); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("`accept_clock`"));
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.scores(asked({0}, 0.5)), scores);  // a repeat needs no clock
  EXPECT_TRUE(ledger.intact());
  ledger->verify_and_accept({.clock = true});
  ledger.release(asked({1}, 0.5));
  EXPECT_TRUE(ledger.intact());
}

// Ten minutes back at a time, an entry each: it is the latest of all that counts.
TEST(Clock, CannotBeWalkedBack) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  append_in_the_future(ledger);
  for (const char* name : {"certificate x", "certificate y"}) store_in_2026(ledger, name);
  EXPECT_EQ(error_of([&] { ledger.release(asked({1}, 0.5)); }), ErrorCode::failed);
  EXPECT_TRUE(ledger.intact());
  ledger->verify_and_accept({.clock = true});
  ledger.release(asked({1}, 0.5));
  EXPECT_TRUE(ledger.intact());
}

}  // namespace
}  // namespace hushwalk
