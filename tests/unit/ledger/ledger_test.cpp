// What a ledger lets through, and what it charges for it.
#include "hushwalk/ledger.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <algorithm>

#include "ledger/charge.h"
#include "ledger/database.h"
#include "plan/certificate.h"
#include "support/files.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

template <class Action>
void expect_refused(Action action, const std::string& part) {
  std::string message;
  EXPECT_EQ(error_of(action, &message), ErrorCode::refused);
  EXPECT_THAT(message, HasSubstr(part));
}

// --- making and opening ----------------------------------------------------------------------------------

TEST(LedgerFile, IsForItsOwnerOnlyAndLeavesNothingBeside) {
  const TemporaryFolder folder;
  Ledger::create(folder / "l", karate().facts(), {});
  struct stat status{};
  ASSERT_EQ(stat((folder / "l").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(LedgerFile, IsNeverReplaced) {
  const TemporaryFolder folder;
  write_all(folder / "l", "something");
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }), ErrorCode::failed);
  EXPECT_EQ(read_all(folder / "l"), "something");
}

TEST(LedgerFile, IsNotMadeBesideWhatIsLeftOfAnother) {
  const TemporaryFolder folder;
  for (const char* end : {"-wal", "-shm", "-journal"}) {
    write_all(folder / (std::string("l") + end), "charges");
    std::string message;
    EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }, &message),
              ErrorCode::failed);
    EXPECT_THAT(message, HasSubstr(std::string("l") + end));
    EXPECT_FALSE(std::filesystem::exists(folder / "l"));
    std::filesystem::remove(folder / (std::string("l") + end));
  }
}

TEST(LedgerFile, MayHoldChargesUnlessItIsSharedMemory) {
  const TemporaryFolder folder;
  for (const std::string end : {"-wal", "-shm", "-journal"}) {
    write_all(folder / ("l" + end), "left");
    std::string message;
    error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }, &message);
    EXPECT_EQ(message.find("last charges") == std::string::npos, end == "-shm") << message;
    std::filesystem::remove(folder / ("l" + end));
  }
}

// SQLite would take it for its own, and delete it.
TEST(LedgerFile, IsNotMadeUnderANameThatBelongsToAnother) {
  const TestLedger ledger;
  for (const char* end : {"-wal", "-shm", "-journal"}) {
    const std::filesystem::path name = ledger.path().parent_path() / ("other" + std::string(end));
    std::filesystem::copy_file(ledger.path(), ledger.path().parent_path() / "other",
                               std::filesystem::copy_options::overwrite_existing);
    std::string message;
    EXPECT_EQ(error_of([&] { Ledger::create(name, ledger.graph().facts(), {}); }, &message),
              ErrorCode::usage);
    EXPECT_THAT(message, HasSubstr("belongs to a ledger"));
    EXPECT_FALSE(std::filesystem::exists(name));
  }
}

TEST(LedgerFile, ThatIsMissingIsLookedForFirst) {
  const TemporaryFolder folder;
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger ledger(folder / "l"); }, &message), ErrorCode::failed);
  EXPECT_LT(message.find("Check the path, and that its disk is mounted"), message.find("ledger init"));
  EXPECT_THAT(message, HasSubstr("count from zero"));
}

TEST(LedgerFile, MayNotBeALinkNorMissingNorSomethingElse) {
  const TemporaryFolder folder;
  Ledger::create(folder / "l", karate().facts(), {});
  std::filesystem::create_symlink(folder / "l", folder / "link");
  write_all(folder / "text",
            "not a ledger at all, but long enough to have a first page" + std::string(200, ' '));
  write_all(folder / "empty", "");
  std::string message;
  for (const char* name : {"link", "text", "empty", "missing", ""}) {
    EXPECT_EQ(error_of([&] { Ledger ledger(folder / name); }, &message), ErrorCode::failed) << name;
    EXPECT_FALSE(message.empty());
  }
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "link", karate().facts(), {}); }), ErrorCode::failed);
}

TEST(LedgerFile, OfANewerVersionIsNotTouched) {
  TestLedger ledger;
  ledger::Database::open(ledger.path()).execute("PRAGMA user_version = 99");
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger again(ledger.path()); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("version 99"));
}

TEST(LedgerFile, NeedsABudgetOfAtLeastOneUnit) {
  const TemporaryFolder folder;
  expect_refused([&] { Ledger::create(folder / "l", karate().facts(), {.epsilon = Epsilon(1e-10)}); },
                 "smallest unit");
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", public_facts(34), {}); }), ErrorCode::usage);
}

// --- the total -------------------------------------------------------------------------------------------

