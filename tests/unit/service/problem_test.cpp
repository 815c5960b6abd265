// Errors as problem details.
#include "service/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hushwalk::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json body_of(const HttpResponse& response) { return nlohmann::json::parse(*response.body); }

TEST(Problem, HasTheCodeAndTheRemedyOfTheLibrary) {
  const HttpResponse refused =
      problem_of(Error(ErrorCode::refused, "the budget is spent; ask for a smaller `epsilon`"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.type, "application/problem+json");
  EXPECT_EQ(body_of(refused)["code"], 3);
  EXPECT_EQ(body_of(refused)["status"], 403);
  EXPECT_EQ(body_of(refused)["remedy"], "ask for a smaller `epsilon`");
  const HttpResponse usage = problem_of(Error(ErrorCode::usage, "there is no such node"));
  EXPECT_EQ(usage.status, 400);
  EXPECT_EQ(body_of(usage)["code"], 2);
  EXPECT_FALSE(body_of(usage).contains("remedy"));
}

TEST(Problem, NeverHasTheCustodiansPartOfAnError) {
  for (const ErrorCode code : {ErrorCode::failed, ErrorCode::usage, ErrorCode::refused}) {
    const HttpResponse response = problem_of(Error(code, "it does not fit", "there are 4711 edges"));
    EXPECT_THAT(*response.body, Not(HasSubstr("4711")));
    for (const auto& [name, value] : response.headers) EXPECT_THAT(name + value, Not(HasSubstr("4711")));
  }
}

TEST(Problem, SaysOfAFailureOnlyThatThereWasOne) {
  const HttpResponse one = problem_of(Error(ErrorCode::failed, "cannot read '/secret/g.hwg'")),
                     other = problem_of(Error(ErrorCode::failed, "the disk is full", "3 bytes are left"));
  EXPECT_EQ(one.status, 500);
  EXPECT_EQ(*one.body, *other.body);
}

TEST(Problem, OfWhatIsNoTextIsStillJson) {
  EXPECT_TRUE(body_of(problem_of(Error(ErrorCode::usage, "there is no '\xff<script>'"))).is_object());
}

TEST(Problem, HasTheHeadersOfEveryReply) {
  for (const HttpResponse& response :
       {problem(404), nothing_here(), too_often(3), response_with(200, "application/json", "{}")}) {
    const std::map<std::string, std::string> headers(response.headers.begin(), response.headers.end());
    EXPECT_EQ(headers.at("Cache-Control"), "no-store");
    EXPECT_EQ(headers.at("X-Content-Type-Options"), "nosniff");
    EXPECT_THAT(headers.at("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  }
}

TEST(Problem, SaysWhenToComeAgain) {
  const auto wait = [](const HttpResponse& response) {
    for (const auto& [name, value] : response.headers)
      if (name == "Retry-After") return value;
    return std::string();
  };
  EXPECT_EQ(wait(problem(503)), "1");
  EXPECT_EQ(wait(too_often(7)), "7");
  EXPECT_EQ(wait(problem(404)), "");
}

}  // namespace
}  // namespace hushwalk::service
