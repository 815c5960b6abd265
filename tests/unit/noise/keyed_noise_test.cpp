#include "noise/keyed_noise.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "hushwalk/error.h"
#include "noise/discrete_laplace.h"
#include "support/error_of.h"
#include "support/seeded.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using ::testing::HasSubstr;
using testing::Seeded;
using testing::seeded_key;
using Words = std::vector<std::uint64_t>;

// Does not compile when a kind is missing.
constexpr bool is_kind(NoiseKind number) {
  switch (number) {
    case NoiseKind::step_first:
    case NoiseKind::step_second:
    case NoiseKind::rest:
    case NoiseKind::neighbors:
    case NoiseKind::artefact:
    case NoiseKind::flips:
    case NoiseKind::outside:
    case NoiseKind::circle_degrees:
    case NoiseKind::circle_coins:
    case NoiseKind::circle_coarsening:
    case NoiseKind::circle_forward:
    case NoiseKind::circle_backward:
    case NoiseKind::circle_leaving:
    case NoiseKind::frontier_among:
    case NoiseKind::frontier_into:
    case NoiseKind::frontier_out_of:
      return true;
  }
  return false;
}

std::vector<NoiseKind> all_kinds() {
  std::vector<NoiseKind> kinds;
  for (std::uint64_t number = 0; number < 1000; ++number)
    if (is_kind(NoiseKind{number})) kinds.push_back(NoiseKind{number});
  return kinds;
}

Words primary(PieceWords& piece, std::uint64_t first, std::size_t groups, std::size_t per_group = 20) {
  Words words(groups * per_group);
  piece.primary(first, per_group, words);
  return words;
}

Words own(PieceWords& piece, const std::vector<OwnBlock>& blocks) {
  Words words(blocks.size() * words_per_block);
  piece.own(blocks, words);
  return words;
}

std::vector<std::int64_t> drawn_from(const DiscreteLaplace& noise, std::uint64_t first, std::size_t count) {
  KeyedNoise source(seeded_key(5));
  std::vector<std::int64_t> drawn(count);
  draw_by_address(source, NoiseKind::artefact, 0, noise, first, drawn);
  return drawn;
}

TEST(KeyedNoise, GivesAGroupTheSameWordsWhateverWasAskedForBefore) {
  KeyedNoise one(seeded_key(1)), other(seeded_key(1));
  const PieceAddress address{NoiseKind::rest, 3, 2};
  const auto whole = one.piece(address), parts = other.piece(address);
  const Words all = primary(*whole, 0, 50);
  for (const std::uint64_t group : {7U, 49U, 8U, 0U, 10U, 9U}) {
    const Words words = primary(*parts, group, 1);
    EXPECT_TRUE(
        std::equal(words.begin(), words.end(), all.begin() + static_cast<std::ptrdiff_t>(20 * group)));
  }
  const Words both = own(*whole, {{5, 1}, {900, 0}});
  EXPECT_EQ(own(*parts, {{900, 0}}), (Words{both[2], both[3]}));
}

// Every address there can be in a small case, and every word of it: no word comes twice.
TEST(KeyedNoise, HasNoTwoAddressesAlike) {
  KeyedNoise release(seeded_key(2));
  const auto first = release.answer(0), second = release.answer(1), nested = first->answer(0);
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  const auto add = [&](const Words& words) {
    seen.insert(words.begin(), words.end());
    count += words.size();
  };
  for (NoiseSource* source : {static_cast<NoiseSource*>(&release), first.get(), second.get(), nested.get()})
    for (const NoiseKind kind : all_kinds())
      for (std::uint64_t step = 0; step < 3; ++step)
        for (std::uint64_t piece = 0; piece < 3; ++piece) {
          const auto words = source->piece({kind, step, piece});
          add(primary(*words, 0, 3));
          add(primary(*words, groups_per_piece - 1, 1));
          for (const std::uint64_t node : {0U, 1U, 63U, 64U, 65535U})
            add(own(*words, {{node, 0}, {node, 1}, {node, KeyedNoise::own_blocks - 1}}));
        }
  EXPECT_EQ(seen.size(), count);
}

TEST(KeyedNoise, SetsHalfOfAllBits) {
  constexpr std::size_t groups = 800, per_group = 100;
  const auto piece = KeyedNoise(ReleaseKey::fresh()).piece({NoiseKind::artefact, 0, 0});
  int bits = 0;
  for (const std::uint64_t word : primary(*piece, 0, groups, per_group)) bits += std::popcount(word);
  EXPECT_NEAR(bits, 32.0 * groups * per_group, 6 * std::sqrt(16.0 * groups * per_group));
}

TEST(KeyedNoise, RefusesToDrawAGroupTwice) {
  KeyedNoise noise(seeded_key(3));
  const PieceAddress address{NoiseKind::rest, 1, 0};
  const auto piece = noise.piece(address);
  primary(*piece, 10, 5);
  primary(*piece, 15, 1);
  primary(*piece, 9, 1);
  for (const auto& [first, count] : std::vector<std::pair<std::uint64_t, std::size_t>>{
           {10, 5}, {14, 1}, {12, 1}, {8, 2}, {15, 10}, {0, 30}, {9, 1}})
    EXPECT_THAT(testing::error_of([&] { primary(*piece, first, count); }), HasSubstr("twice")) << first;
  EXPECT_THAT(testing::error_of([&] { primary(*noise.piece(address), 10, 1); }), HasSubstr("twice"));
  EXPECT_EQ(testing::error_of([&] { primary(*piece, 16, 1); }), "no error");
  EXPECT_EQ(testing::error_of([&] { primary(*noise.piece({NoiseKind::rest, 2, 0}), 10, 5); }), "no error");
  EXPECT_EQ(testing::error_of([&] { primary(*noise.piece({NoiseKind::neighbors, 1, 0}), 10, 5); }),
            "no error");
  EXPECT_EQ(testing::error_of([&] { primary(*noise.piece({NoiseKind::rest, 1, 1}), 10, 5); }), "no error");
}

