// What the plan and the release of `frontier` agree on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hushwalk/plan.h"

namespace hushwalk {

// How many nodes a second look takes at most: about a fifth of all, fewer with more epsilon. The same on
// every machine.
std::uint64_t frontier_size(std::uint64_t nodes, double epsilon);

// Which Plan::noise is on what, after the four of `twohop` in separate numbers.
inline constexpr std::size_t among_noise = 4, into_noise = 5, out_of_noise = 6;

}  // namespace hushwalk
