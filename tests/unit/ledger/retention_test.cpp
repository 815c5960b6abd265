// Copies, and what is no longer kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <utility>

#include "hushwalk/extend.h"
#include "ledger/ledger_impl.h"
#include "support/files.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Backup, IsAWholeCopyForItsOwnerThatDoesNotCharge) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.25));
  const fs::path copy = ledger.path().string() + ".copy";
  ledger->backup(copy);
  struct stat status{};
  ASSERT_EQ(stat(copy.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  Ledger copied(copy);
  EXPECT_TRUE(copied.verify(ledger->state().head).valid);
  EXPECT_EQ(copied.state().total.spent, 0.25);
  EXPECT_EQ(error_of([&] { LedgerRanker(copied, ledger.graph(), asked({1}, 0.25)); }), ErrorCode::failed);
  EXPECT_EQ(error_of([&] { ledger->backup(copy); }), ErrorCode::failed);
  EXPECT_EQ(error_of([&] { ledger->backup(ledger.path()); }), ErrorCode::failed);
}

void make_old(TestLedger& ledger) {
  ledger->impl().clock = [now = std::chrono::system_clock::now()] { return now + std::chrono::days(400); };
}
std::string in_a_year() {
  return ledger::time_text(std::chrono::system_clock::now() + std::chrono::days(365));
}

TEST(Forget, WantsToKnowOneThingAndNothingThatGoesWithAnother) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  const auto code_of = [&](const Ledger::Forgetting& what) {
    return error_of([&] { ledger->forget(what); });
  };
  EXPECT_EQ(code_of({}), ErrorCode::usage);
  EXPECT_EQ(code_of({.before = in_a_year(), .older_than = 1}), ErrorCode::usage);
  EXPECT_EQ(code_of({.older_than = 1, .new_epoch = true}), ErrorCode::usage);
  EXPECT_EQ(code_of({.older_than = 1, .accept_head = true}), ErrorCode::usage);
  EXPECT_EQ(code_of({.older_than = -1}), ErrorCode::usage);
  EXPECT_EQ(code_of({.before = "yesterday"}), ErrorCode::usage);
}

TEST(Forget, DeletesWhatIsOlderAndRefusesItFromThenOn) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  ledger.release(asked({0}, 0.25));
  shared(ledger, 0.5);
  ledger.release(asked_of_shared(3, 0.5));
  make_old(ledger);
  const auto kept = ledger.scores(asked({1}, 0.25));
  ledger->forget({.before = in_a_year()});
  expect_refused([&] { ledger.scores(asked({0}, 0.25)); }, "not answered any more");
  expect_refused([&] { ledger.scores(asked_of_shared(3, 0.5)); }, "forgotten");
  expect_refused([&] { ledger.scores(asked_of_shared(4, 0.5)); }, "forgotten");
  LedgerRequest other_walk = asked_of_shared(5, 0.5);
  other_walk.release.diffusion = Diffusion::heat(3, 20);
  expect_refused([&] { ledger.scores(other_walk); }, "forgotten");
  EXPECT_EQ(ledger.scores(asked({1}, 0.25)), kept);
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger->state().stored, 1U);
  EXPECT_TRUE(ledger.intact());
  ledger->compact();
  EXPECT_EQ(ledger.scores(asked({1}, 0.25)), kept);
  EXPECT_TRUE(ledger.intact());
  const std::string file = read_all(ledger.path());
  EXPECT_EQ(file.find("noisy"), file.npos);  // of the artefact
}

// The answers for another walk are younger than the artefact that they come from.
TEST(Forget, NobodyPaysForWhatIsNotAnsweredAnyMore) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  ledger.release(asked_of_shared(0, 0.5));
  make_old(ledger);
  LedgerRequest other_walk = asked_of_shared(0, 0.5);
  other_walk.release.diffusion = Diffusion::heat(3, 20);
  ledger.release(other_walk);
  ledger->forget({.before = in_a_year()});
  other_walk.seeds = {SeedVector(3)};
  expect_refused([&] { ledger.release(other_walk); }, "forgotten");
  EXPECT_EQ(ledger.spent("4"), 0);
  EXPECT_TRUE(ledger.intact());
}

