// Scores from the separate numbers of `twohop`. Like all of estimate.h it comes after the noise and never
// sees the graph.
#pragma once

#include <vector>

#include "accounting/edge_cost.h"
#include "estimate/estimate.h"

namespace hushwalk {

// Noisy numbers in links, by Node, and the Laplace scales of their noise; a seed's entries mean nothing.
struct SeparateNumbers {
  std::vector<double> into_near;  // links into N
  std::vector<double> into_far;   // for v in N links into O, for v in O tapered links inside O
  accounting::SeparateScales scales;
};

// The errors are those of the links into N alone, without the shrinkage, which makes them smaller at the
// price of a bias: sqrt(2) scale times the factor with which such a link enters a score.
Estimate estimate_separate(const SeparateNumbers& noisy, const SeedVector& seed, const OwnLinks& own,
                           const Series& theta);

}  // namespace hushwalk
