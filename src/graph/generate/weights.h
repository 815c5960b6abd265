// Expected degrees, up to scale, for models that take them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/generate/models.h"

namespace hushwalk {

// Degrees with density d^-2.5, cut off at sqrt(2m): above it the Chung-Lu probability of a pair exceeds one.
std::vector<double> power_law_weights(const GraphSize& size, std::uint64_t seed);

// The share `above` of all nodes has at least this weight.
struct WeightKnot {
  double above, weight;
};

// A piecewise power law through the knots, which go downwards in `above`; constant before the first and
// beyond the last.
std::vector<double> knotted_weights(std::uint64_t nodes, std::span<const WeightKnot> knots,
                                    std::uint64_t seed);

}  // namespace hushwalk
