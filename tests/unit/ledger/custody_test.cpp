// Keys in the place of stored answers: what was released is computed again, and nothing else is shown.
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <sys/stat.h>

#include <map>

#include "base/keyed_hash.h"
#include "base/sha256.h"
#include "hushwalk/threads.h"
#include "hushwalk/verify.h"
#include "ledger/keys.h"
#include "ledger/ledger_impl.h"
#include "mechanism/circles.h"
#include "noise/keyed_noise.h"
#include "plan/artefact_file.h"
#include "support/files.h"
#include "support/hwg.h"
#include "support/ledgers.h"
#include "support/old_charges.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using namespace testing;
namespace fs = std::filesystem;

LedgerRequest asked_by(const char* mechanism, Node seed) {
  LedgerRequest request = asked({seed}, 0.5);
  request.release.mechanism = std::string(mechanism);
  return request;
}

std::vector<double> asked_again(const TestLedger& ledger, const LedgerRequest& request) {
  Ledger again(ledger.path());
  return LedgerRanker(again, ledger.graph(), request).answer(0).scores;
}

TEST(Custody, AReplayIsComputedAgainByAnyNumberOfThreadsAndEverySimdTarget) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  for (const char* mechanism : {"twohop", "frontier", "output", "paper", "pushflow"}) {
    const LedgerRequest request = asked_by(mechanism, 3);
    const auto scores = ledger.scores(request);
    for (const int threads : {1, 2}) {
      const ThreadLimit limit(threads);
      EXPECT_EQ(asked_again(ledger, request), scores) << mechanism;
    }
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      EXPECT_EQ(asked_again(ledger, request), scores) << mechanism;  // else the tag would be refused, too
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  EXPECT_TRUE(ledger.intact());
}

TEST(Custody, AReplayIsTheSameAfterCompact) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  std::map<std::string, std::vector<double>> scores;
  const std::vector<std::string> mechanisms = {"twohop", "frontier", "output", "shared", "circles"};
  for (const std::string& mechanism : mechanisms)
    scores[mechanism] = ledger.scores(asked_by(mechanism.c_str(), 3));
  ledger->compact();
  for (const std::string& mechanism : mechanisms) {
    EXPECT_EQ(ledger.scores(asked_by(mechanism.c_str(), 3)), scores.at(mechanism)) << mechanism;
    EXPECT_EQ(asked_again(ledger, asked_by(mechanism.c_str(), 3)), scores.at(mechanism)) << mechanism;
  }
  EXPECT_EQ(ledger.spent(), 2.5);
  EXPECT_TRUE(ledger.intact());
}

TEST(Custody, WhatDiffersFromTheFirstTimeIsRefused) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  ledger::Database::open(ledger.path()).execute("UPDATE released SET tag = zeroblob(32)");
  expect_refused([&] { ledger.scores(asked({0}, 0.5)); }, "not the one that was released");
  EXPECT_EQ(ledger.spent(), 0.5);
  ledger.release(asked({1}, 0.25));  // and holds nothing else up
}

TEST(Custody, WithoutATagTheSameIsComputed) {
  TestLedger ledger;
  const auto scores = ledger.scores(asked({0}, 0.5));
  ledger::Database::open(ledger.path()).execute("DELETE FROM released");
  EXPECT_EQ(ledger.scores(asked({0}, 0.5)), scores);
}

// Charges what a program whose release arithmetic has another version would have charged, and did not finish,
// by so many units less. The key of its source.
std::string charge_by_arithmetic(int version, TestLedger& ledger, const LedgerRequest& request,
                                 std::int64_t less = 0,
                                 const std::function<void(ledger::Json& plan)>& alter = {}) {
  std::string source;
  TestLedger here({.epsilon = Epsilon(9)}, ledger.graph());
  static_cast<void>(here->charge(here.graph(), request));
  ledger::State& state = ledger->impl().state;
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  std::int64_t plan = 0;
  here->impl().state.each([&](const ledger::Entry& entry) {
    ledger::Json body = entry.body;
    for (const char* made_anew : {"latest", "accounts", "total", "total_left"}) body.erase(made_anew);
    if (entry.kind == ledger::kind_plan) {
      body["arithmetic"] = version;
      if (version == 1) {
        for (ledger::Json& use : body["plan"]["noise"]) use["on"] = "as it was called then";
        for (const char* words : {"theorem", "sensitivity_bound"})
          body["plan"][words] = "as it was called then";
      }
      if (alter) alter(body["plan"]);
      body["digest"] = ledger::digest_of_plan(body["plan"], version);
    }
    if (body.contains("plan") && body["plan"].is_number()) body["plan"] = plan;
    source = body.value("source", source);
    if (body.contains("cost")) body["cost"]["units"] = body["cost"]["units"].get<std::int64_t>() - less;
    if (entry.kind == ledger::kind_plan || entry.kind == ledger::kind_charge)
      state.append(ledger->impl().now(),
                   entry.kind == ledger::kind_plan ? ledger::kind_plan : ledger::kind_charge,
                   std::move(body));
    if (entry.kind == ledger::kind_plan) plan = state.last()->sequence;
  });
  transaction.commit();
  return source;
}