TEST(Total, TenTenthsFillOneAndTheEleventhIsRefused) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  std::vector<std::vector<double>> first;
  for (Node seed = 0; seed < 10; ++seed) first.push_back(ledger.scores(asked({seed}, 0.1)));
  EXPECT_EQ(ledger.spent(), 1);
  expect_refused([&] { ledger.release(asked({10}, 0.1)); }, "0 is left");
  expect_refused([&] { ledger.release(asked({10}, 0.001)); }, "Nothing more fits");
  for (Node seed = 0; seed < 10; ++seed) EXPECT_EQ(ledger.scores(asked({seed}, 0.1)), first[seed]);
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Total, ARefusalSaysWhatItWouldCostWhatIsLeftAndWhatWouldFit) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.7));
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked({1, 2}, 0.2)); }, &message), ErrorCode::refused);
  EXPECT_THAT(message, HasSubstr("would cost 0.4 for 2 new releases"));
  EXPECT_THAT(message, HasSubstr("0.3 is left"));
  EXPECT_THAT(message, HasSubstr("`epsilon 0.15` for each would fit"));
  ledger.release(asked({1, 2}, 0.15));
}

TEST(Total, AReleaseOfLessThanAUnitIsRefused) {
  TestLedger ledger;
  expect_refused([&] { ledger.release(asked({0}, 9e-10)); }, "smallest unit");
  EXPECT_EQ(ledger.spent(), 0);
}

TEST(Total, SeveralSeedsAreAllChargedOrNone) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.25));
  expect_refused([&] { ledger.release(asked({0, 1, 2, 3, 4}, 0.25)); }, "for 4 new releases");
  EXPECT_EQ(ledger->state().total.releases, 1);
  ledger.release(asked({0, 1, 2, 3}, 0.25));  // the first of them is free
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Total, EverySeedOfABatchIsTheSameAloneAndInAnotherBatch) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto batch = asked({3, 1}, 0.25);
  const auto three = ledger.scores(batch, 0), one = ledger.scores(batch, 1);
  EXPECT_NE(three, one);
  EXPECT_EQ(ledger.scores(asked({1}, 0.25)), one);
  EXPECT_EQ(ledger.scores(asked({1, 2, 3}, 0.25), 2), three);
  EXPECT_EQ(ledger.scores(asked({3, 3}, 0.25), 1), three);
  EXPECT_EQ(ledger.spent(), 0.75);
}

TEST(Total, AutoWithAnotherNumberOfRankingsFindsTheSameAnswer) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  auto one = asked({0}, 0.25), two = asked({0, 1}, 0.25);
  one.release.mechanism = two.release.mechanism = "auto";
  const auto scores = ledger.scores(one);
  EXPECT_EQ(ledger.scores(asked({0}, 0.25)), scores);  // what it resolved to
  EXPECT_EQ(ledger.scores(two), scores);
  EXPECT_EQ(ledger.spent(), 0.5);
}

TEST(Total, AQuoteChargesNothingAndSaysWhatWouldBeCharged) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.25));
  const std::string head = ledger->state().head;
  const LedgerQuote fits = ledger->quote(ledger.graph(), asked({0, 1}, 0.25));
  EXPECT_EQ(fits.rankings, 2U);
  EXPECT_EQ(fits.for_custodian.new_releases, 1U);
  EXPECT_EQ(fits.for_custodian.epsilon, 0.25);
  EXPECT_EQ(fits.for_custodian.spent_before, 0.25);
  EXPECT_EQ(fits.for_custodian.total.spent, 0.5);
  EXPECT_EQ(fits.refusal, "");
  const LedgerQuote refused = ledger->quote(ledger.graph(), asked({1}, 0.8));
  EXPECT_THAT(refused.refusal, HasSubstr("would cost 0.8"));
  EXPECT_THAT(refused.refusal, Not(HasSubstr("0.25")));  // what others spent is the custodian's
  EXPECT_THAT(refused.for_custodian.refusal, HasSubstr("0.25 is spent"));
  EXPECT_EQ(ledger->quote(ledger.graph(), asked({0}, 0.25)).for_custodian.new_releases, 0U);
  EXPECT_EQ(ledger->state().head, head);
}

TEST(Total, OfAnotherGraphIsNotTouched) {
  TestLedger ledger;
  const Graph other = path4();
  expect_refused([&] { LedgerRanker(*ledger, other, asked({0}, 0.1)); }, "not of this graph");
  EXPECT_EQ(ledger.spent(), 0);
}

