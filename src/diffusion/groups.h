// How seeds are laid side by side. The answer does not depend on it, only the time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "diffusion/rows.h"
#include "hushwalk/diffuse.h"

namespace hushwalk {

// Lanes (1, 8 or 16) of the next group when `seeds` >= 1 are still to do on a graph of `nodes` nodes,
// wherever they lie.
using ChooseLanes = std::size_t (*)(std::uint64_t nodes, std::size_t seeds);

std::size_t choose_lanes(std::uint64_t nodes, std::size_t seeds);

// diffuse_exactly() of hushwalk/diffuse.h with another choice, by node of `rows`. With a tolerance, a
// diffusion whose steps are all alike ends when a step moves no value by more than that part of it: then how
// long it takes depends on the edges.
std::vector<std::vector<double>> diffuse_in_groups(const Rows& rows, const Diffusion& diffusion,
                                                   std::span<const SeedVector> seeds,
                                                   const std::optional<Clip>& clip, const Progress& progress,
                                                   ChooseLanes choose, std::optional<double> tolerance = {});

}  // namespace hushwalk
