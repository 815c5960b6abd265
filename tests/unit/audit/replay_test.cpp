#include "audit/replay.h"

#include <gtest/gtest.h>

#include "support/seeded_source.h"

namespace hushwalk::auditing {
namespace {

std::vector<std::uint64_t> words(const RandomSource& source, std::uint64_t index, std::size_t count) {
  std::vector<std::uint64_t> result(count);
  source.stream(index)->fill(result);
  return result;
}

TEST(TapeSource, HandsOutTheRecordedWordsAgain) {
  const testing::SeededSource first(1), second(2);
  const TapeSource record(first);
  const auto one = words(record, 7, 10), two = words(record, 9, 3), again = words(record, 7, 4);
  EXPECT_EQ(one, words(first, 7, 10));
  const TapeSource replay(second, record.used());
  EXPECT_EQ(words(replay, 7, 10), one);
  EXPECT_EQ(words(replay, 9, 3), two);
  EXPECT_EQ(words(replay, 7, 4), again);
  EXPECT_EQ(replay.used(), record.used());
}

TEST(TapeSource, GoesOnWithFreshWordsAndShowsIt) {
  const testing::SeededSource first(1), second(2);
  const TapeSource record(first);
  const auto recorded = words(record, 0, 5);
  const TapeSource replay(second, record.used());
  auto longer = words(replay, 0, 8);
  EXPECT_TRUE(std::equal(recorded.begin(), recorded.end(), longer.begin()));
  EXPECT_NE(replay.used(), record.used());
  EXPECT_EQ(words(replay, 1, 2), words(second, 1, 2));
}

}  // namespace
}  // namespace hushwalk::auditing
