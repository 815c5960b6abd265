#include "noise/discrete_laplace.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "hushwalk/error.h"
#include "support/replay_stream.h"
#include "support/seeded_source.h"

namespace hushwalk {
namespace {

using ::testing::HasSubstr;
using testing::ReplayStream;
using testing::SeededSource;
using Samples = std::vector<std::int64_t>;

constexpr double inf = std::numeric_limits<double>::infinity();
const std::vector<double> nonsense = {
    std::nan(""),         inf,  -inf, 0.0, -0.0, -1.0, 0x1p-1074, 1e-300, 0.03, 0x1.fffffffffffffp-5,
    0x1.0000000000001p50, 1e16, 1e300};

Samples draw(const DiscreteLaplace& laplace, std::uint64_t seed, std::size_t count) {
  const auto stream = SeededSource(seed).stream(0);
  Samples samples(count);
  laplace.fill(*stream, samples);
  return samples;
}

template <class Action>
void expect_usage_error(const Action& action, const std::string& message) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(DiscreteLaplace, RefusesScalesThatMakeNoSense) {
  for (const double scale : nonsense) {
    expect_usage_error([&] { DiscreteLaplace{scale}; }, "scale of discrete Laplace");
  }
  for (const double scale : {0x1p-4, 0.0626, 0.5, 0.999999999999, 1.0})
    EXPECT_NO_THROW(DiscreteLaplace{scale});
  EXPECT_NO_THROW(DiscreteLaplace{0x1p50});
}

RC_GTEST_PROP(DiscreteLaplace, DrawsTheSameWhenEveryComparisonGoesPastTheKeptDigits, (std::uint64_t seed)) {
  const double scale = std::ldexp(1 + *rc::gen::inRange(0, 1 << 20) * 0x1p-20, *rc::gen::inRange(-4, 50));
  const DiscreteLaplace usual(scale), forced(scale, {.kept_digits = 0});
  RC_ASSERT(draw(usual, seed, 200) == draw(forced, seed, 200));
}

RC_GTEST_PROP(DiscreteLaplace, StaysWithinReachOfItsScale, (std::uint64_t seed)) {
  const double scale = std::ldexp(1 + *rc::gen::inRange(0, 1 << 20) * 0x1p-20, *rc::gen::inRange(-4, 50));
  for (const std::int64_t sample : draw(DiscreteLaplace(scale), seed, 100))
    RC_ASSERT(std::abs(static_cast<double>(sample)) < 60 * scale);  // fails once in e^60 / 100
}

TEST(DiscreteLaplace, FillsSpansOfAnyLength) {
  const DiscreteLaplace laplace(1e6);
  for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U}) {
    const Samples samples = draw(laplace, 1, count);
    EXPECT_EQ(std::count(samples.begin(), samples.end(), 0), 0) << count;
  }
}

// Random words that are all zero are smaller than every bias: every coin shows true, for ever.
TEST(DiscreteLaplace, SaturatesInsteadOfOverflowing) {
  for (const double scale : {0x1p-4, 0.3, 1.0, 3.5, 0x1p20}) {
    const int bits = std::ilogb(scale) + 10;
    ReplayStream zeros({});
    Samples samples(1);
    DiscreteLaplace(scale, {.magnitude_bits = bits}).fill(zeros, samples);
    EXPECT_EQ(samples[0], (std::int64_t{1} << bits) - 1) << scale;
  }
  ReplayStream zeros({});
  Samples samples(200);
  DiscreteLaplace(0x1p50).fill(zeros, samples);
  for (const std::int64_t sample : samples) EXPECT_EQ(sample, std::numeric_limits<std::int64_t>::max());
}

// Lane 0 holds the low part L and the first 16 bits F of its first coin, of bias L / t; `next` are the
// following 64. Every other coin is false, so that the sample is L itself, or rejected: another proposal, of
// ones, is the largest low part, negative.
constexpr std::int64_t largest_low = (1 << 13) - 1;
std::int64_t first_sample(double scale, std::uint64_t L, std::uint64_t F, bool tie, std::uint64_t next) {
  const int coins = 11, low_parts = 64, planes = 8;
  const std::uint64_t ones = ~std::uint64_t{0};
  std::vector<std::uint64_t> words(coins * planes, ones);
  words.push_back(0);  // signs
  words.push_back(F << 48 | L);
  for (std::uint64_t lane = 1; lane < low_parts; ++lane) words.push_back(ones << 48 | lane);
  words.push_back(0);  // to make the number even
  if (tie) words.push_back(next);
  words.insert(words.end(), 20, ones);  // the second coin, if there is one, is false: rejected
  ReplayStream stream(words);
  Samples samples(1);
  DiscreteLaplace(scale).fill(stream, samples);
  return samples[0];
}

// The uniform real F.next is compared with L / t in integers; 16 bits accept no low part that they must not.
TEST(DiscreteLaplace, AcceptsALowPartAsItsFirstCoinSays) {
  __extension__ typedef unsigned __int128 Wide;
  for (const std::uint64_t t : {1U << 20, 3U << 19, 1234567U}) {
    const std::uint64_t surely = (std::uint64_t{1} << (13 + 16)) / t + 1;
    for (const std::uint64_t L : {2U, 100U, 4095U, 8190U, 8191U}) {
      const std::uint64_t digit = (L << 16) / t;
      const auto beyond = static_cast<std::uint64_t>((Wide{(L << 16) % t} << 64) / t);
      for (const std::uint64_t F : {std::uint64_t{0}, digit - 1, digit, digit + 1, surely - 1, surely}) {
        if (F > 0xffff) continue;
        for (const std::uint64_t next : {std::uint64_t{0}, beyond - 1, beyond + 1, ~std::uint64_t{0}}) {
          const bool first_coin = ((Wide{F} << 64) + next) * t < Wide{L} << 80;
          const std::int64_t sample = first_sample(static_cast<double>(t), L, F, F == digit, next);
          EXPECT_EQ(sample, first_coin ? -largest_low : static_cast<std::int64_t>(L))
              << t << ' ' << L << ' ' << F;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hushwalk
