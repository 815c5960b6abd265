#include "noise/lazy_bernoulli.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "noise/exact_bernoulli.h"
#include "support/lanes.h"
#include "support/replay_stream.h"
#include "support/seeded_source.h"

namespace hushwalk {
namespace {

using testing::draw_lanes;
using testing::ReplayStream;
using testing::SeededSource;
using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<1000, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using Integer = boost::multiprecision::cpp_int;
using Words = std::vector<std::uint64_t>;

// The same digits by floating point with a thousand bits.
std::uint64_t digits_by_reals(const ExpFraction& bias, int first) {
  const Real value = 1 / (exp(Real(bias.numerator) / bias.denominator) + (bias.one ? 1 : 0));
  const Integer scaled(floor(ldexp(value, first + 64)));
  return static_cast<std::uint64_t>(scaled & ~std::uint64_t{0});
}

RC_GTEST_PROP(ExpFraction, HasTheDigitsThatAThousandBitsGive, ()) {
  const auto denominator = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 53);
  const auto numerator = *rc::gen::inRange<std::uint64_t>(1, denominator * 16);
  const ExpFraction bias{numerator, denominator, *rc::gen::arbitrary<bool>()};
  const int first = *rc::gen::inRange(0, 500);
  RC_ASSERT(bias.digits(static_cast<std::uint64_t>(first)) == digits_by_reals(bias, first));
}

TEST(ExpFraction, HasTheRightDigitsAtTheEndsOfTheRange) {
  for (const int scale_bits : {0, 1, 25, 50}) {
    for (int i = 0; i <= scale_bits + 4; ++i) {
      const ExpFraction bias{std::uint64_t{1} << i, std::uint64_t{1} << scale_bits, i % 2 == 0};
      EXPECT_EQ(bias.digits(0), digits_by_reals(bias, 0)) << scale_bits << ' ' << i;
      EXPECT_EQ(bias.digits(136), digits_by_reals(bias, 136)) << scale_bits << ' ' << i;
    }
  }
}

// e^-1 = 0.0101 1110 0010 1101 ...: eight planes that agree with it in every lane.
const ExpFraction inverse_of_e{1, 1, false};
Words planes_that_agree() {
  Words planes;
  for (const int digit : {0, 1, 0, 1, 1, 1, 1, 0}) planes.push_back(digit == 1 ? ~std::uint64_t{0} : 0);
  return planes;
}

TEST(LazyBernoulli, DecidesALaneByItsFirstDifferentBit) {
  Words planes = planes_that_agree();
  planes[0] = 0xf0;                    // lanes 4 to 7: larger at once
  planes[1] = ~std::uint64_t{0xff00};  // lanes 8 to 15: smaller at the second digit
  for (int lane = 16; lane < 64; ++lane) planes[7] |= std::uint64_t{1} << lane;  // larger at the last
  planes.insert(planes.end(), 8, 0);  // whatever is left (lanes 0 to 3) is smaller
  ReplayStream stream(planes);
  WordReader words(stream);
  EXPECT_EQ(draw_lanes(LazyBernoulli(inverse_of_e), words), 0xff0fU);
}

TEST(LazyBernoulli, ComparesOneCoinAsItComparesSixtyFour) {
  for (const ExpFraction& bias : {inverse_of_e, ExpFraction{1, 3, true}, ExpFraction{1, 1000, true}})
    for (unsigned byte = 0; byte < 256; ++byte) {
      Words planes;
      for (int digit = 7; digit >= 0; --digit)
        planes.push_back((byte >> digit & 1) != 0 ? ~std::uint64_t{0} : 0);
      const LazyBernoulli coin(bias);
      const auto [below, undecided] = coin.compare(std::span(planes).first<8>());
      const int order = coin.compare(static_cast<std::uint8_t>(byte));
      EXPECT_EQ(below, order < 0 ? ~std::uint64_t{0} : 0);
      EXPECT_EQ(undecided, order == 0 ? ~std::uint64_t{0} : 0);
    }
}

// On a tie of all 136 kept digits the next ones decide, and they are the exact ones.
TEST(LazyBernoulli, GoesOnWithExactDigitsOnATie) {
  const Words kept = {inverse_of_e.digits(8), inverse_of_e.digits(72)};
  const std::uint64_t exact = digits_by_reals(inverse_of_e, 136), beyond = digits_by_reals(inverse_of_e, 200);
  const auto draw_first_lane = [&](const Words& tail) {
    Words all = planes_that_agree();
    all[0] |= ~std::uint64_t{1};  // only lane 0 is undecided
    all.insert(all.end(), kept.begin(), kept.end());
    all.insert(all.end(), tail.begin(), tail.end());
    ReplayStream stream(all);
    WordReader words(stream);
    return draw_lanes(LazyBernoulli(inverse_of_e), words);
  };
  EXPECT_EQ(draw_first_lane({exact - 1}), 1U);
  EXPECT_EQ(draw_first_lane({exact + 1}), 0U);
  EXPECT_EQ(draw_first_lane({exact, beyond - 1}), 1U);
  EXPECT_EQ(draw_first_lane({exact, beyond + 1}), 0U);
}

RC_GTEST_PROP(LazyBernoulli, DrawsTheSameWithoutKeptDigits, (std::uint64_t seed)) {
  const auto denominator = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const ExpFraction bias{*rc::gen::inRange<std::uint64_t>(1, 8 * denominator), denominator, true};
  const LazyBernoulli usual(bias), forced(bias, 0);
  const auto a = SeededSource(seed).stream(0), b = SeededSource(seed).stream(0);
  WordReader first(*a), second(*b);
  for (int i = 0; i < 20; ++i) RC_ASSERT(draw_lanes(usual, first) == draw_lanes(forced, second));
}

TEST(ExactBernoulli, KnowsTheCertainAndTheImpossible) {
  const auto stream = SeededSource(1).stream(0);
  WordReader words(*stream);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE((draw_fraction<Uint128>(words, 0, 5)));
    EXPECT_TRUE((draw_fraction<Uint128>(words, 5, 5)));
    EXPECT_TRUE((draw_exp<Uint128>(words, 0, 5)));
  }
}

TEST(ExactBernoulli, ComparesFurtherDigitsOnATie) {
  const std::uint64_t third = 0x5555555555555555;  // every digit of 1/3 in base 2^64
  const auto draw = [](const Words& all) {
    ReplayStream stream(all);
    WordReader words(stream);
    return draw_fraction<Uint128>(words, 1, 3);
  };
  EXPECT_TRUE(draw({third - 1}));
  EXPECT_FALSE(draw({third + 1}));
  EXPECT_TRUE(draw({third, third, third - 1}));
  EXPECT_FALSE(draw({third, third, third + 1}));
}

}  // namespace
}  // namespace hushwalk
