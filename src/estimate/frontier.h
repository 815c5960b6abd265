// Scores from the numbers of `frontier`. After the noise, as all of estimate.h.
#pragma once

#include <vector>

#include "estimate/separate.h"

namespace hushwalk {

// Noisy numbers in links, by Node. Where no set was chosen they are those of `twohop`.
struct FrontierNumbers {
  SeparateNumbers separate;  // into_far of the nodes of A is links into R
  std::vector<double> into_set;
  std::vector<char> in_set;  // A
  accounting::FrontierScales scales;
};

Estimate estimate_frontier(const FrontierNumbers& noisy, const SeedVector& seed, const OwnLinks& own,
                           const Series& theta);

}  // namespace hushwalk