TEST(NewEpoch, ChargesOldQuestionsAnewWithOtherNoise) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  const auto before = ledger.scores(asked({0}, 0.25, "ann"));
  ledger->forget({.new_epoch = true});
  EXPECT_NE(ledger.scores(asked({0}, 0.25)), before);  // still ann's
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  expect_refused([&] { ledger.release(asked({0}, 0.25, "eve")); }, "belong to 'ann'");
  EXPECT_TRUE(ledger.intact());
}

// Each advised what the other refused.
TEST(NewEpoch, GoesOnAfterKeyAndHeadWereLostTogether) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  const auto before = ledger.scores(asked({0}, 0.25));
  for (const char* end : {".key", ".key.head"}) fs::remove(ledger.path().string() + end);
  Ledger opened(ledger.path());
  std::string message;
  EXPECT_EQ(error_of([&] { LedgerRanker(opened, ledger.graph(), asked({0}, 0.25)); }, &message),
            ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("forget it all with `new_epoch`"));
  EXPECT_EQ(error_of([&] { opened.forget({.new_epoch = true}); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("`accept_head` takes the ledger as it is"));
  EXPECT_FALSE(fs::exists(ledger.path().string() + ".key"));
  opened.forget({.new_epoch = true, .accept_head = true});
  EXPECT_NE(LedgerRanker(opened, ledger.graph(), asked({0}, 0.25)).answer(0).scores, before);
  EXPECT_EQ(opened.state().total.spent, 0.5);
  EXPECT_TRUE(opened.verify().valid);
}

TEST(NewEpoch, AcceptsTheHeadOfAnIntactLedgerOnly) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  ledger.release(asked({0}, 0.25));
  for (const char* end : {".key", ".key.head"}) fs::remove(ledger.path().string() + end);
  ledger->impl().database.execute("UPDATE entry SET at = '2020-01-01T00:00:00Z' WHERE sequence = 2");
  EXPECT_EQ(error_of([&] { Ledger(ledger.path()).forget({.new_epoch = true, .accept_head = true}); }),
            ErrorCode::failed);
  EXPECT_FALSE(fs::exists(ledger.path().string() + ".key"));
  EXPECT_FALSE(fs::exists(ledger.path().string() + ".key.head"));
}

TEST(NewEpoch, LeavesTheHeadOfAnotherLedgerAlone) {
  TestLedger ledger, other({}, ledger.graph());
  const std::string key = other.path().string() + ".key", head = read_all(key + ".head");
  expect_refused([&] { Ledger(ledger.path(), key).forget({.new_epoch = true, .accept_head = true}); },
                 "is not the key");
  fs::remove(key);
  expect_refused([&] { Ledger(ledger.path(), key).forget({.new_epoch = true, .accept_head = true}); },
                 "belongs to another ledger");
  EXPECT_EQ(read_all(key + ".head"), head);
  EXPECT_FALSE(fs::exists(key));
}

// A copy from before what was spent, and the key lost or there: the head says what is missing.
TEST(NewEpoch, OfALedgerThatIsBehindItsHeadChargesWhatThatCounts) {
  for (const bool lost : {false, true}) {
    TestLedger ledger({.epsilon = Epsilon(2)});
    const std::string copy = ledger.path().string() + ".copy", key = ledger.path().string() + ".key";
    ledger->backup(copy);
    ledger.release(asked({0}, 1));
    if (lost) fs::remove(key);
    Ledger opened(copy, key);
    opened.forget({.new_epoch = true, .accept_head = true});
    EXPECT_EQ(opened.state().total.spent, 1);
    EXPECT_TRUE(opened.verify().valid) << opened.verify().reason;
    LedgerRanker(opened, ledger.graph(), asked({1}, 1));
    expect_refused([&] { LedgerRanker(opened, ledger.graph(), asked({2}, 0.5)); }, "does not hold this");
  }
}

