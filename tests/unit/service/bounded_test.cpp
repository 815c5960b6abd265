// What remembers within bounds.
#include "service/bounded.h"

#include <gtest/gtest.h>

namespace hushwalk::service {
namespace {

using namespace std::chrono_literals;

AnswerCache::Kept kept_answer(const std::string& body, std::int64_t forgotten = 0) {
  return {{.body = std::make_shared<const std::string>(body)}, forgotten};
}

TEST(AnswerCache, RepeatsWhatItKeptForTheSameWords) {
  AnswerCache cache(1 << 20, 60s);
  cache.keep("a", kept_answer("one", 7));
  ASSERT_TRUE(cache.find("a"));
  EXPECT_EQ(*cache.find("a")->response.body, "one");
  EXPECT_EQ(cache.find("a")->forgotten, 7);
  EXPECT_FALSE(cache.find("a "));
  cache.keep("a", kept_answer("two"));
  EXPECT_EQ(*cache.find("a")->response.body, "two");
  cache.clear();
  EXPECT_FALSE(cache.find("a"));
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(AnswerCache, ForgetsTheLeastRecentlyUsedFirstAndStaysWithinItsBytes) {
  AnswerCache cache(10'000, 60s);
  cache.keep("first", kept_answer(std::string(1'000, 'x')));
  cache.keep("second", kept_answer(std::string(1'000, 'x')));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(cache.find("first"));
    cache.keep(std::to_string(i), kept_answer(std::string(1'000, 'x')));
    EXPECT_LE(cache.bytes(), 10'000U);
  }
  EXPECT_FALSE(cache.find("second"));
  EXPECT_TRUE(cache.find("99"));
}

TEST(AnswerCache, KeepsNothingThatWouldDriveOutMostOfIt) {
  AnswerCache cache(10'000, 60s);
  cache.keep("small", kept_answer("x"));
  cache.keep("large", kept_answer(std::string(5'000, 'x')));
  EXPECT_TRUE(cache.find("small"));
  EXPECT_FALSE(cache.find("large"));
  AnswerCache none(0, 60s);
  none.keep("a", kept_answer("x"));
  EXPECT_FALSE(none.find("a"));
}

TEST(AnswerCache, RepeatsNothingThatIsTooOld) {
  AnswerCache cache(10'000, -1s);
  cache.keep("a", kept_answer("x"));
  EXPECT_FALSE(cache.find("a"));
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(RateLimits, AllowSoManyAMinuteAndSayWhenThereIsOneAgain) {
  RateLimits limits;
  const RateLimits::Clock::time_point start{};
  for (int i = 0; i < 60; ++i) EXPECT_TRUE(limits.take("a", 60, start).allowed);
  const auto [allowed, wait] = limits.take("a", 60, start);
  EXPECT_FALSE(allowed);
  EXPECT_EQ(wait, 2);
  EXPECT_TRUE(limits.take("b", 60, start).allowed) << "each for themselves";
  EXPECT_FALSE(limits.take("a", 60, start + 900ms).allowed);
  EXPECT_TRUE(limits.take("a", 60, start + 1'100ms).allowed);
  EXPECT_FALSE(limits.take("a", 60, start + 1'200ms).allowed);
}

TEST(RateLimits, LetNobodySaveUpMoreThanAMinute) {
  RateLimits limits;
  const RateLimits::Clock::time_point start{};
  int allowed = 0;
  limits.take("a", 10, start);
  for (int i = 0; i < 100; ++i) allowed += limits.take("a", 10, start + 24h).allowed ? 1 : 0;
  EXPECT_EQ(allowed, 10);
}

TEST(RateLimits, CountTogetherWhoeverTheyCannotRemember) {
  RateLimits limits;
  const RateLimits::Clock::time_point start{};
  int allowed = 0;
  for (int i = 0; i < 10'300; ++i) allowed += limits.take(std::to_string(i), 5, start).allowed ? 1 : 0;
  EXPECT_EQ(allowed, 10'005);
  EXPECT_TRUE(limits.take("later", 5, start + 2min).allowed) << "those who rested are forgotten";
}

TEST(Places, AreSoManyAtOnceForEachNameAndComeBack) {
  Places places;
  const auto first = places.take("a", 2);
  auto second = places.take("a", 2);
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(places.take("a", 2));
  EXPECT_TRUE(places.take("b", 2)) << "each for themselves";
  second.reset();
  EXPECT_TRUE(places.take("a", 2));
}

TEST(Places, OfOneAreNotTwoWhenTheyAreHeldTwice) {
  Places places;
  auto first = places.take("a", 2);
  const auto also_first = first;
  EXPECT_TRUE(places.take("a", 2));
  const auto second = places.take("a", 2);
  first.reset();
  EXPECT_FALSE(places.take("a", 2)) << "somebody still holds the first";
}

TEST(Places, AreRememberedOfThoseWhoHoldThem) {
  Places places;
  const auto held = places.take("a", 1);
  for (int i = 0; i < 20'100; ++i) EXPECT_TRUE(places.take(std::to_string(i), 1));
  EXPECT_FALSE(places.take("a", 1));
}

}  // namespace
}  // namespace hushwalk::service
