#include "hushwalk/answer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "hushwalk/codec.h"
#include "hushwalk/generate.h"
#include "hushwalk/verify.h"
#include "support/graphs.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using testing::error_of, testing::karate, testing::TestLedger;

AnswerRequest asked(double epsilon, std::vector<SeedVector> seeds = {Node{0}}) {
  return {.seeds = std::move(seeds), .release = {.epsilon = Epsilon(epsilon)}};
}

std::vector<Ranking> all(AnswerSource answers) {
  std::vector<Ranking> rankings;
  answers.each([&](const Ranking& ranking) { rankings.push_back(ranking); });
  return rankings;
}

TEST(Answer, APrivateOneHasItsCertificateAndNoChargeWithoutALedger) {
  AnswerSource answers = ask(karate(), asked(1));
  ASSERT_TRUE(answers.certificate());
  EXPECT_TRUE(verify_certificate(answers.certificate()->json).valid);
  EXPECT_FALSE(answers.quote());
  const auto rankings = all(std::move(answers));
  ASSERT_EQ(rankings.size(), 1U);
  EXPECT_EQ(rankings[0].nodes.size(), 10U);
  for (const RankedNode& row : rankings[0].nodes) EXPECT_TRUE(row.noise && row.node != 0);
}

TEST(Answer, AnExactOneHasNeither) {
  AnswerRequest request = asked(1);
  request.exact = true;
  AnswerSource answers = ask(karate(), request);
  EXPECT_FALSE(answers.certificate());
  const auto rankings = all(std::move(answers));
  EXPECT_EQ(rankings[0].nodes[0].node, 1U);
  EXPECT_FALSE(rankings[0].nodes[0].noise);
}

TEST(Answer, NeighboursAndAllButCandidatesAreLeftOut) {
  const Graph graph = karate();
  AnswerRequest request = asked(1);
  request.top.reset();
  request.exclude_neighbors = true;
  const auto rankings = all(ask(graph, request));
  EXPECT_EQ(rankings[0].nodes.size(), graph.nodes() - 1 - graph.degree(0));
  request.candidates = {{1, 33}};
  const auto few = all(ask(graph, request));
  ASSERT_EQ(few[0].nodes.size(), 1U);  // 1 is a neighbour
  EXPECT_EQ(few[0].nodes[0].node, 33U);
}

TEST(Answer, UnderALedgerARepeatedQuestionGetsTheSameAnswerAtNoCharge) {
  const Graph graph = karate();
  TestLedger made({.epsilon = Epsilon(1)}, graph);
  AnswerRequest request = asked(0.5);
  request.audience.ledger = std::make_shared<Ledger>(made.path());
  AnswerSource first = ask(graph, request), again = ask(graph, request);
  EXPECT_DOUBLE_EQ(first.quote()->for_custodian.epsilon, 0.5);
  EXPECT_DOUBLE_EQ(again.quote()->for_custodian.epsilon, 0);
  EXPECT_EQ(first.certificate()->json, again.certificate()->json);
  EXPECT_EQ(all(std::move(first))[0].nodes[0].score, all(std::move(again))[0].nodes[0].score);
}

TEST(Answer, IsTakenUpAgainForTheSameRecipientInTheSameEpochOnly) {
  const Graph graph = karate();
  TestLedger made({.epsilon = Epsilon(1)}, graph);
  AnswerRequest request = asked(0.5);
  request.audience.ledger = std::make_shared<Ledger>(made.path());
  const std::string first = CheckedRequest(graph, request).digest();
  AnswerRequest other = request;
  other.audience.recipient = "ann";
  EXPECT_NE(CheckedRequest(graph, other).digest(), first);
  other = request;
  other.release.scope = Scope::edge;
  const std::string for_nobody = CheckedRequest(graph, other).digest();
  other.audience.publish = true;
  EXPECT_NE(CheckedRequest(graph, other).digest(), for_nobody);
  EXPECT_EQ(CheckedRequest(graph, request).digest(), first);
  request.audience.ledger->forget({.new_epoch = true});
  EXPECT_NE(CheckedRequest(graph, request).digest(), first);
}