TEST(Total, CarriesOverToANewSnapshot) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.75, "ann"));
  const Graph later = karate();
  ledger->add_snapshot(later.facts());
  EXPECT_EQ(error_of([&] { ledger->add_snapshot(later.facts()); }), ErrorCode::usage);
  expect_refused([&] { LedgerRanker(*ledger, later, asked({0}, 0.75, "ann")); }, "0.25 is left");
  expect_refused([&] { LedgerRanker(*ledger, later, asked({0}, 0.25, "bob")); }, "belong to 'ann'");
  const LedgerRanker ranker(*ledger, later, asked({0}, 0.25, "ann"));
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger->state().graph_ids.size(), 2U);
  ledger.scores(asked({0}, 0.75, "ann"));  // the old snapshot still has its answers
  EXPECT_TRUE(ledger.intact());
}

// --- delta -----------------------------------------------------------------------------------------------

TEST(WithDelta, ManySmallReleasesCostLessThanTheirSum) {
  TestLedger ledger({.epsilon = Epsilon(0.5), .delta = Delta(1e-6)});
  for (int i = 0; i < 8; ++i) {
    std::vector<Node> seeds;
    for (Node seed = 0; seed < 34; ++seed) seeds.push_back(seed);
    ledger.release(asked(seeds, 0.002 + i * 1e-6));
  }
  EXPECT_LT(ledger.spent(), 0.5);
  const LedgerState state = ledger->state();
  EXPECT_EQ(state.total.releases, 8 * 34U);
  EXPECT_GT(*state.order, 1);
  double sum = 0;
  ledger->each_entry([&](const LedgerEntry& entry) { sum += entry.epsilon.value_or(0); });
  EXPECT_GT(sum, 0.54);
  EXPECT_TRUE(ledger.intact());
}

TEST(WithDelta, WhatARefusalSaysWouldFitFits) {
  TestLedger ledger({.epsilon = Epsilon(0.5), .delta = Delta(1e-6)});
  ledger.release(asked({0}, 0.4));
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(asked({1, 2, 3}, 0.5)); }, &message), ErrorCode::refused);
  const std::size_t at = message.find("`epsilon ");
  ASSERT_NE(at, std::string::npos) << message;
  ledger.release(asked({1, 2, 3}, std::stod(message.substr(at + 9))));
  EXPECT_LE(ledger.spent(), 0.5);
}

LedgerRequest asked_of_paper(const std::vector<Node>& seeds) {
  LedgerRequest request = asked(seeds, 0.1);
  request.release.mechanism = std::string("paper");
  request.release.delta = Delta(0.01);
  return request;
}

TEST(WithDelta, PaperWithItsOwnDeltaIsChargedItsPureEpsilonOrItsCurve) {
  const double pure = make_plan(karate().facts(), asked_of_paper({0}).release).guarantee.pure_epsilon;
  ASSERT_GT(pure, 0.2);
  TestLedger without({.epsilon = Epsilon(100)}), with({.epsilon = Epsilon(10), .delta = Delta(0.01)});
  without.release(asked_of_paper({0}));
  EXPECT_NEAR(without.spent(), pure, 2e-9);
  EXPECT_GE(without.spent(), pure);
  with.release(asked_of_paper({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}));
  EXPECT_LT(with.spent(), 20 * pure);
  std::vector<double> curve;
  with->each_entry([&](const LedgerEntry& entry) {
    if (entry.epsilon) curve = entry.rdp;
  });
  ASSERT_EQ(curve.size(), PrivacyCost::orders().size());
  EXPECT_NEAR(curve.back(), pure, 1e-9);
  EXPECT_LT(curve.front(), curve.back());
  EXPECT_TRUE(with.intact() && without.intact());
}

// --- owners and recipients -------------------------------------------------------------------------------

TEST(Owner, OfASeedIsItsIdUnlessAnotherNameComesFirst) {
  TestLedger ledger({.epsilon = Epsilon(10)});
  const auto scores = ledger.scores(asked({0}, 0.5));
  EXPECT_EQ(ledger.scores(asked({0}, 0.5, "1")), scores);
  expect_refused([&] { ledger.release(asked({0}, 0.5, "eve")); }, "belong to '1', not to 'eve'");
  expect_refused([&] { ledger.release(asked({0}, 0.25, "eve")); }, "belong to '1'");
  ledger.release(asked({1}, 0.5, "ann"));
  ledger.release(asked({1}, 0.5));  // its owner's
  expect_refused([&] { ledger.release(asked({1}, 0.5, "2")); }, "belong to 'ann'");
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  EXPECT_EQ(ledger.spent("1"), 0.5);
  EXPECT_EQ(ledger.spent(), 1);
}

TEST(Owner, IsNotRecordedByARefusedRequest) {
  TestLedger ledger({.epsilon = Epsilon(0.1)});
  expect_refused([&] { ledger.release(asked({0}, 0.5, "eve")); }, "would cost");
  ledger.release(asked({0}, 0.1, "ann"));
}

