// However many entries a ledger has, a charge, a repeat and a summary look at the same few. Counted in the
// steps of SQLite's machine, which do not depend on the computer.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "ledger/ledger_impl.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using testing::asked, testing::asked_in_edge_scope, testing::asked_of_shared, testing::published,
    testing::TestLedger;

// The most steps of one run of each statement.
using Steps = std::map<std::string, int>;

int note_steps(unsigned, void* steps, void* statement, void*) {
  auto* const one = static_cast<sqlite3_stmt*>(statement);
  int& most = (*static_cast<Steps*>(steps))[sqlite3_sql(one)];
  most = std::max(most, sqlite3_stmt_status(one, SQLITE_STMTSTATUS_VM_STEP, 1));
  return 0;
}

void forget_steps(sqlite3* handle) {
  for (sqlite3_stmt* one = nullptr; (one = sqlite3_next_stmt(handle, one)) != nullptr;)
    sqlite3_stmt_status(one, SQLITE_STMTSTATUS_VM_STEP, 1);
}

Steps steps_of(Ledger& ledger, const std::function<void()>& action) {
  Steps steps;
  sqlite3* const handle = ledger.impl().database.handle();
  forget_steps(handle);
  sqlite3_trace_v2(handle, SQLITE_TRACE_PROFILE, note_steps, &steps);
  action();
  sqlite3_trace_v2(handle, 0, nullptr, nullptr);
  return steps;
}

int all_steps(unsigned, void* sum, void* statement, void*) {
  *static_cast<std::int64_t*>(sum) +=
      sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, 1);
  return 0;
}

// Of all statements together, however often each is run.
std::int64_t sum_of_steps(Ledger& ledger, const std::function<void()>& action) {
  std::int64_t sum = 0;
  forget_steps(ledger.impl().database.handle());
  sqlite3_trace_v2(ledger.impl().database.handle(), SQLITE_TRACE_PROFILE, all_steps, &sum);
  action();
  sqlite3_trace_v2(ledger.impl().database.handle(), 0, nullptr, nullptr);
  return sum;
}

void expect_no_more(const Steps& few, const Steps& many) {
  constexpr int chance = 40;  // what was found before, and the shape of a tree, may differ
  for (const auto& [sql, steps] : many) {
    const auto before = few.find(sql);
    EXPECT_LE(steps, (before == few.end() ? 0 : before->second) + chance) << sql;
  }
}

constexpr Node few = 100, many = 3000, spare = 10;

class LedgerScale : public ::testing::Test {
 protected:
  LedgerScale()
      : ledger_({.epsilon = Epsilon(1e4), .per_recipient = Epsilon(1e4)},
                testing::make_graph(many + spare, {{0, 1}, {1, 2}})) {}

  void charge_together(Node count, LedgerRequest request) {
    request.seeds.clear();
    for (; charged_ < count; ++charged_) request.seeds.emplace_back(charged_);
    static_cast<void>(ledger_->charge(ledger_.graph(), request));
  }
  Steps steps_of_charge(const LedgerRequest& request) {
    return steps_of(*ledger_, [&] { static_cast<void>(ledger_->charge(ledger_.graph(), request)); });
  }
  Steps steps_of_summary() {
    return steps_of(*ledger_, [&] { static_cast<void>(ledger_->state()); });
  }

  TestLedger ledger_;
  Node charged_ = 0;
};

TEST_F(LedgerScale, AChargeARepeatAndASummaryDoNotGrowWithAnswers) {
  charge_together(few, asked({}, 0.5));
  const Steps charge = steps_of_charge(asked({many}, 0.5)), repeat = steps_of_charge(asked({1}, 0.5)),
              summary = steps_of_summary();
  EXPECT_FALSE(charge.empty() || repeat.empty() || summary.empty());
  charge_together(many, asked({}, 0.5));
  expect_no_more(charge, steps_of_charge(asked({many + 1}, 0.5)));
  expect_no_more(repeat, steps_of_charge(asked({2}, 0.5)));
  expect_no_more(summary, steps_of_summary());
}

TEST_F(LedgerScale, NorWithMembersOfAnArtefact) {
  charge_together(few, asked_of_shared(0, 0.5));
  const Steps charge = steps_of_charge(asked_of_shared(many, 0.5)), summary = steps_of_summary();
  charge_together(many, asked_of_shared(0, 0.5));
  expect_no_more(charge, steps_of_charge(asked_of_shared(many + 1, 0.5)));
  expect_no_more(summary, steps_of_summary());
}