TEST(Answer, ASeedThatIsGivenTwiceIsAnsweredOnce) {
  const CheckedRequest question(karate(), asked(1, {Node{0}, Node{3}, Node{0}}));
  EXPECT_EQ(question.request().seeds.size(), 2U);
  EXPECT_EQ(question.request().release.rankings, 2U);
}

// What a door knows and a request, which has defaults, does not.
TEST(Answer, PrivacyIsAskedForExactlyWhereThereIsNoise) {
  ReleaseParameters noise;
  noise.mechanism = "paper";
  EXPECT_NO_THROW(check_privacy({.epsilon = true}, noise));
  EXPECT_NO_THROW(check_privacy({.exact = true}));
  EXPECT_NO_THROW(check_privacy({.shared = true}));
  for (const GivenPrivacy wrong :
       {GivenPrivacy{}, GivenPrivacy{.epsilon = true, .exact = true},
        GivenPrivacy{.epsilon = true, .shared = true}, GivenPrivacy{.exact = true, .shared = true}})
    EXPECT_EQ(error_of([&] { check_privacy(wrong); }), ErrorCode::usage);
  for (const GivenPrivacy wrong : {GivenPrivacy{}, GivenPrivacy{.exact = true}, GivenPrivacy{.shared = true}})
    EXPECT_EQ(error_of([&] { check_privacy(wrong, noise); }), ErrorCode::usage);
}

// A ranking with a salt is hashed as a document, one without is written straight: the same text but for the
// salt.
TEST(Answer, ASaltAltersNothingElseOfARanking) {
  for (const bool sets : {false, true}) {
    Ranking ranking{SeedVector::weighted({{0, 1}, {5, 2}}), {{3, 0.1, 0.25}, {7, 1e-300, {}}, {9, -2, 0.25}}};
    if (!sets) ranking.seed = Node{4};
    const RankingHead head{karate().node_list(), true, {}, Diffusion::ppr(), sets};
    const std::string plain = json_lines_ranking_writer(head)->ranking(ranking);
    ranking.salt = "ab";
    EXPECT_EQ(json_lines_ranking_writer(head)->ranking(ranking),
              plain.substr(0, plain.size() - 2) + ",\"salt\":\"ab\"}\n");
  }
}

TEST(Answer, FromAnArtefactSeedsAreFree) {
  const Graph graph = karate();
  const auto artefact =
      std::make_shared<const SharedArtefact>(share(graph, {.release = {.epsilon = Epsilon(1)}}).artefact);
  AnswerRequest request = asked(1, {Node{0}, Node{1}});
  request.artefact = artefact;
  AnswerSource answers = ask(graph, request);
  EXPECT_NE(answers.certificate()->json.find(artefact->context().artefact), std::string::npos);
  EXPECT_EQ(all(std::move(answers)).size(), 2U);
}

TEST(Answer, APlanSaysWhyWhatToExpectAndWhatElseThereIs) {
  const PlannedAnswer planned = plan_answer(karate().facts(), asked(1, {Node{0}, Node{5}}));
  EXPECT_NE(planned.why.find("the links of the seed's neighbours"), std::string::npos);
  EXPECT_EQ(planned.expects, expected_of(planned.plan));
  ASSERT_TRUE(planned.alternative);
  EXPECT_EQ(planned.alternative->mechanism, "circles");  // by the number of seeds
  const Json document = Json::parse(planned_json(planned));
  EXPECT_EQ(document["why"], planned.why);
  EXPECT_EQ(document["expects"], planned.expects);
}

TEST(Answer, APlanFromAnArtefactHasItsMechanismAndNoAlternative) {
  const Graph graph = karate();
  AnswerRequest request{.seeds = {Node{0}}};
  request.artefact = std::make_shared<const SharedArtefact>(
      share(graph, {.release = {.mechanism = "shared", .epsilon = Epsilon(1)}}).artefact);
  const PlannedAnswer planned = plan_answer(graph.facts(), request);
  EXPECT_NE(planned.why.find("the artefact"), std::string::npos);
  EXPECT_NE(planned.expects.find("by their number of links alone"), std::string::npos);
  EXPECT_FALSE(planned.alternative);
}