TEST(Owner, OfASeedSetMustBeNamedAndOwnAllSeeds) {
  TestLedger ledger({.epsilon = Epsilon(10)});
  LedgerRequest set = asked({}, 0.5);
  set.seeds.push_back(SeedVector::weighted({{0, 1}, {1, 1}}));
  EXPECT_EQ(error_of([&] { ledger.release(set); }), ErrorCode::usage);
  ledger.release(asked({1}, 0.5));
  set.recipient = "ann";
  expect_refused([&] { ledger.release(set); }, "seed '2' belong to '2'");
  set.recipient = "2";
  const auto scores = ledger.scores(set);
  EXPECT_EQ(ledger.scores(set), scores);
  expect_refused([&] { ledger.release(asked({0}, 0.5, "ann")); }, "belong to '2'");
}

TEST(Owner, IsNobodyInEdgeScope) {
  TestLedger ledger({.epsilon = Epsilon(10)});
  const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5));
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "eve")), scores);
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "ann")), scores);
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("eve"), 0.5);
}

TEST(Recipient, ASecondOneInEdgeScopePaysOnTheirOwnBudgetOnly) {
  TestLedger ledger({.epsilon = Epsilon(0.5), .per_recipient = Epsilon(0.5)});
  EXPECT_EQ(error_of([&] { ledger.release(asked_in_edge_scope(0, 0.5)); }), ErrorCode::usage);
  const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5, "ann"));
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "bob")), scores);
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("bob"), 0.5);
  ledger.release(asked_in_edge_scope(0, 0.5, "bob"));
  EXPECT_EQ(ledger.spent("bob"), 0.5);
}

TEST(Recipient, HasABudgetOfTheirOwn) {
  TestLedger ledger({.epsilon = Epsilon(10), .per_recipient = Epsilon(0.5)});
  ledger.release(asked({0, 1}, 0.25, "ann"));
  expect_refused([&] { ledger.release(asked({2}, 0.1, "ann")); }, "the budget of 'ann' is epsilon = 0.5");
  ledger.release(asked({2}, 0.5, "bob"));
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  EXPECT_TRUE(ledger.intact());
}

TEST(Recipient, HasAPrintableName) {
  TestLedger ledger;
  for (const std::string& name : {std::string("\t"), std::string("a\nb"), std::string("\xff"),
                                  std::string(300, 'a'), std::string("ann "), std::string(" ann")})
    EXPECT_EQ(error_of([&] { ledger.release(asked({0}, 0.1, name)); }), ErrorCode::usage);
}

TEST(Recipient, IsNoSeedWithABlankAtAnEnd) {
  TestLedger ledger({}, Graph::from_edges(NodeList::names({everybody, "a", "b"}), {{0, 1}, {1, 2}}));
  expect_refused([&] { ledger.release(asked({0}, 0.25)); }, "blank at an end");
  EXPECT_EQ(ledger->state().published.spent, 0);
  ledger.release(asked({0}, 0.25, "ann"));
  EXPECT_EQ(ledger.spent("ann"), 0.25);
}

// --- shared artefacts ------------------------------------------------------------------------------------

LedgerArtefact shared(TestLedger& ledger, double epsilon, const std::string& recipient = {}) {
  return share(*ledger, ledger.graph(), {{.epsilon = Epsilon(epsilon)}, {}, recipient});
}

TEST(Shared, IsChargedOnceAndItsBytesStayTheSame) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const LedgerArtefact first = shared(ledger, 0.75), second = shared(ledger, 0.75);
  EXPECT_EQ(first.bytes, second.bytes);
  EXPECT_EQ(first.charged.for_custodian.epsilon, 0.75);
  EXPECT_EQ(second.charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger.spent(), 0.75);
  expect_refused([&] { shared(ledger, 0.5); }, "0.25 is left");
  EXPECT_EQ(ledger->state().unfinished, 0U);
}

TEST(Shared, ServesEveryoneAndEachPaysOnceOnTheirOwnBudget) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(1)});
  for (const Node seed : {0U, 1U, 2U}) ledger.release(asked_of_shared(seed, 0.75));
  ledger.release(asked_of_shared(3, 0.75, "1"));  // a second seed of the same recipient
  EXPECT_EQ(ledger.spent(), 0.75);
  EXPECT_EQ(ledger.spent("1"), 0.75);
  EXPECT_EQ(ledger.spent("3"), 0.75);
  expect_refused([&] { ledger.release(asked({0}, 0.5)); }, "0.25 is left");
  ledger.release(asked({0}, 0.25));
  EXPECT_EQ(ledger.spent("1"), 1);
  EXPECT_TRUE(ledger.intact());
}

