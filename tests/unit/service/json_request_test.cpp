// Questions in JSON, and who may ask them.
#include "service/json_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hushwalk/error.h"
#include "hushwalk/generate.h"

namespace hushwalk::service {
namespace {

using ::testing::HasSubstr;

const Graph& club() {
  static const Graph graph = generate("karate");
  return graph;
}

const AccessKey an_owner{.role = Role::owner, .graphs = {"karate"}, .seeds = {"1", "2"}},
    an_analyst{.role = Role::analyst, .graphs = {"karate"}}, an_admin{.role = Role::admin};

std::string why_not_parsed(const std::string& text, const QuestionLimits& limits = {}) {
  try {
    parse_question(text, club(), an_owner, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "it was parsed";
}

bool may_ask(const std::string& text, const AccessKey& key) {
  const Question question = parse_question(text, club(), key);
  try {
    check_right(question, club(), key);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    return false;
  }
  return true;
}

TEST(Question, HasTheParametersOfRankUnderTheirNames) {
  const Question question = parse_question(
      R"({"seed": 1, "epsilon": 0.5, "delta": 1e-6, "eta": 0.25, "mechanism": "output", "scope": "edge",
          "diffusion": "heat", "time": 3, "steps": 20, "top": 5, "exclude_neighbors": true, "candidates": [3, "4"]})",
      club(), an_owner);
  const ReleaseParameters& release = question.request.release;
  EXPECT_EQ(release.epsilon, Epsilon(0.5));
  EXPECT_EQ(release.mechanism, "output");
  EXPECT_EQ(release.scope, Scope::edge);
  EXPECT_EQ(release.diffusion.steps().size(), 20U);
  EXPECT_TRUE(release.delta && release.eta);
  EXPECT_EQ(question.request.top, 5U);
  EXPECT_TRUE(question.request.exclude_neighbors);
  EXPECT_EQ(question.request.candidates->size(), 2U);
  EXPECT_FALSE(question.many || question.request.seed_set || question.shared);
  EXPECT_EQ(question.nodes, R"(["1"])");
}

TEST(Question, IsInTheScopeOfTheKeyUnlessItSaysAnother) {
  const auto scope = [](const std::string& text, const AccessKey& key) {
    return parse_question(text, club(), key).request.release.scope;
  };
  EXPECT_EQ(scope(R"({"seed": 1, "epsilon": 1})", an_owner), Scope::personalized);
  EXPECT_EQ(scope(R"({"seed": 1, "epsilon": 1})", an_analyst), Scope::edge);
  EXPECT_EQ(scope(R"({"seed": 1, "epsilon": 1, "scope": "personalized"})", an_analyst), Scope::personalized);
}

TEST(Question, NamesOneKindOfSeed) {
  const auto parsed = [](const std::string& text) { return parse_question(text, club(), an_owner); };
  EXPECT_TRUE(parsed(R"({"seeds": [1, 2], "epsilon": 1})").many);
  EXPECT_TRUE(parsed(R"({"seed_set": [1, {"node": 2, "weight": 3}], "epsilon": 1})").request.seed_set);
  EXPECT_TRUE(parsed(R"({"seed": 1, "shared": true})").shared);
  EXPECT_THAT(why_not_parsed(R"({"epsilon": 1})"), HasSubstr("whose ranking"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "seeds": [1], "epsilon": 1})"), HasSubstr("whose ranking"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 99, "epsilon": 1})"), HasSubstr("`seed` names a node"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1.5, "epsilon": 1})"), HasSubstr("must name nodes"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 18446744073709551615, "epsilon": 1})"), HasSubstr("names a node"));
}

TEST(Question, ThatMakesNoSenseIsAnErrorThatNamesTheParameter) {
  EXPECT_THAT(why_not_parsed("[]"), HasSubstr("one JSON object"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1})"), HasSubstr("epsilon"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": "1"})"), HasSubstr("`epsilon` must be a number"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": 1, "top": 0})"), HasSubstr("`top`"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": 1, "top": 3, "full": true})"), HasSubstr("not both"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": 1, "full": 1})"), HasSubstr("true or false"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": 1, "mechanism": 7})"), HasSubstr("must be a text"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": 1, "recipient": "ana"})"),
              HasSubstr("no parameter 'recipient'"));
  EXPECT_THAT(why_not_parsed("{\"seed\": 1, \"epsilon\": 1, \"<\\u0007\\u00e9>\": 1}"), HasSubstr("'<?"));
}

TEST(Question, IsBounded) {
  const QuestionLimits small{.seeds = 2, .listed = 40, .coefficients = 2};
  EXPECT_EQ(why_not_parsed(R"({"seeds": [1, 2], "epsilon": 1, "top": 20})", small), "it was parsed");
  EXPECT_THAT(why_not_parsed(R"({"seeds": [1, 2], "epsilon": 1, "top": 21})", small), HasSubstr("list 42"));
  EXPECT_THAT(why_not_parsed(R"({"seeds": [1, 2, 3], "epsilon": 1})", small), HasSubstr("`seeds`"));
  EXPECT_THAT(why_not_parsed(R"({"seeds": [1, 2], "epsilon": 1, "full": true})", small),
              HasSubstr("list 68"));
  EXPECT_THAT(why_not_parsed(R"({"seed": 1, "epsilon": 1, "diffusion": "custom", "coefficients":
                                 {"gamma1": [1, 1, 1], "gamma2": [0, 0, 0], "gamma3": [0, 0, 0]}})",
                             small),
              HasSubstr("`coefficients`"));
}

TEST(Question, OfAnOwnerIsAboutTheirOwnSeedsInPersonalizedScope) {
  EXPECT_TRUE(may_ask(R"({"seed": 1, "epsilon": 1})", an_owner));
  EXPECT_TRUE(may_ask(R"({"seed_set": [1, 2], "epsilon": 1})", an_owner));
  EXPECT_FALSE(may_ask(R"({"seed": 3, "epsilon": 1})", an_owner));
  EXPECT_FALSE(may_ask(R"({"seeds": [1, 3], "epsilon": 1})", an_owner));
  EXPECT_FALSE(may_ask(R"({"seed_set": [1, {"node": 3, "weight": 1e-9}], "epsilon": 1})", an_owner));
  EXPECT_FALSE(may_ask(R"({"seed": 1, "epsilon": 1, "scope": "edge"})", an_owner));
}

TEST(Question, OfAnAnalystProtectsEveryEdgeAndAnAdminHasNone) {
  EXPECT_TRUE(may_ask(R"({"seed": 3, "epsilon": 1})", an_analyst));
  EXPECT_FALSE(may_ask(R"({"seed": 3, "epsilon": 1, "scope": "personalized"})", an_analyst));
  EXPECT_FALSE(may_ask(R"({"seed": 3, "epsilon": 1})", an_admin));
}

}  // namespace
}  // namespace hushwalk::service