// By the sweeps of an artefact, alone and within answers that share one, with noise small enough for rows.
TEST(Answer, MakingAnArtefactReportsItsProgressUpToTheEnd) {
  const Graph graph = generate("sbm", {500, 10'000, 1});
  for (const char* mechanism : {"shared", "circles"}) {
    std::vector<double> alone, within;
    const ReleaseParameters release{.mechanism = mechanism, .epsilon = Epsilon(5)};
    share(graph, {.release = release}, [&](std::string_view, double part) { alone.push_back(part); });
    EXPECT_TRUE(std::ranges::is_sorted(alone)) << mechanism;
    EXPECT_GE(alone.size(), mechanism == std::string_view("circles") ? 10U : 3U) << mechanism;
    EXPECT_EQ(alone.front(), 0);
    EXPECT_EQ(alone.back(), 1);
    ask(graph, {.seeds = {Node{0}}, .release = release}, [&](std::string_view stage, double part) {
      if (stage == "releasing") within.push_back(part);
    });
    EXPECT_TRUE(!within.empty() && std::ranges::is_sorted(within)) << mechanism;
  }
}

TEST(Answer, WhatStopsAnArtefactLeavesItsChargeAndTheNextGoesOnFromIt) {
  TestLedger made;
  const auto ledger = std::make_shared<Ledger>(made.path());
  const ShareRequest request{{.epsilon = Epsilon(0.5)}, {.ledger = ledger}};
  struct Enough {};
  for (const double at : {0.0, 1.0})
    EXPECT_THROW(share(made.graph(), request,
                       [&](std::string_view, double part) {
                         if (part >= at) throw Enough();
                       }),
                 Enough);
  EXPECT_EQ(made.spent(), 0.5);
  const Sharing shared = share(made.graph(), request);
  EXPECT_EQ(made.spent(), 0.5);
  EXPECT_EQ(shared.artefact.bytes(), share(made.graph(), request).artefact.bytes());
}

TEST(Answer, WhatWouldShowWhatIsProtectedIsRefusedBelowTheDoors) {
  AnswerRequest request = asked(1);
  request.release.scope = Scope::edge;
  request.exclude_neighbors = true;
  EXPECT_EQ(error_of([&] { ask(karate(), request); }), ErrorCode::refused);
  EXPECT_EQ(error_of([&] { plan_answer(karate().facts(), request); }), ErrorCode::refused);
  TestLedger made;
  AnswerRequest exact = asked(1);
  exact.exact = true;
  exact.audience.ledger = std::make_shared<Ledger>(made.path());
  EXPECT_EQ(error_of([&] { ask(made.graph(), exact); }), ErrorCode::refused);
}

TEST(Answer, RequestsThatContradictThemselvesAreErrors) {
  const auto code = [](const auto& change) {
    AnswerRequest request = asked(1);
    change(request);
    return error_of([&] { ask(karate(), request); });
  };
  EXPECT_EQ(code([](AnswerRequest& r) { r.seeds.clear(); }), ErrorCode::usage);
  EXPECT_EQ(code([](AnswerRequest& r) { r.top = 0; }), ErrorCode::usage);
  EXPECT_EQ(code([](AnswerRequest& r) { r.audience.recipient = "ann"; }), ErrorCode::usage);
  EXPECT_EQ(code([](AnswerRequest& r) { r.audience.publish = true; }), ErrorCode::usage);
  EXPECT_EQ(code([](AnswerRequest& r) { r.exact = true, r.release.mechanism = "paper"; }), ErrorCode::usage);
}

// Others' spending is not for the one who asks.
// Wherever answers come from, and before anything is charged.
TEST(Answer, SeedsAndCandidatesThatAreNoNodesAreErrors) {
  TestLedger made({.epsilon = Epsilon(10)});
  const Graph& graph = made.graph();
  const auto n = static_cast<Node>(graph.nodes());
  const auto ledger = std::make_shared<Ledger>(made.path());
  const auto artefact = std::make_shared<const SharedArtefact>(
      share(graph, {.release = {.mechanism = "circles", .scope = Scope::edge}}).artefact);
  std::vector<AnswerRequest> from_all(4, {.release = {.mechanism = "twohop"}});
  from_all[1].audience.ledger = ledger;
  from_all[2] = {.artefact = artefact};
  from_all[3] = {.exact = true};
  for (AnswerRequest& request : from_all) {
    request.seeds = {SeedVector::weighted({{0, 1.0}, {n, 1.0}})};
    EXPECT_EQ(error_of([&] { ask(graph, request); }), ErrorCode::usage);
    request.seeds = {Node{0}};
    request.candidates = {{1, n}};
    EXPECT_EQ(error_of([&] { ask(graph, request); }), ErrorCode::usage);
  }
  EXPECT_EQ(error_of([&] { ledger->charge(graph, testing::asked({n}, 1)); }), ErrorCode::usage);
  EXPECT_EQ(error_of([&] { ledger->quote(graph, testing::asked({n}, 1)); }), ErrorCode::usage);
  EXPECT_EQ(ledger->state().total.spent, 0);
  const SeedVector outside(n);
  for (const Scope scope : {Scope::edge, Scope::personalized}) {
    const Plan plan = artefact->plan_for(graph.facts(), {.scope = scope});
    EXPECT_EQ(error_of([&] { artefact->answer(plan, graph, std::span(&outside, 1)); }), ErrorCode::usage);
    const auto answers = artefact->list(plan, graph, {.top = 5});
    EXPECT_EQ(error_of([&] { answers->best(outside); }), ErrorCode::usage);
  }
}

TEST(Answer, ARefusalTellsTheCustodianMoreThanTheRecipient) {
  const Graph graph = karate();
  TestLedger made({.epsilon = Epsilon(1)}, graph);
  made.release(testing::asked({5}, 0.75));
  AnswerRequest request = asked(0.5);
  request.audience.ledger = std::make_shared<Ledger>(made.path());
  try {
    ask(graph, request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("0.75"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("0.25"), std::string::npos) << error.what();
    EXPECT_NE(error.for_custodian().find("0.75 is spent"), std::string::npos) << error.for_custodian();
  }
}

// Who publishes is not told of others' accounts either.
TEST(Answer, PublishingTellsNobodyWhatOthersHaveSpent) {
  const Graph graph = karate();
  TestLedger made({.epsilon = Epsilon(5), .per_recipient = Epsilon(1)}, graph);
  made.release(testing::asked({5}, 0.75, "bob"));
  AnswerRequest request = asked(0.5);
  request.release.mechanism = "output";
  request.release.scope = Scope::edge;
  request.audience = {.ledger = std::make_shared<Ledger>(made.path()), .publish = true};
  try {
    ask(graph, request);
    FAIL();
  } catch (const Error& error) {
    for (const char* secret : {"bob", "0.75", "0.25"})
      EXPECT_EQ(std::string(error.what()).find(secret), std::string::npos) << error.what();
    EXPECT_NE(error.for_custodian().find("'bob'"), std::string::npos) << error.for_custodian();
  }
}

TEST(Answer, WhoIsNotNamedIsNotToldWhatTheOwnerHasSpent) {
  const Graph graph = karate();
  TestLedger made({.epsilon = Epsilon(5), .per_recipient = Epsilon(1)}, graph);
  made.release(testing::asked({0}, 0.75, "bob"));
  AnswerRequest request = asked(0.5);
  request.audience.ledger = std::make_shared<Ledger>(made.path());
  for (const std::string name : {"", "bob"}) {
    request.audience.recipient = name;
    try {
      ask(graph, request);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("0.75") != std::string::npos, name == "bob") << error.what();
    }
  }
}

TEST(Answer, ASeedThatIsGivenTwiceIsReleasedOnce) {
  EXPECT_EQ(all(ask(karate(), asked(1, {Node{0}, Node{1}, Node{0}}))).size(), 2U);
}

TEST(Codec, TheCertificateInsideARankingIsTheOneThatWasIssued) {
  const Graph graph = karate();
  AnswerSource answers = ask(graph, asked(1));
  const auto writer = json_ranking_writer({graph.node_list(), true});
  std::string document = writer->begin();
  answers.each([&](const Ranking& ranking) { document += writer->ranking(ranking); });
  document += writer->end(answers.certificate(writer->shown()));
  EXPECT_TRUE(verify_certificate(document).answer) << document;
}

}  // namespace
}  // namespace hushwalk