TEST(Shared, WhoPaidForTheArtefactDoesNotGetThePersonalAnswersOfOthers) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked_of_shared(0, 0.75, "ann"));
  ledger.release(asked_of_shared(1, 0.75, "eve"));
  expect_refused([&] { ledger.release(asked_of_shared(0, 0.75, "eve")); }, "belong to 'ann'");
}

TEST(Shared, AnswersAreThoseOfTheArtefact) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto scores = ledger.scores(asked_of_shared(4, 1));  // makes the artefact too
  const SharedArtefact artefact = SharedArtefact::parse(shared(ledger, 1).bytes, "artefact");
  const Plan plan = artefact.plan_for(ledger.graph().facts(), asked_of_shared(4, 1).release);
  const SeedVector seed(4);
  EXPECT_EQ(artefact.answer(plan, ledger.graph(), std::span(&seed, 1)).front().scores, scores);
  EXPECT_EQ(ledger.spent(), 1);
}

// Both were accepted for the ledger, and only one of them was paid for.
TEST(Compute, OnlyTheGraphThatWasChargedForIsRead) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const Graph later = karate();
  ledger->add_snapshot(later.facts());
  const LedgerCharge ranking = ledger->charge(ledger.graph(), asked({0}, 0.5));
  EXPECT_THROW(ledger->compute(ranking, later), Error);
  LedgerRequest artefact = asked_of_shared(0, 0.5);
  artefact.seeds.clear();
  artefact.release.scope = Scope::edge;
  const LedgerCharge charged = ledger->charge(ledger.graph(), artefact);
  EXPECT_THROW(ledger->artefact(charged, later), Error);
}

TEST(Shared, OnlyWhatTheLedgerChargedIsAccepted) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const PublicFacts facts = ledger.graph().facts();
  const SharedArtefact ours = SharedArtefact::parse(shared(ledger, 1).bytes, "artefact");
  ledger->check_charged(facts, ours);
  const SharedArtefact noisy_again = SharedArtefact::make(ledger.graph(), ours.plan().parameters);
  expect_refused([&] { ledger->check_charged(facts, noisy_again); }, "did not charge this artefact");
  const Graph later = karate();
  ledger->add_snapshot(later.facts());
  expect_refused([&] { ledger->check_charged(later.facts(), ours); }, "another graph");
}

TEST(Shared, GivenToARecipientIsPaidByThem) {
  TestLedger ledger({.epsilon = Epsilon(1), .per_recipient = Epsilon(0.5)});
  expect_refused([&] { shared(ledger, 0.75, "ann"); }, "the budget of 'ann'");
  shared(ledger, 0.5, "ann");
  shared(ledger, 0.5, "bob");
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_EQ(ledger.spent("bob"), 0.5);
}

// --- what is published -----------------------------------------------------------------------------------

const LedgerTerms half_each{.epsilon = Epsilon(9), .per_recipient = Epsilon(0.5)};

LedgerArtefact shared_with_all(TestLedger& ledger, double epsilon) {
  return share(*ledger, ledger.graph(), published({{.epsilon = Epsilon(epsilon)}, {}, ""}));
}

TEST(Published, UnderALimitForEachRecipientSomebodyMustBeCharged) {
  TestLedger ledger(half_each);
  EXPECT_EQ(error_of([&] { shared(ledger, 0.25); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger.release(asked_in_edge_scope(0, 0.25)); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger.release(published(asked_in_edge_scope(0, 0.25, "ann"))); }),
            ErrorCode::usage);
  expect_refused([&] { ledger.release(published(asked({0}, 0.25))); }, "cannot be published");
  EXPECT_EQ(ledger.spent(), 0);
}

TEST(Published, CountsForEveryRecipientNowAndLater) {
  TestLedger ledger(half_each);
  ledger.release(asked({0}, 0.125, "ann"));
  EXPECT_EQ(shared_with_all(ledger, 0.25).charged.for_custodian.payments.front().published, true);
  EXPECT_EQ(ledger.spent("ann"), 0.375);
  EXPECT_EQ(ledger->state().published.spent, 0.25);
  expect_refused([&] { ledger.release(asked({1}, 0.25, "ann")); }, "0.125 is left");
  expect_refused([&] { ledger.release(asked({2}, 0.375, "bob")); }, "0.25 is left");
  ledger.release(asked({1}, 0.125, "ann"));
  ledger.release(asked({2}, 0.25, "bob"));
  EXPECT_EQ(ledger.spent("bob"), 0.5);
  EXPECT_EQ(ledger.spent(), 0.75);
  EXPECT_TRUE(ledger.intact());
}