// A snapshot a night, for years: each is declared and asked about once.
TEST_F(LedgerScale, NorWithSnapshots) {
  auto declare_up_to = [&, declared = Node{0}](Node count) mutable {
    for (; declared < count; ++declared) {
      PublicFacts facts = ledger_.graph().facts();
      facts.graph_id = fmt::format("{:032x}", declared);
      ledger_->add_snapshot(facts);
    }
  };
  constexpr Node nights = 500;
  declare_up_to(20);
  const Steps charge = steps_of_charge(asked({1}, 0.5)), summary = steps_of_summary();
  declare_up_to(nights);
  expect_no_more(charge, steps_of_charge(asked({2}, 0.5)));
  expect_no_more(summary, steps_of_summary());
  const LedgerState state = ledger_->state();
  EXPECT_EQ(state.graph_count, nights + 1U);
  ASSERT_EQ(state.graph_ids.size(), 10U);
  EXPECT_EQ(state.graph_ids.front(), fmt::format("{:032x}", nights - 10));
  EXPECT_EQ(state.graph_ids.back(), fmt::format("{:032x}", nights - 1));
  EXPECT_TRUE(ledger_->has_graph(fmt::format("{:032x}", 7)));
  EXPECT_FALSE(ledger_->has_graph(fmt::format("{:032x}", nights)));
  EXPECT_TRUE(ledger_.intact()) << ledger_->verify().reason;
}

// One account with many entries: its recipients are listed, and what is published is compared with theirs.
TEST_F(LedgerScale, NorWithTheEntriesOfOneRecipient) {
  const auto for_ann = [](Node seed) { return asked_in_edge_scope(seed, 0.5, "ann"); };
  charge_together(few, for_ann(0));
  const Steps charge = steps_of_charge(for_ann(many)), summary = steps_of_summary(),
              publish = steps_of_charge(published(asked_in_edge_scope(many + 1, 0.5)));
  charge_together(many, for_ann(0));
  expect_no_more(charge, steps_of_charge(for_ann(many + 2)));
  expect_no_more(summary, steps_of_summary());
  expect_no_more(publish, steps_of_charge(published(asked_in_edge_scope(many + 3, 0.5))));
}

// Nobody is looked at while the greatest account would hold; else the greatest is, and it is refused.
TEST(LedgerScaleOfRecipients, APublicationDoesNotGrowWithThem) {
  TestLedger ledger({.epsilon = Epsilon(1e4), .per_recipient = Epsilon(1)},
                    testing::make_graph(many, {{0, 1}, {1, 2}}));
  auto charge_up_to = [&, charged = Node{0}](Node count) mutable {
    std::vector<Node> seeds;
    while (charged < count) seeds.push_back(charged++);
    static_cast<void>(ledger->charge(ledger.graph(), asked(seeds, 0.5)));
  };
  const auto publish = [&](double epsilon) {
    return sum_of_steps(*ledger, [&] {
      const auto quote = ledger->quote(ledger.graph(), published(asked_in_edge_scope(1, epsilon)));
      EXPECT_EQ(quote.refusal.empty(), epsilon < 0.5);
    });
  };
  charge_up_to(few);
  const auto one = publish(0.25), refused = publish(0.75);
  charge_up_to(many);
  EXPECT_LE(publish(0.25), one + one / 4);
  EXPECT_LE(publish(0.75), refused + refused / 4);
}

// Their payments are taken from their accounts when these are next looked at.
TEST_F(LedgerScale, NorWithThoseWhoHadPaidForIt) {
  const auto publish = [&](double epsilon) {
    LedgerRequest request = published(asked_of_shared(0, epsilon));
    request.release.scope = Scope::edge;
    request.seeds.clear();
    return sum_of_steps(*ledger_, [&] { static_cast<void>(ledger_->charge(ledger_.graph(), request)); });
  };
  charge_together(few, asked_of_shared(0, 0.25));
  const auto one = publish(0.25);
  charged_ = 0;
  charge_together(many, asked_of_shared(0, 0.5));
  EXPECT_LE(publish(0.5), one + one / 4);
  EXPECT_DOUBLE_EQ(ledger_->state(1).recipients.front().spent, 0.75);
  EXPECT_TRUE(ledger_.intact());
}

TEST_F(LedgerScale, AllRecipientsAreListedOnceAndTheGreatestSpendersFirst) {
  charge_together(few, asked_of_shared(0, 0.5));
  for (const Node seed : {7U, 8U, 9U}) ledger_.release(asked({seed}, 0.25));
  ledger_.release(asked_in_edge_scope(3, 0.125, "ann"));
  EXPECT_EQ(ledger_->state(1000).recipients.size(), few + 1);
  const auto top = ledger_->state(2).recipients;
  ASSERT_EQ(top.size(), 2U);
  EXPECT_DOUBLE_EQ(top[0].spent, 0.75);
  EXPECT_EQ(top[0].recipient, "10");  // by name where they are equal
  EXPECT_EQ(top[1].recipient, "8");
}

}  // namespace
}  // namespace hushwalk