TEST(KeyedNoise, RefusesToGiveAnAnswerItsNoiseTwice) {
  KeyedNoise noise(seeded_key(3));
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{4}, ~std::uint64_t{0}}) {
    noise.answer(number);
    EXPECT_THAT(testing::error_of([&] { noise.answer(number); }), HasSubstr("twice")) << number;
  }
}

// So many blocks under one key, and not one more: 2^17 for all groups of a piece, 2^15 for each of its 2^16
// nodes.
TEST(KeyedNoise, FailsClosedBeyondTheBlocksOfOneKey) {
  constexpr std::uint64_t all = std::uint64_t{1} << 32;
  static_assert(nodes_per_piece * KeyedNoise::own_blocks + groups_per_piece * 128 <= all);
  const auto piece = KeyedNoise(seeded_key(3)).piece({NoiseKind::rest, 0, 0});
  EXPECT_EQ(testing::error_of([&] { own(*piece, {{nodes_per_piece - 1, KeyedNoise::own_blocks - 1}}); }),
            "no error");
  EXPECT_THAT(testing::error_of([&] { own(*piece, {{0, KeyedNoise::own_blocks}}); }),
              HasSubstr("more words"));
  EXPECT_THAT(testing::error_of([&] { own(*piece, {{nodes_per_piece, 0}}); }), HasSubstr("more words"));
  EXPECT_EQ(testing::error_of([&] { primary(*piece, groups_per_piece - 1, 1, 256); }), "no error");
  EXPECT_THAT(testing::error_of([&] { primary(*piece, 0, 1, 258); }), HasSubstr("more than one key serves"));
  EXPECT_THAT(testing::error_of([&] { primary(*piece, groups_per_piece - 2, 3); }),
              HasSubstr("more than one key serves"));
  EXPECT_THAT(testing::error_of([&] { primary(*piece, ~std::uint64_t{0}, 2); }),
              HasSubstr("more than one key serves"));
}

// A draw that asks for ever: words of zeros under coins that zeros never decide.
TEST(KeyedNoise, EndsADrawThatAsksForTooManyWords) {
  class Zeros final : public PieceWords {
   public:
    explicit Zeros(PieceWords& piece) : piece_(piece) {}
    void primary(std::uint64_t, std::size_t, std::span<std::uint64_t> words) override {
      std::ranges::fill(words, 0);
    }
    void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) override {
      piece_.own(blocks, words);
      std::ranges::fill(words, 0);
    }

   private:
    PieceWords& piece_;
  };
  const auto piece = KeyedNoise(seeded_key(3)).piece({NoiseKind::rest, 0, 0});
  Zeros zeros(*piece);
  std::vector<std::int64_t> drawn(64);
  EXPECT_THAT(testing::error_of([&] { DiscreteLaplace(1).fill(zeros, 0, drawn); }), HasSubstr("more words"));
}

// However many nodes are drawn, from wherever on, across pieces: a node has its sample.
TEST(AddressedDraw, GivesANodeTheSameSampleWhateverElseIsDrawn) {
  for (const double scale : {1.0, 2.5, 1000.25, 0x1p40}) {
    const DiscreteLaplace noise(scale);
    constexpr std::size_t nodes = 2 * nodes_per_piece + 1000;
    const std::vector<std::int64_t> all = drawn_from(noise, 0, nodes);
    Seeded random(1);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t first = i % 3 == 0 ? nodes_per_piece - nodes_per_group * random.below(20)
                                             : nodes_per_group * random.below(nodes / 64);
      const std::size_t count =
          std::min<std::size_t>(1 + random.below(i % 10 == 0 ? 5000 : 700), nodes - first);
      const auto some = drawn_from(noise, first, count);
      ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(first)))
          << scale << ' ' << first << ' ' << count;
    }
  }
}

TEST(AddressedDraw, BeginsAtAGroup) {
  KeyedNoise source(seeded_key(1));
  std::vector<std::int64_t> drawn(10);
  EXPECT_THROW(draw_by_address(source, NoiseKind::rest, 0, DiscreteLaplace(5), 32, drawn), Error);
}

TEST(KeyedNoise, RefusesAnotherNumberOfWordsForTheGroupsOfAStep) {
  KeyedNoise noise(testing::seeded_key(1));
  const auto piece = noise.piece({NoiseKind::rest, 0, 0});
  Words words(8);
  piece->primary(0, 8, words);
  EXPECT_NE(testing::error_of([&] { piece->primary(1, 4, std::span(words).first(4)); }).find("words a group"),
            std::string::npos);
  EXPECT_NE(testing::error_of([&] {
              noise.piece({NoiseKind::rest, 0, 1})->primary(0, 4, std::span(words).first(4));
            }).find("words a group"),
            std::string::npos);
  noise.piece({NoiseKind::rest, 1, 0})->primary(0, 4, std::span(words).first(4));  // another step
}

}  // namespace
}  // namespace hushwalk