TEST(Custody, AnotherReleaseArithmeticIsRefusedBeforeAnybodyPays) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  for (const char* mechanism : {"twohop", "shared"}) {
    charge_by_arithmetic(2, ledger, asked_by(mechanism, 3));
    const double spent = ledger.spent();
    expect_refused([&] { ledger.release(asked_by(mechanism, 3)); }, "version 2 of release arithmetic");
    EXPECT_EQ(ledger.spent(), spent);
  }
  EXPECT_TRUE(ledger.intact());
  // The artefact is the same for others, who have not paid yet.
  expect_refused([&] { ledger.release(asked_by("shared", 5)); }, "version 2 of release arithmetic");
  LedgerRequest heat = asked_by("shared", 3);
  heat.release.diffusion = Diffusion::heat(5, 10);
  expect_refused([&] { ledger.release(heat); }, "version 2 of release arithmetic");
  EXPECT_EQ(ledger.spent("6"), 0);
  EXPECT_EQ(ledger.spent("4"), 0.5);
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Custody, WhatWasChargedForLessIsRefusedBeforeAnybodyPays) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  charge_by_arithmetic(1, ledger, asked_by("shared", 3), 1);
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked_by("shared", 5)); }, &message), ErrorCode::failed);
  EXPECT_NE(message.find("would have added more noise"), message.npos) << message;
  EXPECT_EQ(ledger.spent("6"), 0);
  EXPECT_TRUE(ledger.intact());
}

// What is drawn anew has a plan of its own, whatever was charged by the other version.
TEST(Custody, AnotherReleaseArithmeticDoesNotHoldUpWhatIsAskedFirst) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  charge_by_arithmetic(2, ledger, asked_by("twohop", 3));
  ledger.release(asked_by("twohop", 5));
  EXPECT_EQ(ledger.spent("6"), 0.5);
  EXPECT_TRUE(ledger.intact());
}

// Before version 0.4 it had 16 clusters for each unit of epsilon.
std::vector<std::byte> circles_of_before(TestLedger& ledger, Epsilon epsilon) {
  const Graph& graph = ledger.graph();
  const CirclesDesign design = accounting::circles_design(
      graph.nodes(), epsilon, accounting::clusters_before_degrees(epsilon.value()), 1);
  KeyedNoise noise(seeded_key(1));
  const CirclesNumbers numbers = release_circles(CirclesNoise(design), graph, noise);
  EXPECT_EQ(numbers.branch, CirclesBranch::rows);
  const Plan plan =
      make_plan(graph.facts(), {.mechanism = "circles", .scope = Scope::edge, .epsilon = epsilon});
  return artefact_bytes(new_artefact_file(plan,
                                          {.artefact = std::string(32, 'a'), .ledger = ledger->impl().id},
                                          circles_values(design, numbers)));
}

TEST(Custody, AnArtefactOfAnotherReleaseArithmeticIsAnsweredFrom) {
  TestLedger ledger({.epsilon = Epsilon(9)}, four_groups());
  LedgerRequest request = asked_by("circles", 3);
  request.release.epsilon = Epsilon(8);
  const std::string source = charge_by_arithmetic(1, ledger, request);
  const auto bytes = circles_of_before(ledger, Epsilon(8));
  store(*ledger, {ledger::artefact_document(source), bytes});
  const SharedArtefact artefact = SharedArtefact::parse(bytes, "it");
  for (const Node seed : {3, 5}) {
    request.seeds = {SeedVector(seed)};
    const LedgerRanker ranker(*ledger, ledger.graph(), request);
    EXPECT_EQ(ranker.answer(0).scores,
              artefact.answer(artefact.plan_for(ledger.graph().facts(), {}), ledger.graph(), request.seeds)
                  .front()
                  .scores);
    const Verification found = verify_certificate(ranker.certificate({}).json);
    EXPECT_TRUE(found.valid) << found.reason;
  }
  EXPECT_EQ(ledger.spent(), 8);
  EXPECT_TRUE(ledger.intact());
}

