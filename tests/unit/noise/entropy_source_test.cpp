#include "noise/entropy_source.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <set>
#include <type_traits>
#include <vector>

#include "hushwalk/error.h"
#include "support/replay_stream.h"

namespace hushwalk {
namespace {

using testing::take;
using Words = std::vector<std::uint64_t>;

static_assert(!std::is_copy_constructible_v<EntropySource> && !std::is_copy_assignable_v<EntropySource>);
static_assert(!std::is_copy_constructible_v<RandomStream> && !std::is_move_constructible_v<RandomStream>);

constexpr std::uint64_t usual_blocks = std::uint64_t{1} << 32;

Words fill(RandomStream& stream, std::size_t count) {
  Words words(count);
  stream.fill(words);
  return words;
}

bool no_word_twice(const Words& a, const Words& b) {
  std::set<std::uint64_t> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return all.size() == a.size() + b.size();
}

ErrorCode code_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::usage;
}

// The key and the first counter of NIST SP 800-38A, F.5.5.
bool nist_entropy(std::span<std::byte> bytes) noexcept {
  static constexpr unsigned char material[] = {
      0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
      0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4,
      0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
  if (bytes.size() != sizeof material) return false;
  std::memcpy(bytes.data(), material, sizeof material);
  return true;
}

TEST(EntropySource, IsAes256InCounterMode) {
  // Output blocks 1 and 2 of the same example.
  constexpr std::array<unsigned char, 32> expected = {
      0x0b, 0xdf, 0x7d, 0xf1, 0x59, 0x17, 0x16, 0x33, 0x5e, 0x9a, 0x8b, 0x15, 0xc8, 0x60, 0xc5, 0x02,
      0x5a, 0x6e, 0x69, 0x9d, 0x53, 0x61, 0x19, 0x06, 0x54, 0x33, 0x86, 0x3c, 0x8f, 0x65, 0x7b, 0x94};
  const auto stream = EntropySource({.entropy = nist_entropy, .blocks_per_key = usual_blocks}).stream();
  const Words words = take(*stream, 4);
  EXPECT_EQ(std::memcmp(words.data(), expected.data(), expected.size()), 0);
}

TEST(EntropySource, HasNoTwoStreamsAlike) {
  const EntropySource source;
  const auto a = source.stream(), b = source.stream();
  EXPECT_TRUE(no_word_twice(take(*a, 5000), take(*b, 5000)));
}

TEST(EntropySource, SetsHalfOfAllBits) {
  constexpr std::size_t N = 1 << 16;
  int bits = 0;
  for (const std::uint64_t word : fill(*EntropySource().stream(), N)) bits += std::popcount(word);
  EXPECT_NEAR(bits, 32.0 * N, 6 * std::sqrt(16.0 * N));
}

bool no_entropy(std::span<std::byte>) noexcept {
  errno = ENOSYS;
  return false;
}

TEST(EntropySource, FailsClosedWithoutEntropy) {
  const EntropySource source({.entropy = no_entropy, .blocks_per_key = usual_blocks});
  EXPECT_EQ(code_of([&] { source.stream(); }), ErrorCode::failed);
}

// Key material that tells which call it came from; fails from call `calls_allowed` on.
int calls = 0, calls_allowed = 0;
bool counted_entropy(std::span<std::byte> bytes) noexcept {
  if (calls >= calls_allowed) return false;
  std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(++calls));
  return true;
}

TEST(EntropySource, FailsClosedWhenEntropyEndsLater) {
  calls = 0, calls_allowed = 1;
  const auto stream = EntropySource({.entropy = counted_entropy, .blocks_per_key = 4}).stream();
  EXPECT_EQ(fill(*stream, 8).size(), 8U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(code_of([&] { fill(*stream, 1); }), ErrorCode::failed);
    EXPECT_EQ(code_of([&] { stream->next_word(); }), ErrorCode::failed);
  }
  calls_allowed = 100;  // entropy again: under a new key
  EXPECT_EQ(fill(*stream, 8).size(), 8U);
  EXPECT_EQ(calls, 2);
}

TEST(EntropySource, TakesANewKeyAfterTheBlockLimit) {
  calls = 0, calls_allowed = 100;
  const EntropySource limited({.entropy = counted_entropy, .blocks_per_key = 4});
  const Words words = fill(*limited.stream(), 24);  // three keys of eight words
  EXPECT_EQ(calls, 3);
  for (int key = 0; key < 3; ++key) {
    calls = key;
    const EntropySource unlimited({.entropy = counted_entropy, .blocks_per_key = usual_blocks});
    const Words expected = fill(*unlimited.stream(), 8);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), words.begin() + 8 * key)) << "key " << key;
  }
}

TEST(EntropySource, CountsHalfABlockAsAWholeOne) {
  calls = 0, calls_allowed = 100;
  const auto stream = EntropySource({.entropy = counted_entropy, .blocks_per_key = 4}).stream();
  Words all;
  for (int i = 0; i < 12; ++i) all.push_back(fill(*stream, 1)[0]);
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(no_word_twice(all, {}));
}

// What a forked child draws from the stream of its parent.
template <class Draw>
Words draw_in_child(RandomStream& stream, const Draw& draw, bool hide_the_fork = false) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const std::uint64_t generation = fork_generation;
  const pid_t child = fork();
  if (child == 0) {
    if (hide_the_fork) fork_generation = generation;
    const Words words = draw(stream);
    const std::size_t bytes = words.size() * sizeof words[0];
    const bool sent = write(ends[1], words.data(), bytes) == static_cast<ssize_t>(bytes);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Words words(100);
  std::size_t bytes = 0;
  while (bytes < words.size() * sizeof words[0]) {
    const ssize_t got =
        read(ends[0], reinterpret_cast<char*>(words.data()) + bytes, words.size() * sizeof words[0] - bytes);
    if (got <= 0) break;
    bytes += static_cast<std::size_t>(got);
  }
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return words;
}

Words take_100(RandomStream& stream) { return take(stream, 100); }
Words fill_100(RandomStream& stream) { return fill(stream, 100); }
Words read_100(RandomStream& stream) {
  WordReader words(stream);
  Words result(100);
  words.fill(result);
  return result;
}

class EntropyFork : public ::testing::TestWithParam<Words (*)(RandomStream&)> {};

TEST_P(EntropyFork, GivesParentAndChildDifferentWords) {
  const auto stream = EntropySource().stream();
  Words seen = take(*stream, 10);  // leaves words in the buffer
  const Words first_child = draw_in_child(*stream, GetParam());
  const Words second_child = draw_in_child(*stream, GetParam());
  const Words parent = GetParam()(*stream);
  seen.insert(seen.end(), parent.begin(), parent.end());
  EXPECT_TRUE(no_word_twice(seen, first_child));
  EXPECT_TRUE(no_word_twice(seen, second_child));
  EXPECT_TRUE(no_word_twice(first_child, second_child));
}

// The negative control: a child that does not know it is one repeats its parent.
TEST_P(EntropyFork, WouldRepeatWordsIfItWentUnnoticed) {
  const auto stream = EntropySource().stream();
  take(*stream, 10);
  const Words child = draw_in_child(*stream, GetParam(), true);
  EXPECT_EQ(child, GetParam()(*stream));
}

INSTANTIATE_TEST_SUITE_P(Noise, EntropyFork, ::testing::Values(&take_100, &fill_100, &read_100));

}  // namespace
}  // namespace hushwalk
