#include "noise/random_source.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/replay_stream.h"
#include "support/seeded_source.h"

namespace hushwalk {
namespace {

using testing::ReplayStream;
using testing::SeededSource;
using testing::take;

std::vector<std::uint64_t> counting_to(std::uint64_t last) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t word = 1; word <= last; ++word) words.push_back(word);
  return words;
}

TEST(RandomStream, HandsOutEveryWordOnce) {
  ReplayStream stream(counting_to(2000));
  EXPECT_EQ(take(stream, 2000), counting_to(2000));
}

TEST(WordReader, GoesOnWhereTheStreamWasAndGivesItsPlaceBack) {
  ReplayStream stream(counting_to(2000));
  EXPECT_EQ(take(stream, 3), counting_to(3));
  {
    WordReader words(stream);
    for (std::uint64_t expected = 4; expected <= 1000; ++expected) ASSERT_EQ(words.next_word(), expected);
    std::vector<std::uint64_t> more(200);
    words.fill(more);
    EXPECT_EQ(more.front(), 1001U);
    EXPECT_EQ(more.back(), 1200U);
  }
  EXPECT_EQ(stream.next_word(), 1201U);
}

class FailingStream final : public RandomStream {
 public:
  void fill(std::span<std::uint64_t> words) override {
    const bool fails = calls_++ > 0;
    for (std::uint64_t& word : words)
      word = fails ? 0 : next_++;  // scribbles before it throws, as a cipher may
    if (fails) throw 1;
  }

 private:
  int calls_ = 0;
  std::uint64_t next_ = 1;
};

TEST(WordReader, LeavesNoWordsBehindWhenTheStreamFails) {
  FailingStream stream;
  const auto exhaust = [&] {
    WordReader words(stream);
    for (;;) words.next_word();
  };
  EXPECT_THROW(exhaust(), int);
  EXPECT_THROW(stream.next_word(), int);
  EXPECT_THROW(stream.next_word(), int);
}

TEST(SeededSource, RepeatsItselfWhateverTheOrderOfStreams) {
  const SeededSource source(7);
  const auto second = source.stream(2), first = source.stream(1);
  const auto again = SeededSource(7).stream(1);
  EXPECT_EQ(take(*first, 700), take(*again, 700));
  EXPECT_EQ(take(*second, 10), take(*SeededSource(7).stream(2), 10));
}

TEST(SeededSource, HasAnotherStreamForEverySeedAndIndex) {
  std::set<std::uint64_t> words;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t index = 0; index < 20; ++index)
      words.insert(SeededSource(seed).stream(index)->next_word());
  EXPECT_EQ(words.size(), 400U);
}

}  // namespace
}  // namespace hushwalk