// Before version 0.4 `circles` without rows released whole degrees.
TEST(Custody, NobodyPaysForAnArtefactWhoseNumbersWereOthers) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  LedgerRequest request = asked_by("circles", 3);
  request.release.epsilon = Epsilon(0.2);
  const std::string source = charge_by_arithmetic(1, ledger, request, 0, [](ledger::Json& plan) {
    plan["lattice"]["bits"] = 0;
    plan["parameters"]["taper"] = nullptr;
  });
  store(*ledger, {ledger::artefact_document(source), std::vector<std::byte>(1)});
  request.seeds = {SeedVector(5)};
  expect_refused([&] { ledger.release(request); }, "this one does not open it");
  EXPECT_EQ(ledger.spent("6"), 0);
  EXPECT_EQ(ledger.spent(), 0.2);
  EXPECT_TRUE(ledger.intact());
}

// The same id, and one edge less.
TEST(Custody, AGraphThatChangedUnderItsIdIsRefused) {
  const TemporaryFolder folder;
  const Graph graph = karate();
  graph.save(folder / "one");
  make_graph(34, {{0, 1}}).save(folder / "two");
  std::string one = read_all(folder / "one"), two = read_all(folder / "two");
  two.replace(40, 16, one.substr(40, 16));
  set_checksums(two);
  write_all(folder / "two", two);
  const Graph changed = Graph::open(folder / "two");
  ASSERT_EQ(changed.facts().graph_id, graph.facts().graph_id);
  TestLedger ledger({}, graph);
  ledger.release(asked({0}, 0.25));
  for (const LedgerRequest& request : {asked({0}, 0.25), asked({1}, 0.25)})
    expect_refused([&] { LedgerRanker(*ledger, changed, request); }, "not what it was");
  EXPECT_EQ(ledger.spent(), 0.25);
}

// --- the head beside the key -------------------------------------------------------------------------------

// A ledger that is closed between uses, so that its file is all there is.
class PutBack : public ::testing::Test {
 protected:
  PutBack() { Ledger::create(path_, graph_.facts(), {}); }
  std::vector<double> scores(const LedgerRequest& request) {
    Ledger ledger(path_);
    return LedgerRanker(ledger, graph_, request).answer(0).scores;
  }
  void keep(const fs::path& path) { kept_[path] = read_all(path); }
  void put_back(const fs::path& path) { write_all(path, kept_.at(path)); }
  void begin(const LedgerTerms& terms) {
    for (const char* end : {"", ".key", ".key.head"}) fs::remove(path_.string() + end);
    Ledger::create(path_, graph_.facts(), terms);
  }
  bool intact() const { return Ledger(path_).verify().valid; }
  LedgerState state() const { return Ledger(path_).state(); }

  TemporaryFolder folder_;
  Graph graph_ = karate();
  fs::path path_ = folder_ / "l", head_ = folder_ / "l.key.head";
  std::map<fs::path, std::string> kept_;
};

TEST_F(PutBack, AnOlderLedgerIsRefusedAndVerifyFindsIt) {
  scores(asked({0}, 0.25));
  keep(path_);
  scores(asked({1}, 0.25));
  put_back(path_);
  expect_refused([&] { scores(asked({2}, 0.25)); }, "older than it was");
  expect_refused([&] { scores(asked({0}, 0.25)); }, "epsilon = 0.5 spent");
  EXPECT_NE(Ledger(path_).verify().reason.find("beside its key"), std::string::npos);
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_EQ(state().total.spent, 0.5);  // what was charged since the copy was made is not forgotten
  EXPECT_EQ(state().unfinished, 0U);
  const std::string head = state().head;
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_EQ(state().head, head);
  scores(asked({2}, 0.25));
  EXPECT_EQ(state().total.spent, 0.75);
  expect_refused([&] { scores(asked({3}, 0.5)); }, "0.25 is left");
  EXPECT_TRUE(intact());
}

// Half of accepting a head: the charge is there, and the head is not noted yet.
TEST_F(PutBack, WhatIsMissingIsChargedOnce) {
  scores(asked({0}, 0.25));
  keep(path_);
  keep(head_);
  for (const Node seed : {1U, 2U}) scores(asked({seed}, 0.125));
  const ledger::NotedHead newest = ledger::HeadFile(head_).read().value();
  put_back(path_);
  for (int i = 0; i < 2; ++i) Ledger(path_).impl().charge_lost(newest);
  EXPECT_EQ(state().total.spent, 0.5);
}

