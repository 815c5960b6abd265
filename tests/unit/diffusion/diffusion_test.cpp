#include "hushwalk/diffuse.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "hushwalk/error.h"

namespace hushwalk {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// The message of the usage error `make` throws; empty when there is none.
template <class Make>
std::string complaint(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

std::string json_complaint(std::string_view text) {
  return complaint([&] { Diffusion::custom_from_json(text); });
}

TEST(Diffusion, PprIsTheLazyWalkOfThePaper) {
  const Diffusion ppr = Diffusion::ppr();
  EXPECT_EQ(ppr.name(), "ppr");
  ASSERT_EQ(ppr.steps().size(), 100U);
  EXPECT_EQ(ppr.steps()[99].walk, 0.4);
  EXPECT_EQ(ppr.steps()[99].stay, 0.4);
  EXPECT_DOUBLE_EQ(ppr.steps()[99].restart, 0.2);
  EXPECT_FALSE(ppr.has_negative());
}

TEST(Diffusion, PagerankDoesNotStay) {
  const Diffusion pagerank = Diffusion::pagerank(0.5, 3);
  ASSERT_EQ(pagerank.steps().size(), 3U);
  EXPECT_EQ(pagerank.steps()[0].walk, 0.5);
  EXPECT_EQ(pagerank.steps()[0].stay, 0);
  EXPECT_EQ(pagerank.steps()[0].restart, 0.5);
}

TEST(Diffusion, HeatDividesTimeIntoEqualSteps) {
  const Diffusion heat = Diffusion::heat(5, 20);
  ASSERT_EQ(heat.steps().size(), 20U);
  EXPECT_EQ(heat.steps()[7].walk, 0.25);
  EXPECT_EQ(heat.steps()[7].stay, 0.75);
  EXPECT_EQ(heat.steps()[7].restart, 0);
  EXPECT_EQ(Diffusion::heat(20, 20).steps()[0].stay, 0);
}

TEST(Diffusion, RefusesBetaOutsideTheOpenUnitInterval) {
  for (const double beta : {0.0, 1.0, -0.1, 1.5, nan, inf}) {
    EXPECT_THAT(complaint([&] { Diffusion::ppr(beta, 10); }), HasSubstr("`beta` is")) << beta;
    EXPECT_THAT(complaint([&] { Diffusion::pagerank(beta, 10); }), HasSubstr("`beta` is")) << beta;
  }
}

TEST(Diffusion, RefusesTooFewOrTooManySteps) {
  for (const int steps : {0, -1, 1'000'001}) {
    EXPECT_THAT(complaint([&] { Diffusion::ppr(0.8, steps); }), HasSubstr("from 1 to 1000000"));
    EXPECT_THAT(complaint([&] { Diffusion::pagerank(0.8, steps); }), HasSubstr("from 1 to 1000000"));
    EXPECT_THAT(complaint([&] { Diffusion::heat(0.1, steps); }), HasSubstr("from 1 to 1000000"));
  }
}

TEST(Diffusion, RefusesHeatWithMoreTimeThanSteps) {
  for (const double time : {0.0, -1.0, 10.5, nan, inf})
    EXPECT_THAT(complaint([&] { Diffusion::heat(time, 10); }),
                AllOf(HasSubstr("`time` is"), HasSubstr("10")));
}

TEST(Diffusion, TakesCustomStepsThatSumToOne) {
  const Diffusion custom = Diffusion::custom({{0.5, 0.25, 0.25}, {1.5, -0.5, 5e-10}});
  EXPECT_EQ(custom.name(), "custom");
  EXPECT_TRUE(custom.has_negative());
  EXPECT_FALSE(Diffusion::custom({{1, -0.0, 0}}).has_negative());
  EXPECT_TRUE(Diffusion::custom({{1, 0.5, -0.5}}).has_negative())
      << "a negative restart alone makes scores negative";
}

TEST(Diffusion, RefusesCustomStepsThatDoNot) {
  EXPECT_THAT(complaint([] { Diffusion::custom({}); }), HasSubstr("at least one step"));
  EXPECT_THAT(complaint([] { Diffusion::custom({{1, 0, 0}, {0.5, 0.5, 0.1}}); }),
              AllOf(HasSubstr("1.1"), HasSubstr("step 2")));
  EXPECT_THAT(complaint([] { Diffusion::custom({{nan, 0, 0}}); }), HasSubstr("finite"));
  EXPECT_THAT(complaint([] { Diffusion::custom({{inf, -inf, 1}}); }), HasSubstr("finite"));
  EXPECT_THAT(complaint([] { Diffusion::custom({{1e308, 1e308, 0}}); }), HasSubstr("it must be 1"));
}

TEST(Diffusion, ReadsCustomStepsFromJson) {
  const Diffusion custom =
      Diffusion::custom_from_json(R"({"gamma1": [0.5, 1], "gamma2": [0.25, 0], "gamma3": [0.25, 0.0]})");
  ASSERT_EQ(custom.steps().size(), 2U);
  EXPECT_EQ(custom.steps()[0].walk, 0.5);
  EXPECT_EQ(custom.steps()[0].stay, 0.25);
  EXPECT_EQ(custom.steps()[0].restart, 0.25);
  EXPECT_EQ(custom.steps()[1].walk, 1);
}

TEST(Diffusion, SaysWhatIsWrongWithJson) {
  EXPECT_THAT(json_complaint("{\n\"gamma1\": [1,,"), AllOf(HasSubstr("line 2"), HasSubstr("not valid JSON")));
  EXPECT_THAT(json_complaint(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(json_complaint(std::string("{}\0more", 7)), HasSubstr("not valid JSON"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [1e999], "gamma2": [0], "gamma3": [0]})"), HasSubstr("1e999"));
  EXPECT_THAT(json_complaint("[1, 2]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [1], "gamma2": [0]})"), HasSubstr(R"(no "gamma3")"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [1], "gamma2": [0], "gamma3": [0], "beta": 1})"),
              HasSubstr(R"(unknown key "beta")"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [1, "x"], "gamma2": [0], "gamma3": [0]})"),
              HasSubstr(R"(item 2 of "gamma1" is not a number: string)"));
  EXPECT_THAT(json_complaint(R"({"gamma1": 1, "gamma2": [0], "gamma3": [0]})"),
              HasSubstr(R"("gamma1" must be a list)"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [1, 1], "gamma2": [0], "gamma3": [0]})"),
              HasSubstr("have 2, 1 and 1 numbers"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [], "gamma2": [], "gamma3": []})"),
              HasSubstr("at least one step"));
  EXPECT_THAT(json_complaint(R"({"gamma1": [0.9], "gamma2": [0], "gamma3": [0]})"),
              HasSubstr("it must be 1"));
}