TEST(Published, IsRefusedWhenSomebodyHasNotEnoughLeft) {
  TestLedger ledger(half_each);
  expect_refused([&] { shared_with_all(ledger, 0.75); }, "the budget of each recipient");
  ledger.release(asked({0}, 0.375, "ann"));
  expect_refused([&] { shared_with_all(ledger, 0.25); }, "the budget of 'ann'");
  expect_refused([&] { ledger.release(published(asked_in_edge_scope(1, 0.25))); }, "the budget of 'ann'");
  shared_with_all(ledger, 0.125);
  EXPECT_EQ(ledger.spent("ann"), 0.5);
  EXPECT_TRUE(ledger.intact());
}

TEST(Published, IsNotCountedTwiceForThoseWhoHadPaidForIt) {
  TestLedger ledger({.epsilon = Epsilon(9), .delta = Delta(1e-6), .per_recipient = Epsilon(0.5)});
  const auto scores = ledger.scores(asked_in_edge_scope(0, 0.5, "ann"));
  ledger.release(asked_in_edge_scope(0, 0.5, "bob"));
  EXPECT_EQ(ledger.scores(published(asked_in_edge_scope(0, 0.5))), scores);
  for (const char* name : {"ann", "bob"}) EXPECT_EQ(ledger.spent(name), 0.5);
  expect_refused([&] { ledger.release(asked({1}, 0.001, "ann")); }, "the budget of 'ann'");
  EXPECT_EQ(ledger.scores(asked_in_edge_scope(0, 0.5, "eve")), scores);
  EXPECT_EQ(ledger->state().recipients.size(), 2U);  // nothing is eve's own
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_TRUE(ledger.intact());
}

TEST(Published, ArtefactServesEveryoneAtNoFurtherCost) {
  TestLedger ledger(half_each);
  shared_with_all(ledger, 0.5);
  const std::string head = ledger->state().head;
  EXPECT_EQ(shared_with_all(ledger, 0.5).charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger->state().head, head);
  for (const Node seed : {0U, 1U}) ledger.release(asked_of_shared(seed, 0.5));
  EXPECT_EQ(ledger.spent(), 0.5);
  EXPECT_TRUE(ledger->state().recipients.empty());
  EXPECT_TRUE(ledger.intact());
}

std::string words_for_whom(const std::string& certificate) {
  EXPECT_TRUE(verify_certificate(certificate).valid) << verify_certificate(certificate).reason;
  return Json::parse(certificate).at("words").at("audience");
}

TEST(Audience, IsNamedInTheCertificateOfAnAnswer) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(5)});
  const auto certificate = [&](const LedgerRequest& request) {
    return LedgerRanker(*ledger, ledger.graph(), request).certificate({}).json;
  };
  const std::string ann = certificate(asked_in_edge_scope(0, 0.5, "ann"));
  EXPECT_THAT(words_for_whom(ann), HasSubstr("'ann', on whose budget it counts"));
  EXPECT_THAT(words_for_whom(certificate(asked_in_edge_scope(0, 0.5, "bob"))), HasSubstr("'bob'"));
  EXPECT_THAT(words_for_whom(certificate(published(asked_in_edge_scope(0, 0.5)))), HasSubstr("published"));
  EXPECT_THAT(words_for_whom(certificate(asked({0}, 0.5, "ann"))), HasSubstr("the owner of the seed only"));
  Json altered = Json::parse(ann);
  altered["audience_named"] = {{"published", true}};
  altered.erase("digest");
  altered["digest"] = digest_of(altered);
  EXPECT_FALSE(verify_certificate(altered.dump()).valid);
}

TEST(Audience, OfABatchIsThatOfAllItsAnswers) {
  TestLedger ledger({.epsilon = Epsilon(9), .per_recipient = Epsilon(5)});
  const auto words = [&](const LedgerRequest& request) {
    return words_for_whom(LedgerRanker(*ledger, ledger.graph(), request).certificate({}).json);
  };
  LedgerRequest both = asked_in_edge_scope(0, 0.5, "bob");
  both.seeds.emplace_back(1);
  ledger.release(published(asked_in_edge_scope(0, 0.5)));
  EXPECT_THAT(words(both), HasSubstr("'bob', on whose budget"));
  std::ranges::reverse(both.seeds);
  EXPECT_THAT(words(both), HasSubstr("'bob', on whose budget"));
  ledger.release(published(asked_in_edge_scope(1, 0.5)));
  EXPECT_THAT(words(both), HasSubstr("published"));
}