// What both copies had in common is not known.
TEST_F(PutBack, WhereEachWentItsOwnWayAllOfTheOtherIsCharged) {
  scores(asked({0}, 0.125));
  keep(path_);
  keep(head_);
  scores(asked({1}, 0.125));
  const std::string newer = read_all(head_);
  put_back(path_);
  put_back(head_);
  for (const Node seed : {2U, 3U}) scores(asked({seed}, 0.125));
  write_all(head_, newer);
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_EQ(state().total.spent, 0.375 + 0.25);
  EXPECT_TRUE(intact());
}

// A limit that was raised in between is as high as what was spent, and no higher: certificates name it.
TEST_F(PutBack, WhatPassesTheLimitIsChargedAndTheLimitSaysSo) {
  keep(path_);
  Ledger(path_).extend({.epsilon = Epsilon(1), .reason = "more"});
  scores(asked({0}, 1.5));
  put_back(path_);
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_EQ(state().total.spent, 1.5);
  EXPECT_EQ(state().total.limit, 1.5);
  expect_refused([&] { scores(asked({1}, 0.25)); }, "Nothing more fits");
  EXPECT_TRUE(intact());
}

TEST_F(PutBack, ManySmallReleasesAreMissingAsTheRenyiSumSays) {
  begin({.epsilon = Epsilon(3), .delta = Delta(0.01)});
  keep(path_);
  for (Node seed = 0; seed < 34; ++seed) scores(asked({seed}, 0.1));
  const LedgerState newest = state();
  ASSERT_LT(newest.total.spent, 3);  // of a pure sum of 3.4
  put_back(path_);
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_NEAR(state().total.spent, newest.total.spent, 1e-12);
  EXPECT_EQ(state().total.limit, 3);
  EXPECT_TRUE(intact());
}

// Who had what is forgotten, so that each counts as having seen what any of them may have.
TEST_F(PutBack, UnderALimitForEachRecipientWhatIsMissingIsEverybodys) {
  begin({.epsilon = Epsilon(9), .per_recipient = Epsilon(1)});
  scores(asked({0}, 0.25, "ann"));
  {
    Ledger ledger(path_);
    share(ledger, graph_, {{.epsilon = Epsilon(0.5)}, {}, "ann"});
  }
  keep(path_);
  scores(asked_of_shared(1, 0.5, "bob"));  // is charged to bob alone
  scores(asked({1}, 0.125, "bob"));
  put_back(path_);
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_EQ(state().total.spent, 0.875);
  EXPECT_EQ(state().published.spent, 0.75);  // ann's, the greatest
  int lost = 0;
  Ledger(path_).each_entry([&](const LedgerEntry& entry) {
    if (entry.mechanism != "lost") return;
    ++lost;
    EXPECT_EQ(entry.epsilon, 0.125);
    EXPECT_EQ(entry.recipient_epsilon, 0.75);
  });
  EXPECT_EQ(lost, 1);
  expect_refused([&] { scores(asked({2}, 0.375, "cid")); }, "0.25 is left");
  expect_refused([&] { scores(asked({0}, 0.125, "ann")); }, "Nothing more fits");  // beyond it
  scores(asked({2}, 0.25, "cid"));
  EXPECT_TRUE(intact());
}

TEST_F(PutBack, AHeadOfAnOlderProgramTellsWhatIsMissingInAll) {
  begin({.epsilon = Epsilon(9), .delta = Delta(1e-6), .per_recipient = Epsilon(0.5)});
  scores(asked({0}, 0.25, "ann"));
  keep(path_);
  for (const Node seed : {1U, 2U}) scores(asked({seed}, 0.5));
  ledger::NotedHead old = ledger::HeadFile(head_).read().value();
  old.sums.reset();
  ledger::HeadFile::create(head_, old);
  put_back(path_);
  Ledger(path_).verify_and_accept({.head = true});
  EXPECT_EQ(state().total.spent, 1.25);
  EXPECT_EQ(state().published.spent, 1.25);  // each may have seen all of it
  EXPECT_EQ(state().published.limit, 1.25);
  EXPECT_TRUE(intact());
}

