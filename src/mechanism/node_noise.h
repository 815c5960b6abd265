// Noise for nodes, by address: which words serve a number depends on its kind, its step and its place in the
// public node list only, never on edges, threads or other numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "hushwalk/diffusion.h"
#include "hushwalk/graph.h"
#include "noise/discrete_laplace.h"

namespace hushwalk {

// The numbers of a kind and step of one source, which may be drawn once.
struct NoiseAddress {
  NoiseSource& source;
  NoiseKind kind;
  std::uint64_t step = 0;
};

// One draw for each node from `first` on, a multiple of 64; all threads.
void draw_noise(const NoiseAddress& address, const DiscreteLaplace& noise, std::span<std::int64_t> out,
                Node first = 0);

// One draw for each of some nodes, in ascending order. Only their groups of 64 are drawn.
std::vector<std::int64_t> draw_noise_for(const NoiseAddress& address, const DiscreteLaplace& noise,
                                         std::span<const Node> nodes);

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
void add_noise_by_part(NoiseSource& source, std::uint64_t column, const NoiseByPart& noise,
                       const SeedVector& seed, std::span<const Node> near, std::span<std::int64_t> numbers);

}  // namespace hushwalk