TEST(NewEpoch, IsNotBegunUnderAKeyThatWasMisnamed) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.5));
  const std::string misnamed = ledger.path().string() + ".kye";
  std::string message;
  EXPECT_EQ(
      error_of([&] { Ledger(ledger.path(), misnamed).forget({.new_epoch = true, .accept_head = true}); },
               &message),
      ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("if that is the key of the ledger, name it"));
  EXPECT_FALSE(fs::exists(misnamed));
  EXPECT_TRUE(Ledger(ledger.path()).verify().valid);
}

TEST(NewEpoch, GoesOnAfterTheKeyWasLost) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  ledger.release(asked({0}, 0.25));
  fs::remove(ledger.path().string() + ".key");
  Ledger opened(ledger.path());
  EXPECT_EQ(error_of([&] { LedgerRanker(opened, ledger.graph(), asked({0}, 0.25)); }), ErrorCode::failed);
  opened.forget({.new_epoch = true});
  LedgerRanker(opened, ledger.graph(), asked({0}, 0.25));
  EXPECT_EQ(opened.state().total.spent, 0.5);
  EXPECT_TRUE(opened.verify().valid);
}

// A reader keeps the log from being emptied: what was deleted is still in it.
TEST(Forget, SaysThatItIsNotYetGoneWhileSomebodyReads) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  ledger.release(asked({0}, 0.25));
  make_old(ledger);
  {
    const ledger::Database other = ledger::Database::open(ledger.path());
    const ledger::Transaction reader(other, ledger::Transaction::Kind::reading);
    EXPECT_GT(other.integer("SELECT count(*) FROM entry"), 0);
    sqlite3_busy_timeout(ledger->impl().database.handle(), 20);
    std::string message;
    EXPECT_EQ(error_of([&] { ledger->forget({.before = in_a_year()}); }, &message), ErrorCode::failed);
    EXPECT_NE(message.find("not yet gone"), std::string::npos) << message;
  }
  expect_refused([&] { ledger.release(asked({0}, 0.25)); }, "forgotten");
  ledger->compact();
  EXPECT_EQ(fs::file_size(ledger.path().string() + "-wal"), 0U);
}

// The tag of the graph's content would be that of the old epoch, and nothing would fit it ever after.
TEST(NewEpoch, ThatBeginsWhileSomethingIsChargedStopsThatCharge) {
  static std::function<void()> meanwhile;  // what is registered outlives the test
  register_mechanism(
      {.name = "slow-to-plan",
       .proof = "releases noise alone",
       .released =
           [](const PublicFacts&, const ReleaseParameters&) {
             if (const auto once = std::exchange(meanwhile, nullptr)) once();
             return ReleasedNumbers{{{"nothing"}}, {{"any edge", {1}}}};
           },
       .count = [](const Graph& graph, const SeedVector&,
                   const ReleaseParameters&) { return std::vector<Column>{Column(graph.nodes())}; },
       .score = [](const std::vector<std::vector<double>>& columns,
                   const SeedVector&) { return columns[0]; }});
  TestLedger ledger;
  LedgerRequest request = asked_in_edge_scope(0, 0.25);
  request.release.mechanism = std::string("slow-to-plan");
  meanwhile = [&] { Ledger(ledger.path()).forget({.new_epoch = true}); };
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(request); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("a new epoch of the ledger has begun"));
  EXPECT_EQ(ledger.spent(), 0);
  ledger.release(request);
  EXPECT_EQ(ledger.spent(), 0.25);
  EXPECT_TRUE(ledger.intact());
}

}  // namespace
}  // namespace hushwalk