// The charges of several periods are missing in one: nothing more fits in it, and the next is a new one.
TEST_F(PutBack, WhatIsMissingMayPassTheLimitOfAPeriodOnce) {
  begin({.epsilon = Epsilon(9), .period = PeriodTerms{Epsilon(0.5), 30, false}});
  const auto at = [&](int days, const auto& use) {
    Ledger ledger(path_);
    ledger.impl().clock = [days] { return std::chrono::system_clock::now() + std::chrono::days(days); };
    use(ledger);
  };
  const auto ask = [&](Node seed) {
    return [this, seed](Ledger& ledger) { LedgerRanker(ledger, graph_, asked({seed}, 0.5)); };
  };
  keep(path_);
  at(1, ask(0));
  at(31, ask(1));
  put_back(path_);
  at(32, [](Ledger& ledger) { ledger.verify_and_accept({.head = true}); });
  expect_refused([&] { at(33, ask(2)); }, "period");
  at(61, ask(2));
  EXPECT_EQ(state().total.spent, 1.5);
  EXPECT_TRUE(intact());
}

TEST_F(PutBack, ALedgerThatWentAnotherWayIsRefused) {
  scores(asked({0}, 0.25));
  keep(path_);
  keep(head_);
  scores(asked({1}, 0.25));
  const std::string newer = read_all(head_);
  put_back(path_);
  put_back(head_);
  for (const Node seed : {2U, 3U}) scores(asked({seed}, 0.25));
  write_all(head_, newer);
  expect_refused([&] { scores(asked({4}, 0.125)); }, "is not the one it was");
}

TEST_F(PutBack, AnOlderHeadIsAccepted) {
  keep(head_);
  scores(asked({0}, 0.25));
  put_back(head_);
  scores(asked({1}, 0.25));
  EXPECT_TRUE(intact());
}

// Nothing can notice it; but the same question has the same noise.
TEST_F(PutBack, BothTogetherGiveTheSameAnswerToTheSameQuestion) {
  keep(path_);
  keep(head_);
  const auto artefact = [&] {
    Ledger ledger(path_);
    return share(ledger, graph_, {{.epsilon = Epsilon(0.25)}, {}, ""}).bytes;
  };
  const auto first = scores(asked({0}, 0.25));
  const auto bytes = artefact();
  put_back(path_);
  put_back(head_);
  EXPECT_EQ(scores(asked({0}, 0.25)), first);
  EXPECT_EQ(artefact(), bytes);
}

TEST_F(PutBack, WithoutTheHeadNothingIsChargedUntilItIsAccepted) {
  fs::remove(head_);
  EXPECT_EQ(error_of([&] { scores(asked({0}, 0.25)); }), ErrorCode::failed);
  Ledger(path_).verify_and_accept({.head = true});
  scores(asked({0}, 0.25));
}

// Two copies that each charged one more: the second to note it is refused.
TEST_F(PutBack, AHeadOfTheSameNumberAndAnotherHashIsRefused) {
  scores(asked({0}, 0.25));
  ledger::HeadFile head(head_);
  ledger::NotedHead last = head.read().value();
  const std::string before = read_all(head_);
  head.advance(last);
  last.hash.front() = last.hash.front() == '0' ? '1' : '0';
  expect_refused([&] { head.advance(last); }, "two copies of the ledger were used");
  last = head.read().value();
  last.ledger_id.front() = last.ledger_id.front() == '0' ? '1' : '0';
  ++last.sequence;
  expect_refused([&] { head.advance(last); }, "belongs to another ledger");
  EXPECT_EQ(read_all(head_), before);
}

TEST_F(PutBack, HalfAWrittenHeadIsNoticedAndTheOlderHalfIsUsed) {
  scores(asked({0}, 0.25));
  const std::string whole = read_all(head_);
  for (const std::size_t place : {0U, 512U}) {
    std::string torn = whole;
    torn.replace(place, 40, std::string(40, 'x'));
    write_all(head_, torn);
    EXPECT_TRUE(ledger::HeadFile(head_).read());
  }
  write_all(head_, std::string(1024, 'x'));
  EXPECT_EQ(error_of([&] { static_cast<void>(ledger::HeadFile(head_).read()); }), ErrorCode::failed);
}

// --- the key -----------------------------------------------------------------------------------------------

