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
#include "noise/discrete_gaussian.h"
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
    std::nan(""),         inf,  -inf, 0.0, -0.0, -1.0, 0x1p-1074, 1e-300, 0.5, 0.999999999999,
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
    expect_usage_error([&] { DiscreteLaplaceSet{std::vector<double>{2, scale}}; },
                       "scale of discrete Laplace");
  }
  EXPECT_NO_THROW(DiscreteLaplace{1});
  EXPECT_NO_THROW(DiscreteLaplace{0x1p50});
}

TEST(DiscreteGaussian, RefusesSigmasThatMakeNoSense) {
  for (const double sigma : nonsense)
    expect_usage_error([&] { DiscreteGaussian{sigma}; }, "sigma of discrete Gaussian");
  expect_usage_error([&] { DiscreteGaussian{0x1.1p49}; }, "2^49");
  EXPECT_NO_THROW(DiscreteGaussian{0x1p49});
}

RC_GTEST_PROP(DiscreteLaplace, DrawsTheSameWhenEveryComparisonGoesPastTheKeptDigits, (std::uint64_t seed)) {
  const double scale = std::ldexp(1 + *rc::gen::inRange(0, 1 << 20) * 0x1p-20, *rc::gen::inRange(0, 50));
  const DiscreteLaplace usual(scale), forced(scale, {.kept_digits = 0});
  RC_ASSERT(draw(usual, seed, 200) == draw(forced, seed, 200));
}

RC_GTEST_PROP(DiscreteLaplace, StaysWithinReachOfItsScale, (std::uint64_t seed)) {
  const double scale = std::ldexp(1 + *rc::gen::inRange(0, 1 << 20) * 0x1p-20, *rc::gen::inRange(0, 50));
  for (const std::int64_t sample : draw(DiscreteLaplace(scale), seed, 100))
    RC_ASSERT(std::abs(static_cast<double>(sample)) < 60 * scale);  // fails once in e^60 / 100
}

TEST(DiscreteLaplace, FillsSpansOfAnyLength) {
  const DiscreteLaplace laplace(1e6);
  for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U}) {
    const Samples samples = draw(laplace, 1, count);
    EXPECT_EQ(std::count(samples.begin(), samples.end(), 0), 0) << count;
  }
  // A prefix is the same however much is asked for.
  const Samples all = draw(laplace, 2, 1000), some = draw(laplace, 2, 100);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
}

// Random words that are all zero are smaller than every bias: every coin shows true, for ever.
TEST(DiscreteLaplace, SaturatesInsteadOfOverflowing) {
  for (const double scale : {1.0, 3.5, 0x1p20}) {
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
// following 64. Every other coin is false, so that the sample is L itself, or rejected and lane 1 comes
// first.
std::int64_t first_sample(double scale, std::uint64_t L, std::uint64_t F, bool tie, std::uint64_t next,
                          bool first_coin) {
  const int digits = 10, low_parts = 64, planes = 8;
  const std::uint64_t ones = ~std::uint64_t{0};
  std::vector<std::uint64_t> words(digits * planes, ones);
  words.push_back(0);  // signs
  words.push_back(F << 48 | L);
  for (std::uint64_t lane = 1; lane < low_parts; ++lane) words.push_back(ones << 48 | lane);
  if (tie) words.push_back(next);
  if (first_coin) words.push_back(ones);  // the second coin is false: rejected
  words.insert(words.end(), planes, ones);
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
          const std::int64_t sample =
              first_sample(static_cast<double>(t), L, F, F == digit, next, first_coin);
          EXPECT_EQ(sample, first_coin ? 1 : static_cast<std::int64_t>(L)) << t << ' ' << L << ' ' << F;
        }
      }
    }
  }
}

TEST(DiscreteLaplaceSet, DrawsEveryEntryWithItsScale) {
  const std::vector<double> scales = {5, 0x1p40, 5, 1.25, 0x1p40, 5};
  const DiscreteLaplaceSet set(scales);
  Samples samples(scales.size());
  set.fill(*SeededSource(3).stream(0), scales, samples);

  const auto stream = SeededSource(3).stream(0);
  Samples small(1), middle(3), large(2);
  DiscreteLaplace(1.25).fill(*stream, small);
  DiscreteLaplace(5).fill(*stream, middle);
  DiscreteLaplace(0x1p40).fill(*stream, large);
  EXPECT_EQ(samples, (Samples{middle[0], large[0], middle[1], small[0], large[1], middle[2]}));
}

TEST(DiscreteLaplaceSet, RefusesScalesItWasNotMadeFor) {
  const DiscreteLaplaceSet set(std::vector<double>{2, 3});
  const auto stream = SeededSource(3).stream(0);
  Samples two(2);
  const auto fill = [&](const std::vector<double>& scales) { set.fill(*stream, scales, two); };
  expect_usage_error([&] { fill({2, 2.5}); }, "no sampler was made for scale 2.5");
  expect_usage_error([&] { fill({2, std::nan("")}); }, "no sampler");
  expect_usage_error([&] { fill({2, 3, 3}); }, "3 scales for 2 samples");
}

}  // namespace
}  // namespace hushwalk
