// Noise for a chain whose scale is free: what calibrate() does for a design, for any chain.
#pragma once

#include <optional>
#include <vector>

#include "accounting/guarantee.h"

namespace hushwalk::accounting {

struct CalibratedChain {
  double scale;
  Guarantee guarantee;
};

// The smallest scale at which the accountants certify epsilon; never too small. The scale of the chains does
// not matter.
CalibratedChain calibrate_chains(const std::vector<FittingChain>& chains, double epsilon,
                                 std::optional<double> delta);

}  // namespace hushwalk::accounting