// While it is written it has a name of its own, which may be somebody else's.
TEST(LedgerKey, ANewOneReplacesNoLedgerAndFollowsNoLink) {
  const TestLedger ledger;
  const TemporaryFolder folder;
  const auto key = folder / "new.key", unfinished = folder / "new.key.unfinished";
  std::filesystem::copy_file(ledger.path(), unfinished);
  const std::string before = read_all(unfinished);
  EXPECT_EQ(error_of([&] { ledger::save_new_key(key, "id"); }), ErrorCode::usage);
  EXPECT_EQ(read_all(unfinished), before);
  std::filesystem::rename(unfinished, folder / "L");
  std::filesystem::create_symlink("L", unfinished);
  EXPECT_EQ(error_of([&] { ledger::save_new_key(key, "id"); }), ErrorCode::usage);
  EXPECT_EQ(read_all(folder / "L"), before);
  std::filesystem::remove(unfinished);
  write_all(unfinished, "somebody's notes");
  EXPECT_EQ(error_of([&] { ledger::save_new_key(key, "id"); }), ErrorCode::usage);
  EXPECT_EQ(read_all(unfinished), "somebody's notes");
  write_all(unfinished, "hushwalk led");  // of a process that was killed
  ledger::save_new_key(key, "id");
  EXPECT_FALSE(std::filesystem::exists(unfinished));
  EXPECT_NO_THROW(ledger::MasterKey{key});
}

TEST(LedgerKey, IsNeededAndMustBeTheRightOneAndPrivate) {
  TestLedger ledger;
  const fs::path key = ledger.path().string() + ".key", head = key.string() + ".head";
  const std::string own = read_all(key);
  TestLedger other;
  fs::remove(key);
  EXPECT_EQ(error_of([&] { asked_again(ledger, asked({0}, 0.25)); }), ErrorCode::failed);
  fs::copy(other.path().string() + ".key", key);
  fs::permissions(key, fs::perms::owner_read | fs::perms::owner_write);
  expect_refused([&] { asked_again(ledger, asked({0}, 0.25)); }, "is not the key of the ledger");
  write_all(key, own);
  fs::permissions(key, fs::perms::owner_read | fs::perms::group_read);
  EXPECT_EQ(error_of([&] { asked_again(ledger, asked({0}, 0.25)); }), ErrorCode::failed);
  fs::permissions(key, fs::perms::owner_read | fs::perms::owner_write);
  asked_again(ledger, asked({0}, 0.25));
  EXPECT_TRUE(fs::exists(head));
}

TEST(LedgerKey, MayBeElsewhere) {
  const TemporaryFolder folder;
  const Graph graph = karate();
  Ledger::create(folder / "l", graph.facts(), {}, folder / "elsewhere");
  EXPECT_FALSE(fs::exists(folder / "l.key"));
  Ledger ledger(folder / "l", folder / "elsewhere");
  LedgerRanker(ledger, graph, asked({0}, 0.25));
  EXPECT_EQ(error_of([&] { LedgerRanker(*std::make_unique<Ledger>(folder / "l"), graph, asked({0}, 0.25)); }),
            ErrorCode::failed);
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "m", graph.facts(), {}, folder / "elsewhere"); }),
            ErrorCode::failed);
}

TEST(LedgerKey, OfALostLedgerIsNotUsedForANewOne) {
  TestLedger ledger;
  ledger.release(asked({0}, 0.5));
  for (const char* end : {"", "-wal", "-shm"}) fs::remove(ledger.path().string() + end);
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger::create(ledger.path(), ledger.graph().facts(), {}); }, &message),
            ErrorCode::failed);
  EXPECT_NE(message.find("spent epsilon = 0.5"), std::string::npos) << message;
}

TEST(LedgerKey, WhatAnInterruptedCallLeftIsReplaced) {
  const TemporaryFolder folder;
  write_all(folder / "l.key", "");
  write_all(folder / "l.key.head", "somebody's");
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }), ErrorCode::usage);
  write_all(folder / "l.key.head", "hushwalk-head 0123");
  Ledger::create(folder / "l", karate().facts(), {});
  fs::remove(folder / "l");
  Ledger::create(folder / "l", karate().facts(), {});
  fs::remove(folder / "l");
  fs::remove(folder / "l.key.head");
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }), ErrorCode::failed);
}

// --- how much is kept --------------------------------------------------------------------------------------

std::uint64_t pages(const TestLedger& ledger) {
  const ledger::Database raw = ledger::Database::open(ledger.path());
  return static_cast<std::uint64_t>(raw.integer("PRAGMA page_count") * raw.integer("PRAGMA page_size"));
}

std::vector<Node> nodes_up_to(Node count) {
  std::vector<Node> nodes(count);
  for (Node i = 0; i < count; ++i) nodes[i] = i;
  return nodes;
}

TEST(Kept, AtMostAKilobyteForAnAnswer) {
  constexpr Node count = 2000;
  TestLedger ledger({.epsilon = Epsilon(1e6), .delta = Delta(1e-6), .per_recipient = Epsilon(10)},
                    make_graph(count, {{0, 1}, {1, 2}}));
  ledger.release(asked({0}, 0.25));
  const std::uint64_t before = pages(ledger);
  ledger.release(asked(nodes_up_to(count), 0.5));
  EXPECT_LT(pages(ledger) - before, std::uint64_t{1024} * count);
}

