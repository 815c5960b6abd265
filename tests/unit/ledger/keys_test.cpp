// By what a release is found again.
#include "ledger/keys.h"

#include <gtest/gtest.h>

#include <set>

#include "support/graphs.h"

namespace hushwalk::ledger {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const NamedSeeds one_seed = {{"1", 1.0}};

ReleaseParameters twohop() {
  return {.mechanism = "twohop", .epsilon = Epsilon(0.1), .background = 0.5, .taper = 8};
}

PublicFacts facts_of(std::string graph_id) {
  PublicFacts facts = public_facts(34);
  facts.graph_id = std::move(graph_id);
  return facts;
}

// The request with each parameter changed in turn.
std::vector<ReleaseParameters> variations() {
  std::vector<ReleaseParameters> all(10, twohop());
  all[1] = {.mechanism = "shared", .epsilon = Epsilon(0.1), .taper = 8};
  all[2].epsilon = Epsilon(0.1000000000000001);
  all[3] = {.mechanism = "output", .scope = Scope::edge, .epsilon = Epsilon(0.1)};
  all[4].diffusion = Diffusion::ppr(0.8, 21);
  all[5].diffusion = Diffusion::ppr(0.81, 20);
  all[6].background = 0.25;
  all[7].taper = infinity;
  all[8].diffusion = Diffusion::heat(3, 20);
  all[9] = {.mechanism = "output", .epsilon = Epsilon(0.1)};
  return all;
}

TEST(RequestKey, ChangesWithEveryParameter) {
  std::vector<ReleaseParameters> all = variations();
  ReleaseParameters paper{.mechanism = "paper", .epsilon = Epsilon(0.1), .delta = Delta(1e-6)};
  all.push_back(paper);
  paper.delta = Delta(1e-7);
  all.push_back(paper);
  paper.eta = Eta(1e-6);  // the default, but this one was asked for
  all.push_back(paper);
  std::set<std::string> keys;
  for (const ReleaseParameters& request : all) keys.insert(request_key("g", request, one_seed));
  EXPECT_EQ(keys.size(), all.size());
  EXPECT_FALSE(keys.contains(request_key("h", twohop(), one_seed)));
  EXPECT_FALSE(keys.contains(request_key("g", twohop(), {{"2", 1.0}})));
  EXPECT_FALSE(keys.contains(request_key("g", twohop(), {{"1", 0.5}, {"2", 0.5}})));
}

TEST(AnswerKey, ChangesWithEveryParameterOfThePlan) {
  const PublicFacts facts = facts_of("g");
  std::set<std::string> keys;
  for (const ReleaseParameters& request : variations())
    keys.insert(answer_key(make_plan(facts, request), one_seed));
  EXPECT_EQ(keys.size(), variations().size());
  const Plan plan = make_plan(facts, twohop());
  EXPECT_TRUE(keys.contains(answer_key(plan, one_seed)));
  EXPECT_FALSE(keys.contains(answer_key(plan, {{"2", 1.0}})));
  EXPECT_FALSE(keys.contains(answer_key(make_plan(facts_of("h"), twohop()), one_seed)));
}

TEST(RequestKey, CountsRankingsOnlyWhereTheyDecideTheMechanism) {
  ReleaseParameters many = twohop(), any{.epsilon = Epsilon(0.1)}, any_of_many = any;
  many.rankings = any_of_many.rankings = 20;
  EXPECT_EQ(request_key("g", twohop(), one_seed), request_key("g", many, one_seed));
  EXPECT_NE(request_key("g", any, one_seed), request_key("g", any_of_many, one_seed));
}

TEST(ArtefactKey, IsTheSameForAllDiffusionsAndScopes) {
  ReleaseParameters personal{.mechanism = "shared", .epsilon = Epsilon(1)}, published = personal,
                                                                            dearer = personal;
  published.scope = Scope::edge;
  published.diffusion = Diffusion::ppr(0.5, 5);
  dearer.epsilon = Epsilon(2);
  const PublicFacts facts = public_facts(34);
  const std::string key = artefact_key(make_plan(facts, personal));
  EXPECT_EQ(key, artefact_key(make_plan(facts, published)));
  EXPECT_NE(key, artefact_key(make_plan(facts, dearer)));
  EXPECT_NE(key, artefact_key(make_plan(facts, personal), 1));
  EXPECT_NE(answer_key(make_plan(facts, personal), one_seed),
            answer_key(make_plan(facts, published), one_seed));
}

TEST(NamedSeeds, OfASetAreTheSameInAnyOrderAndByAnyScale) {
  const NodeList nodes = NodeList::range(1, 9);
  const NamedSeeds set = named(SeedVector::weighted({{4, 1}, {2, 3}}), nodes);
  EXPECT_EQ(set, named(SeedVector::weighted({{2, 6}, {4, 2}}), nodes));
  EXPECT_EQ(set, (NamedSeeds{{"3", 0.75}, {"5", 0.25}}));
}

// These strings are in ledgers that exist: a change would charge for what was charged before.
TEST(Keys, AreTheSameInEveryVersion) {
  const PublicFacts facts = facts_of("00112233445566778899aabbccddeeff");
  const Plan plan = make_plan(facts, twohop());
  EXPECT_EQ(request_key(facts.graph_id, twohop(), one_seed),
            "a94b3017a917921e03d681d1628c61a8");  // the first half of what versions before 3 wrote
  EXPECT_EQ(answer_key(plan, one_seed), "629e401d3c2d8c7f8ee476f1174b9db3");
  for (const std::int64_t epoch : {1, 2}) {
    EXPECT_NE(answer_key(plan, one_seed, epoch), answer_key(plan, one_seed, epoch - 1));
    EXPECT_NE(request_key(facts.graph_id, twohop(), one_seed, epoch),
              request_key(facts.graph_id, twohop(), one_seed, epoch - 1));
  }
}

}  // namespace
}  // namespace hushwalk::ledger
