// Noise for all nodes, drawn in the order of the public node list: how often and in which order the source is
// asked depends on public numbers only, never on edges or threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "hushwalk/diffusion.h"
#include "hushwalk/graph.h"
#include "noise/discrete_laplace.h"
#include "noise/random_source.h"

namespace hushwalk {

inline constexpr std::uint64_t streams_per_answer = std::uint64_t{1} << 40;

// The streams of one answer; `round` tells its draws apart.
struct NoiseStreams {
  const RandomSource& source;
  std::uint64_t answer;
};

// One draw for each entry of `out`.
void draw_noise(const NoiseStreams& streams, std::uint64_t round, const DiscreteLaplace& noise,
                std::span<std::int64_t> out);

// value + noise, saturated at +-limit. Noise itself saturates at 2^63 - 1, which must not show: with |value|
// and the limit below 2^62 the sum is clamped wherever that happens, and a clamp of the exact sum is
// post-processing (docs/math/20-discrete-sampler.md).
inline constexpr std::int64_t largest_limit = (std::int64_t{1} << 62) - 1;
inline std::int64_t plus_noise(std::int64_t value, std::int64_t noise, std::int64_t limit = largest_limit) {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(std::clamp<Wide>(Wide{value} + noise, -limit, limit));
}

// Noise of one scale for the seed's neighbours, of another for the rest; a seed has no number and gets none.
struct NoiseByPart {
  DiscreteLaplace near, far;
};
void add_noise_by_part(const NoiseStreams& streams, std::uint64_t round, const NoiseByPart& noise,
                       const SeedVector& seed, std::span<const Node> near, std::span<std::int64_t> numbers);

}  // namespace hushwalk