TEST(SeedVector, ScalesWeightsAndSortsNodes) {
  const SeedVector seeds = SeedVector::weighted({{7, 3}, {2, 1}});
  ASSERT_EQ(seeds.entries().size(), 2U);
  EXPECT_EQ(seeds.entries()[0], (std::pair<Node, double>{2, 0.25}));
  EXPECT_EQ(seeds.entries()[1], (std::pair<Node, double>{7, 0.75}));
  EXPECT_TRUE(seeds.contains(7));
  EXPECT_FALSE(seeds.contains(3));
  EXPECT_TRUE(SeedVector(5).contains(5));
}

TEST(SeedVector, ScalesEvenHugeWeights) {
  EXPECT_EQ(SeedVector::weighted({{0, 1.7e308}, {1, 1.7e308}}).entries()[1].second, 0.5);
}

TEST(SeedVector, RefusesNonsense) {
  EXPECT_THAT(complaint([] { SeedVector::weighted({}); }), HasSubstr("at least one"));
  EXPECT_THAT(complaint([] { SeedVector::weighted({{4, 1}, {3, 1}, {4, 2}}); }),
              HasSubstr("seed 4 is given twice"));
  for (const double weight : {0.0, -1.0, nan, inf})
    EXPECT_THAT(complaint([&] { SeedVector::weighted({{3, weight}}); }), HasSubstr("weight of seed 3"));
  EXPECT_THAT(complaint([] { SeedVector::weighted({{3, 1e-300}, {4, 1e300}}); }), HasSubstr("too small"));
}

TEST(SeedVector, IsTheSameAgainOfItsEntries) {
  std::vector<std::pair<Node, double>> weights;
  for (Node node = 0; node < 1000; ++node) weights.emplace_back(node, 1.0 / (node + 3));
  const SeedVector seeds = SeedVector::weighted(std::move(weights));
  const SeedVector again = SeedVector::of_entries({seeds.entries().begin(), seeds.entries().end()});
  EXPECT_TRUE(std::ranges::equal(seeds.entries(), again.entries()));
}

TEST(SeedVector, IsMadeOfNothingButEntries) {
  using Entries = std::vector<std::pair<Node, double>>;
  for (const Entries& entries :
       {Entries{}, Entries{{3, 0.5}, {2, 0.5}}, Entries{{3, 0.5}, {3, 0.5}}, Entries{{2, 1.5}, {3, -0.5}},
        Entries{{2, 1.0}, {3, 0.0}}, Entries{{2, 0.5}, {3, 0.5000001}}, Entries{{2, nan}}, Entries{{2, inf}}})
    EXPECT_THAT(complaint([&] { SeedVector::of_entries(entries); }), HasSubstr("that sum to 1"));
}

}  // namespace
}  // namespace hushwalk