TEST(Audience, IsNamedInTheCertificateOfAnArtefact) {
  TestLedger ledger(half_each);
  const auto certificate = [](const LedgerArtefact& artefact) {
    const std::string_view text(reinterpret_cast<const char*>(artefact.bytes.data()), artefact.bytes.size());
    return Json::parse(text.substr(0, text.find('\n'))).at("certificate").dump();
  };
  const LedgerArtefact for_ann = shared(ledger, 0.5, "ann"), for_all = shared_with_all(ledger, 0.5);
  EXPECT_THAT(words_for_whom(certificate(for_ann)), HasSubstr("'ann'"));
  EXPECT_THAT(words_for_whom(certificate(for_all)), HasSubstr("published"));
  const PublicFacts facts = ledger.graph().facts();
  for (const LedgerArtefact* artefact : {&for_ann, &for_all})
    ledger->check_charged(facts, SharedArtefact::parse(artefact->bytes, "artefact"));
}

// Its certificate speaks of one flipped graph for everybody, which nobody keeps.
TEST(Baselines, EdgeflipIsRefusedUnderALedger) {
  TestLedger ledger({.epsilon = Epsilon(9)});
  LedgerRequest request = asked({0}, 1);
  for (const char* mechanism : {"edgeflip", "edgeflip+own"}) {
    request.release.mechanism = mechanism;
    expect_refused([&] { ledger.release(request); }, "one artefact for everybody");
  }
  request.release.mechanism = "pushflow";
  ledger.release(request);
  EXPECT_EQ(ledger.spent(), 1);
}

TEST(Export, HasTheWholeCurveOfEveryRelease) {
  TestLedger ledger({.epsilon = Epsilon(9), .delta = Delta(1e-6)});
  ledger.release(asked({0}, 0.5));
  LedgerRequest paper = asked({1}, 1);
  paper.release.mechanism = "paper";
  paper.release.eta = Eta(0.01);
  ledger.release(paper);
  std::vector<LedgerEntry> charges;
  ledger->each_entry([&](const LedgerEntry& entry) {
    if (entry.kind == "charge") charges.push_back(entry);
  });
  ASSERT_EQ(charges.size(), 2U);
  const PrivacyCost pure = PrivacyCost::of(Epsilon(0.5));
  EXPECT_TRUE(std::ranges::equal(charges[0].rdp, pure.rdp()));
  ReleaseParameters one = paper.release;
  const PrivacyCost noisy = privacy_cost(make_plan(ledger.graph().facts(), one));
  EXPECT_TRUE(std::ranges::equal(charges[1].rdp, noisy.rdp()));
  EXPECT_EQ(charges[1].recipient_epsilon, 1);
}

// --- charged and not finished ----------------------------------------------------------------------------

TEST(Unfinished, IsCompletedByTheSameRequestAtNoCost) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto request = asked({0, 1}, 0.5);
  ledger::charge(ledger->impl(), ledger.graph(), request, ledger::Commit::yes);
  EXPECT_EQ(ledger->state().unfinished, 2U);
  EXPECT_EQ(ledger.spent(), 1);
  const LedgerRanker ranker(*ledger, ledger.graph(), request);
  EXPECT_EQ(ranker.charged().for_custodian.epsilon, 0);
  EXPECT_EQ(ledger->state().unfinished, 0U);
  EXPECT_EQ(ledger->state().stored, 2U);
  EXPECT_EQ(ledger.spent(), 1);
  EXPECT_EQ(ledger.scores(request), ranker.answer(0).scores);
}

TEST(Unfinished, ArtefactIsCompletedAtNoCost) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  LedgerRequest request{{.mechanism = "shared", .scope = Scope::edge}, {}, ""};
  ledger::charge(ledger->impl(), ledger.graph(), request, ledger::Commit::yes);
  EXPECT_EQ(ledger->state().unfinished, 1U);
  EXPECT_EQ(shared(ledger, 1).charged.for_custodian.epsilon, 0);
  EXPECT_EQ(ledger->state().unfinished, 0U);
}

// A charge like that of a request, but for what `alter` does to its entry.
template <class Alter>
void charge_altered(TestLedger& ledger, const LedgerRequest& request, Alter alter) {
  TestLedger other({.epsilon = Epsilon(1)}, ledger.graph());
  ledger::charge(other->impl(), other.graph(), request, ledger::Commit::yes);
  ledger::Json body = other->impl().state.last()->body;
  for (const char* made : {"total", "account"}) body.erase(made);
  alter(body);
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  ledger->impl().state.append(ledger->impl().now(), ledger::kind_charge, body);
  transaction.commit();
}

// What a later version would make of the request does not matter: the plan that was charged is run. Here it
// was charged with another taper than this version would take.
TEST(Unfinished, IsCompletedByThePlanThatWasCharged) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  auto request = asked({0}, 0.5), tapered = request;
  tapered.release.taper = 3;
  const std::string id = ledger.graph().facts().graph_id;
  charge_altered(ledger, tapered, [&](ledger::Json& body) {
    body["request"] = ledger::request_key(id, request.release, {{"1", 1.0}});
  });
  const LedgerRanker ranker(*ledger, ledger.graph(), request);
  EXPECT_EQ(ranker.charged().for_custodian.epsilon, 0);
  EXPECT_THAT(ranker.certificate({}).json, HasSubstr("\"taper\": 3.0"));
}

