#pragma once

#include <array>
#include <cstdint>

#include "noise/lazy_bernoulli.h"
#include "noise/random_source.h"

namespace hushwalk::testing {

// Sixty-four coins from one stream: eight planes, then words for those that are not decided, in the order of
// lanes.
inline std::uint64_t draw_lanes(const LazyBernoulli& coins, WordReader& words) {
  std::array<std::uint64_t, LazyBernoulli::planes> planes;
  words.fill(planes);
  auto [below, undecided] = coins.compare(planes);
  for (; undecided != 0; undecided &= undecided - 1)
    if (coins.settle(words)) below |= undecided & -undecided;
  return below;
}

}  // namespace hushwalk::testing
