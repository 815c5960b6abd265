#include "noise/coarsening.h"

#include <gtest/gtest.h>

#include <numeric>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <vector>

#include "hushwalk/error.h"
#include "support/independent_noise.h"
#include "support/sanitized.h"
#include "support/seeded.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<1000, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;
using Integer = boost::multiprecision::cpp_int;
using testing::IndependentNoise;

Real ratio(double fine, double coarse) {
  const auto part = [](double scale) -> Real {
    const Real q = exp(-1 / Real(scale));
    return q / ((1 - q) * (1 - q));
  };
  return part(fine) / part(coarse);
}

double random_scale(testing::Seeded& random) { return random.log_uniform(0x1p-4, 1000); }

TEST(CoarseningBias, HasTheDigitsThatAThousandBitsGive) {
  testing::Seeded random(5);
  for (int i = 0; i < 60; ++i) {
    const double a = random_scale(random), b = random_scale(random);
    const double fine = std::min(a, b), coarse = std::max(a, b);
    if (fine == coarse) continue;
    const CoarseningBias bias{exact_fraction(fine), exact_fraction(coarse)};
    for (const int first : {0, 64, 200}) {
      const Integer scaled(floor(ldexp(ratio(fine, coarse), first + 64)));
      EXPECT_EQ(bias.digits(static_cast<std::uint64_t>(first)),
                static_cast<std::uint64_t>(scaled & ~std::uint64_t{0}))
          << fine << ' ' << coarse << ' ' << first;
    }
  }
}

// The lemma, term by term: the law of a fine draw plus W is the coarse law.
TEST(Coarsening, MakesTheFineLawIntoTheCoarseOne) {
  for (const auto& [fine, coarse] : {std::pair{2.0, 13.5}, {0.3, 4.0}, {1.0, 1.25}}) {
    const auto law = [](double scale, int k) {
      const double q = std::exp(-1 / scale);
      return (1 - q) / (1 + q) * std::pow(q, std::abs(k));
    };
    const auto nothing = ratio(fine, coarse).convert_to<double>();
    for (int k = 0; k <= 6; ++k) {
      double sum = nothing * law(fine, k);
      for (int j = -800; j <= 800; ++j) sum += (1 - nothing) * law(fine, k - j) * law(coarse, j);
      EXPECT_NEAR(sum / law(coarse, k), 1, 1e-12) << fine << ' ' << coarse << ' ' << k;
    }
  }
}

TEST(Coarsening, IsThatOfASlowSamplerWithoutItsCode) {
  for (const auto& [fine, coarse] : {std::pair{2.0, 13.5}, {0.3, 4.0}, {1.0, 1.25}}) {
    constexpr std::size_t nodes = testing::sanitized ? 200 : 3000;
    std::vector<std::int64_t> drawn(nodes);
    KeyedNoise noise(testing::seeded_key(7));
    Coarsening(fine, coarse).draw(noise, NoiseKind::circle_coins, NoiseKind::circle_coarsening, 0, drawn);
    IndependentNoise independent(testing::key_bytes(7));
    for (std::size_t v = 0; v < nodes; ++v)
      ASSERT_EQ(drawn[v], independent.coarsening(9, 10, v, fine, coarse)) << v << ' ' << fine;
  }
}

TEST(Coarsening, RefusesToMakeNoiseFiner) {
  EXPECT_THROW(Coarsening(2, 2), Error);
  EXPECT_THROW(Coarsening(3, 2), Error);
  EXPECT_THROW(Coarsening(0.01, 2), Error);
}

// Words that all agree with the digits, whichever are asked for, so that every coin is a tie for a while.
class Ties final : public PieceWords {
 public:
  Ties(CoarseningBias bias, std::uint64_t words, std::uint64_t last, std::vector<std::uint64_t>& nodes)
      : bias_(bias), words_(words), last_(last), nodes_(nodes) {}
  void primary(std::uint64_t, std::size_t, std::span<std::uint64_t> words) override {
    std::ranges::fill(words, word(0));
  }
  void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) override {
    ASSERT_EQ(words.size(), 2 * blocks.size());
    for (const OwnBlock& block : blocks)
      if (block.block == 0) nodes_.push_back(block.node);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = word(1 + 2 * blocks[i / 2].block + i % 2);
  }

 private:
  std::uint64_t word(std::uint64_t number) const {
    return bias_.digits(64 * number) + (number == words_ ? last_ : 0);
  }
  CoarseningBias bias_;
  std::uint64_t words_, last_;
  std::vector<std::uint64_t>& nodes_;  // whose own streams were asked for
};
class TiedSource final : public NoiseSource {
 public:
  TiedSource(CoarseningBias bias, std::uint64_t words, std::uint64_t last)
      : bias_(bias), words_(words), last_(last), noise_(testing::seeded_key(1)) {}
  std::unique_ptr<NoiseSource> answer(std::uint64_t) override { return nullptr; }
  std::unique_ptr<PieceWords> piece(const PieceAddress& address) override {
    if (address.kind == NoiseKind::circle_coins) return std::make_unique<Ties>(bias_, words_, last_, nodes);
    return noise_.piece(address);
  }

  std::vector<std::uint64_t> nodes = {};

 private:
  CoarseningBias bias_;
  std::uint64_t words_, last_;
  KeyedNoise noise_;
};

TEST(Coarsening, GoesOnWithExactDigitsOnATie) {
  const double fine = 2, coarse = 13.5;
  const CoarseningBias bias{exact_fraction(fine), exact_fraction(coarse)};
  for (const std::uint64_t words : {0U, 1U, 2U, 3U, 7U})
    for (const bool below : {true, false}) {
      TiedSource source(bias, words, below ? ~std::uint64_t{0} : 1);
      std::vector<std::int64_t> drawn(640);
      Coarsening(fine, coarse).draw(source, NoiseKind::circle_coins, NoiseKind::circle_coarsening, 0, drawn);
      const auto zeros = std::ranges::count(drawn, 0);
      EXPECT_EQ(zeros == 640, below) << words;
      std::vector<std::uint64_t> each(words == 0 ? 0 : 640);
      std::iota(each.begin(), each.end(), 0);
      EXPECT_EQ(source.nodes, each);
    }
}

}  // namespace
}  // namespace hushwalk