TEST(Unfinished, IsNotCompletedByAPlanThatCostsMoreThanWasCharged) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto request = asked({0}, 0.5);
  charge_altered(ledger, request, [](ledger::Json& body) {
    body["cost"]["units"] = body["cost"]["units"].get<std::int64_t>() - 1;
    body["plan"]["theorem"] = "An older one";
  });
  std::string message;
  EXPECT_EQ(error_of([&] { ledger.release(request); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("would have added more noise"));
  EXPECT_EQ(ledger->state().stored, 0U);
}

// --- the store -------------------------------------------------------------------------------------------

ledger::Bytes bytes(const std::string& text) {
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

void store(Ledger& ledger, const ledger::Document& document) {
  ledger::Transaction transaction(ledger.impl().database, ledger::Transaction::Kind::writing);
  ledger.impl().documents.store("2026-01-01T00:00:00Z", std::span(&document, 1));
  transaction.commit();
}

TEST(Store, TheFirstToStoreWins) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  Ledger other(ledger.path());
  store(*ledger, {"certificate x", bytes("first")});
  store(other, {"certificate x", bytes("second")});
  EXPECT_EQ(other.impl().documents.find("certificate x"), bytes("first"));
  EXPECT_TRUE(ledger.intact());
}

TEST(Store, ADamagedAnswerIsNotShownAndHoldsNothingUp) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  ledger.release(asked({0}, 0.5));
  ledger::Database::open(ledger.path())
      .execute("UPDATE document SET content = zeroblob(length(content)) WHERE name LIKE 'answer %'");
  EXPECT_EQ(error_of([&] { ledger.scores(asked({0}, 0.5)); }), ErrorCode::failed);
  Ledger other(ledger.path());
  const LedgerRanker elsewhere(other, ledger.graph(), asked({1}, 0.25));
  ledger.release(asked({2}, 0.25));
}

// As if an older version had written it in other words.
TEST(Store, CertificatesAreThoseThatWereFirstShown) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  const auto request = asked({0}, 0.5);
  const Plan plan = make_plan(ledger.graph().facts(), request.release);
  const std::string name = ledger::certificate_document_name(digest_of(plan_document(plan)), 1, {});
  store(*ledger, {name, bytes(R"({"certificate":{"of":"old"},"text":"old words"})")});
  const LedgerRanker ranker(*ledger, ledger.graph(), request);
  EXPECT_EQ(ranker.certificate({}).text, "old words");
  EXPECT_TRUE(verify_certificate(ranker.certificate({.public_candidates = true}).json).valid);
}

TEST(Store, ADamagedCertificateOrArtefactIsNotShown) {
  TestLedger ledger({.epsilon = Epsilon(2)});
  const LedgerRanker ranker(*ledger, ledger.graph(), asked({0}, 0.5));
  static_cast<void>(ranker.certificate({}));
  shared(ledger, 1);
  ledger::Database::open(ledger.path())
      .execute("UPDATE document SET content = CAST(replace(CAST(content AS TEXT), '1', '2') AS BLOB)");
  EXPECT_EQ(error_of([&] { static_cast<void>(ranker.certificate({})); }), ErrorCode::failed);
  EXPECT_EQ(error_of([&] { shared(ledger, 1); }), ErrorCode::failed);
}

// --- the clock -------------------------------------------------------------------------------------------

void append_in_the_future(TestLedger& ledger) {
  ledger::Transaction transaction(ledger->impl().database, ledger::Transaction::Kind::writing);
  ledger->impl().state.append("2999-01-01T00:00:00Z", ledger::kind_clock, ledger::Json::object());
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
  ledger->accept_clock();
  ledger.release(asked({1}, 0.5));
  EXPECT_TRUE(ledger.intact());
}

// Ten minutes back at a time, an entry each: it is the latest of all that counts.
TEST(Clock, CannotBeWalkedBack) {
  TestLedger ledger({.epsilon = Epsilon(1)});
  append_in_the_future(ledger);
  for (const char* name : {"certificate x", "certificate y"}) store(*ledger, {name, bytes("x")});  // of 2026
  EXPECT_EQ(error_of([&] { ledger.release(asked({1}, 0.5)); }), ErrorCode::failed);
  EXPECT_TRUE(ledger.intact());
  ledger->accept_clock();
  ledger.release(asked({1}, 0.5));
  EXPECT_TRUE(ledger.intact());
}

}  // namespace
}  // namespace hushwalk
