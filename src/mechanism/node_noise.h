// Noise for all nodes, drawn in the order of the public node list: how often and in which order the source is
// asked depends on public numbers only, never on edges or threads.
#pragma once

#include <cstdint>
#include <span>

#include "noise/discrete_laplace.h"
#include "noise/random_source.h"

namespace hushwalk {

// The streams of one answer; `round` tells its draws apart.
struct NoiseStreams {
  const RandomSource& source;
  std::uint64_t answer;
};

// One draw for each entry of `out`.
void draw_noise(const NoiseStreams& streams, std::uint64_t round, const DiscreteLaplace& noise,
                std::span<std::int64_t> out);

// Sums with noise saturate: noise alone reaches the end of int64 with probability e^-8192.
std::int64_t saturated_sum(std::int64_t a, std::int64_t b);

}  // namespace hushwalk