// With everything that an entry can say.
TEST(Kept, AtMostAKilobyteForAnAnswerUnderEveryLimitAndWithSnapshots) {
  constexpr Node count = 2000;
  TestLedger ledger({.epsilon = Epsilon(1e6),
                     .delta = Delta(1e-6),
                     .per_recipient = Epsilon(10),
                     .period = PeriodTerms{Epsilon(1e6)}},
                    make_graph(count, {{0, 1}, {1, 2}}));
  ledger->add_snapshot(make_graph(count, {{0, 1}}).facts());
  ledger.release(asked({0}, 0.25));
  const std::uint64_t before = pages(ledger);
  ledger.release(asked(nodes_up_to(count), 0.5));
  EXPECT_LT(pages(ledger) - before, std::uint64_t{1024} * count);
  EXPECT_TRUE(ledger.intact());
}

TEST(Kept, AtMostAHundredBytesForAnAnswerFromAnArtefact) {
  constexpr Node count = 4000;
  TestLedger ledger({.epsilon = Epsilon(1e6), .delta = Delta(1e-6), .per_recipient = Epsilon(10)},
                    make_graph(count, {{0, 1}, {1, 2}}));
  LedgerRequest all = asked(nodes_up_to(count), 0.5);
  all.release.mechanism = std::string("shared");
  shared(ledger, 0.5, "ann");
  const std::uint64_t before = pages(ledger);
  static_cast<void>(ledger->charge(ledger.graph(), all));
  EXPECT_LT(pages(ledger) - before, std::uint64_t{100} * count);
  const std::string head = ledger->state().head;
  static_cast<void>(ledger->charge(ledger.graph(), all));
  EXPECT_EQ(ledger->state().head, head);
  EXPECT_EQ(ledger->state().recipient_count, count + 1U);
  EXPECT_EQ(ledger->state(3).recipients.size(), 3U);
  EXPECT_TRUE(ledger.intact());
}

// Everybody has paid, and still each seed has an owner from then on.
TEST(Kept, AtMostAHundredBytesForAnAnswerFromAPublishedArtefact) {
  constexpr Node count = 4000;
  TestLedger ledger({.epsilon = Epsilon(1e6), .delta = Delta(1e-6), .per_recipient = Epsilon(10)},
                    make_graph(count, {{0, 1}, {1, 2}}));
  LedgerRequest all = asked(nodes_up_to(count), 0.5);
  all.release.mechanism = std::string("shared");
  share(*ledger, ledger.graph(), published({{.epsilon = Epsilon(0.5)}, {}, ""}));
  static_cast<void>(ledger->charge(ledger.graph(), asked_of_shared(0, 0.5, "ann")));
  const LedgerState before = ledger->state();
  const std::uint64_t size = pages(ledger);
  static_cast<void>(ledger->charge(ledger.graph(), all));
  EXPECT_LT(pages(ledger) - size, std::uint64_t{100} * count);
  const LedgerState after = ledger->state();
  static_cast<void>(ledger->charge(ledger.graph(), all));
  EXPECT_EQ(ledger->state().head, after.head);
  EXPECT_EQ(after.total.spent, before.total.spent);
  EXPECT_EQ(after.total.releases, before.total.releases);
  EXPECT_EQ(after.unfinished, before.unfinished);
  for (const LedgerAccount& account : ledger->state(count).recipients) EXPECT_EQ(account.spent, 0.5);
  for (const Node seed : {Node{0}, Node{1}, count - 1})
    expect_refused([&] { ledger->charge(ledger.graph(), asked_of_shared(seed, 0.5, "eve")); }, "belong to");
  EXPECT_TRUE(ledger.intact());
}

TEST(Kept, WhoPaysNothingForWhatWasNotPublishedIsNoticed) {
  TestLedger ledger;
  shared(ledger, 0.5, "ann");
  std::string source;
  ledger->each_entry(
      [&](const LedgerEntry& entry) { source = entry.source.empty() ? source : entry.source; });
  {
    ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
    ledger->impl().state.append_members(ledger->impl().now(), source, {{"1", {}}}, false);
    transaction.commit();
  }
  EXPECT_NE(ledger->verify().reason.find("not published"), std::string::npos) << ledger->verify().reason;
}

// --- a thief -----------------------------------------------------------------------------------------------

