// One ledger, many threads: calls wait for each other, computing does not, and nothing is charged twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "ledger/ledger_impl.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using testing::asked, testing::TestLedger;

void on_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(LedgerThreads, TheSameQuestionOnManyThreadsIsChargedOnceAndAnsweredAlike) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  std::vector<std::vector<double>> scores(4);
  on_threads(scores.size(), [&](std::size_t i) { scores[i] = ledger.scores(asked({0}, 0.25)); });
  for (const auto& one : scores) EXPECT_EQ(one, scores.front());
  EXPECT_DOUBLE_EQ(ledger.spent(), 0.25);
  EXPECT_TRUE(ledger.intact());
}

TEST(LedgerThreads, DifferentQuestionsFillTheBudgetExactly) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  std::atomic<int> refused = 0;
  on_threads(5, [&](std::size_t i) {
    try {
      ledger.release(asked({static_cast<Node>(i)}, 0.25));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::refused);
      ++refused;
    }
  });
  EXPECT_EQ(refused, 1);
  EXPECT_DOUBLE_EQ(ledger.spent(), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(LedgerThreads, ReadersAndWritersDoNotDisturbEachOther) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  on_threads(4, [&](std::size_t i) {
    if (i % 2 == 0) return ledger.release(asked({static_cast<Node>(i)}, 0.25));
    EXPECT_TRUE(ledger->verify().valid);
    EXPECT_LE(ledger->state().total.spent, 1);
    EXPECT_TRUE(ledger->quote(ledger.graph(), asked({9}, 0.1)).refusal.empty());
  });
}

TEST(LedgerThreads, CertificatesAndAnswersAreMadeWhileLimitsAreRaised) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const LedgerCharge charge = ledger->charge(ledger.graph(), asked({0}, 0.25));
  on_threads(4, [&](std::size_t i) {
    if (i == 0)
      for (int by = 0; by < 5; ++by) ledger->extend({.epsilon = Epsilon(1), .reason = "more"});
    else if (i == 1)
      ledger.release(asked({1}, 0.25));
    else
      EXPECT_FALSE(ledger->certificate(charge, {}).json.empty() ||
                   ledger->answers(charge, ledger.graph(), 0, 1).empty());
  });
  EXPECT_EQ(ledger->state().total.limit, 6);
}

// The tags of two threads went to each other's answers, which were refused from then on.
TEST(LedgerThreads, PartsOfOneChargeAreComputedAtATime) {
  std::vector<Node> seeds(32);
  std::ranges::generate(seeds, [i = Node{0}]() mutable { return i++; });
  for (const char* mechanism : {"twohop", "frontier", "output"}) {
    TestLedger ledger({.epsilon = Epsilon(32)});
    LedgerRequest request = asked(seeds, 1);  // `frontier` has a second look
    request.release.mechanism = mechanism;
    const auto scores_of = [&](const LedgerCharge& charge, std::size_t first, std::size_t count) {
      std::vector<std::vector<double>> scores;
      for (LedgerAnswer& answer : ledger->answers(charge, ledger.graph(), first, count))
        scores.push_back(std::move(answer.scores.scores));
      return scores;
    };
    std::vector<std::vector<double>> found(seeds.size());
    const LedgerCharge charge = ledger->charge(ledger.graph(), request);
    constexpr std::size_t threads = 4, together = 2;
    on_threads(threads, [&](std::size_t i) {
      for (std::size_t first = i * together; first < seeds.size(); first += threads * together)
        std::ranges::move(scores_of(charge, first, together),
                          found.begin() + static_cast<std::ptrdiff_t>(first));
    });
    const LedgerCharge again = ledger->charge(ledger.graph(), request);
    EXPECT_EQ(scores_of(again, 0, seeds.size()), found) << mechanism;
    EXPECT_EQ(ledger->state().unfinished, 0U);
    EXPECT_TRUE(ledger.intact());
  }
}

// Who computes under a key goes on with it while another takes its place.
TEST(LedgerThreads, AKeyInUseOutlivesANewEpoch) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  Ledger::Impl& impl = ledger->impl();
  const ledger::UsedKey used = impl.use_key();
  const std::string tag = used.content_tag({});
  std::filesystem::remove(impl.key_path);
  ledger->forget({.new_epoch = true});
  EXPECT_EQ(used.content_tag({}), tag);
  EXPECT_NE(impl.use_key().content_tag({}), tag);
}

TEST(LedgerSteps, ChargingComputesNothing) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const LedgerCharge charge = ledger->charge(ledger.graph(), asked({0}, 0.25));
  EXPECT_DOUBLE_EQ(ledger.spent(), 0.25);
  EXPECT_EQ(ledger->state().unfinished, 1U);
  const auto once = ledger->answers(charge, ledger.graph(), 0, 1),
             again = ledger->answers(charge, ledger.graph(), 0, 1);
  EXPECT_EQ(once[0].scores.scores.size(), ledger.graph().nodes());
  EXPECT_EQ(once[0].scores.scores, again[0].scores.scores);
  EXPECT_EQ(once[0].salt, again[0].salt);
  EXPECT_EQ(ledger->state().stored, 1U);
  EXPECT_EQ(testing::error_of([&] { ledger->answers(charge, ledger.graph(), 1, 1); }), ErrorCode::usage);
}

// One charge must not give two releases.
TEST(LedgerSteps, ALedgerComputesNothingOnTheChargeOfAnother) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  TestLedger other({.epsilon = Epsilon(1)}, ledger.graph());
  const LedgerCharge charge = ledger->charge(ledger.graph(), asked({0}, 0.25));
  EXPECT_EQ(testing::error_of([&] { other->answers(charge, ledger.graph(), 0, 1); }), ErrorCode::usage);
  EXPECT_EQ(testing::error_of([&] { other->certificate(charge, {}); }), ErrorCode::usage);
  EXPECT_EQ(other->state().stored, 0U);
}

TEST(LedgerSteps, AnArtefactTellsNothingOfWhoAskedFirst) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  LedgerRequest first = testing::asked_of_shared(0, 0.5);
  first.release.diffusion = Diffusion::heat(3, 7);
  first.release.delta = Delta(1e-7);
  ledger.release(first);
  LedgerRequest request{{.mechanism = "shared", .scope = Scope::edge, .epsilon = Epsilon(0.5)}, {}, ""};
  const LedgerCharge charge = ledger->charge(ledger.graph(), request);
  const Plan plan = ledger->artefact(charge, ledger.graph()).plan();
  EXPECT_EQ(plan, make_plan(ledger.graph().facts(), request.release));
}

// An artefact may go to anyone, so that it is charged as such or not at all.
TEST(LedgerSteps, WithoutSeedsOnlyAnArtefactInEdgeScopeIsCharged) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(0.5)});
  for (const char* mechanism : {"shared", "twohop", "auto"}) {
    const LedgerRequest request{{.mechanism = mechanism, .epsilon = Epsilon(0.25)}, {}, "bob"};
    EXPECT_EQ(testing::error_of([&] { ledger->charge(ledger.graph(), request); }), ErrorCode::usage)
        << mechanism;
  }
  EXPECT_EQ(ledger.spent(), 0);
}

}  // namespace
}  // namespace hushwalk
