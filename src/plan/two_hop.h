// What the plan and the release of `twohop` agree on.
#pragma once

#include <cstddef>

#include "accounting/edge_cost.h"
#include "hushwalk/plan.h"

namespace hushwalk {

// Without a background, from an epsilon of 0.4 on.
bool releases_separate_numbers(const ReleaseParameters& parameters);

// The weight r of the background where there is one score, without tuning: more noise, more background.
double default_background(double epsilon);

// Which Plan::noise is on what. One score: of the nodes in N, and in O.
inline constexpr std::size_t in_noise = 0, out_noise = 1;
// Separate numbers: two columns, links into N and into O, each for the nodes in N and for those in O.
inline constexpr std::size_t into_near = 0, into_far = 1, separate_columns = 2;
constexpr std::size_t near_noise(std::size_t column) { return column; }
constexpr std::size_t far_noise(std::size_t column) { return separate_columns + column; }

inline constexpr double separate_taper = 100;
// The scales of separate numbers at which every kind of edge costs at most epsilon, given S_w.
accounting::SeparateScales separate_scales(double epsilon, double taper_sensitivity);
// Their noise, in that order.
std::vector<NoiseUse> separate_noise(const accounting::SeparateScales& scales);

}  // namespace hushwalk