// Whoever has the ledger and an answer, and not the key, has nothing that the noise can be drawn from, and
// nothing to test a guess of the graph or of the numbers by.
TEST(Thief, OfTheLedgerFindsNoScoreNoDigestAndNoKey) {
  TestLedger ledger;
  const auto scores = ledger.scores(asked({0}, 0.5));
  ledger::Database::open(ledger.path()).execute("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string file = read_all(ledger.path()), key = read_all(ledger.path().string() + ".key");
  const Sha256 content = ledger.graph().secret_digest();
  EXPECT_EQ(file.find(std::string(reinterpret_cast<const char*>(content.data()), content.size())), file.npos);
  EXPECT_EQ(file.find(sha256_hex(std::as_bytes(std::span(content)))), file.npos);
  EXPECT_EQ(file.find(key.substr(key.find("\nkey ") + 5, 64)), file.npos);
  for (const double score : scores)
    EXPECT_TRUE(score == 0 ||
                file.find(std::string(reinterpret_cast<const char*>(&score), 8)) == std::string::npos);
  // The same ledger under another key gives another answer: the salt alone is not enough.
  const ledger::KeyTerms terms = ledger->impl().state.key_terms();
  const auto other = ledger::MasterKey::fresh();
  EXPECT_NE(other.commitment(terms.salt), terms.commitment);
}

// Artefacts keep their bytes until they are forgotten; they were released, and nothing undoes their noise.
TEST(Thief, OfTheLedgerHasItsArtefactsUntilTheyAreForgotten) {
  TestLedger ledger;
  const std::vector<std::byte> artefact = shared(ledger, 0.5).bytes;
  const auto stolen = [&] {
    ledger::Database::open(ledger.path()).execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return read_all(ledger.path());
  };
  const std::string part(reinterpret_cast<const char*>(artefact.data()) + artefact.size() - 200, 200);
  const std::string key = read_all(ledger.path().string() + ".key");
  const Sha256 content = ledger.graph().secret_digest();
  const auto has_secrets = [&](const std::string& file) {
    return file.find(key.substr(key.find("\nkey ") + 5, 64)) != file.npos ||
           file.find(std::string(reinterpret_cast<const char*>(content.data()), content.size())) !=
               file.npos ||
           file.find(to_hex(content)) != file.npos;
  };
  const std::string before = stolen();
  EXPECT_NE(before.find(part), before.npos);
  EXPECT_FALSE(has_secrets(before));
  ledger->forget({.before = "2999-01-01T00:00:00Z"});
  const std::string after = stolen();
  EXPECT_EQ(after.find(part), after.npos);
  EXPECT_FALSE(has_secrets(after));
}

// A guess is all that they have: of the graph, and of what the program would do with a key of their own.
TEST(Thief, OfLedgerAnswersAndGraphComputesNothingWithoutTheKey) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  const LedgerRequest request = asked({0}, 0.5);
  const auto scores = ledger.scores(request);
  const std::string key = ledger.path().string() + ".key";
  const std::string true_key = read_all(key);
  fs::remove(key);
  const auto ask = [&] {
    Ledger stolen(ledger.path());
    LedgerRanker(stolen, ledger.graph(), request);
  };
  EXPECT_EQ(error_of(ask), ErrorCode::failed);
  TestLedger theirs({.epsilon = Epsilon(9)}, ledger.graph());
  fs::copy_file(theirs.path().string() + ".key", key);
  expect_refused(ask, "is not the key");
  EXPECT_NE(theirs.scores(request), scores);  // the same question, graph and plan under another key
  // Nor does a key that was made up for this very ledger open it: it is known by its commitment.
  const std::size_t digits = true_key.find("\nkey ") + 5;
  for (std::size_t i = 0; i < 64; i += 9) {
    std::string other = true_key;
    other[digits + i] = other[digits + i] == '0' ? '1' : '0';
    write_all(key, other);
    expect_refused(ask, "is not the key");
  }
  write_all(key, true_key);
  EXPECT_EQ(asked_again(ledger, request), scores);
}

// Before anything is computed: the next use may never come.
TEST(Custody, TheHeadIsNotedWhenAChargeReturns) {
  TestLedger ledger;
  const auto noted = [&] { return static_cast<std::uint64_t>(ledger->impl().head.read()->sequence); };
  const LedgerCharge charge = ledger->charge(ledger.graph(), asked({0}, 0.25));
  EXPECT_EQ(noted(), ledger->state().entries);
  ledger->extend({.epsilon = Epsilon(1), .reason = "more"});
  EXPECT_EQ(noted(), ledger->state().entries);
}

}  // namespace
}  // namespace hushwalk
