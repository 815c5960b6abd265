// The sampler of releases beside one that draws a node at a time and shares no code with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mechanism/node_noise.h"
#include "support/independent_noise.h"
#include "support/seeded.h"
#include "support/seeded_key.h"

namespace hushwalk {
namespace {

using testing::IndependentNoise;
using testing::Seeded;

// How samples are put together: as in releases, and so that rare branches are common.
const std::array<LaplaceLayout, 6> layouts = {LaplaceLayout{},
                                              {.low_part = 0},
                                              {.tail = -1},
                                              {.low_part = 1, .tail = 0},
                                              {.low_part = 0, .tail = -1, .magnitude_bits = 56},
                                              {.kept_digits = 0}};

double random_scale(Seeded& random) {
  switch (random.below(5)) {
    case 0:
      return random.uniform(1, 4);  // no low part; -0 is common
    case 3:
      return random.log_uniform(0x1p-4, 1);  // few digits, or none; -0 is the rule
    case 1:
      return static_cast<double>(1 + random.below(1000));
    case 2:
      return std::ldexp(1.0, random.between(0, 50));
    default:
      return random.log_uniform(1, 0x1p50);
  }
}

// Sixty-four nodes of a group, and how far into pieces and the node list they are.
void expect_same_group(const testing::KeyBytes& key, double scale, const LaplaceLayout& layout,
                       NoiseKind kind, std::uint64_t step, std::uint64_t first) {
  KeyedNoise noise{ReleaseKey(key)};
  std::array<std::int64_t, nodes_per_group> drawn;
  draw_by_address(noise, kind, step, DiscreteLaplace(scale, layout), first, drawn);
  IndependentNoise independent(key);
  for (std::size_t lane = 0; lane < drawn.size(); ++lane)
    ASSERT_EQ(drawn[lane], independent.draw(static_cast<std::uint64_t>(kind), step, first + lane, scale,
                                            {layout.low_part, layout.tail, layout.magnitude_bits}))
        << "lane " << lane << " of the group at " << first << ", scale " << scale;
}

TEST(AddressedNoise, IsThatOfASlowSamplerWithoutItsCode) {
  Seeded random(1);
  for (int i = 0; i < 600 && !::testing::Test::HasFatalFailure(); ++i) {
    testing::KeyBytes key;
    for (std::byte& byte : key) byte = static_cast<std::byte>(random.below(256));
    const std::uint64_t group =
        random.coin() ? random.below(4 * groups_per_piece) : random.below(std::uint64_t{1} << 26);
    const double scale = random_scale(random);
    LaplaceLayout layout = layouts[random.below(layouts.size())];
    if (layout.magnitude_bits < std::ilogb(scale) + 3) layout.magnitude_bits = 63;
    if (std::ilogb(scale) - layout.low_part > 48) layout.low_part = 7;  // 16 bits of a word are for the coin
    expect_same_group(key, scale, layout, static_cast<NoiseKind>(1 + random.below(6)), random.below(1000),
                      group * nodes_per_group);
  }
}

// Many nodes at once are drawn in batches: the same.
TEST(AddressedNoise, IsTheSameInBatches) {
  for (const double scale : {0x1p-4, 0.7, 1.0, 30.5, 0x1p40}) {
    constexpr std::size_t nodes = 5000;
    KeyedNoise noise(testing::seeded_key(3));
    std::vector<std::int64_t> drawn(nodes);
    draw_noise({noise, NoiseKind::artefact}, DiscreteLaplace(scale), drawn);
    EXPECT_EQ(drawn, IndependentNoise(testing::key_bytes(3)).draws(testing::of_artefact, 0, scale, nodes))
        << scale;
  }
}

// The control: the naive sampler tells a scale from one that is ten percent off.
TEST(AddressedNoise, ChangesWithItsScale) {
  IndependentNoise independent(testing::key_bytes(4));
  EXPECT_NE(independent.draws(1, 0, 0x1p40, 200), independent.draws(1, 0, 1.1 * 0x1p40, 200));
}

}  // namespace
}  // namespace hushwalk
