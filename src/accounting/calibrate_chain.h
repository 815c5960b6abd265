// Noise for a chain whose scale is free: what calibrate() does for a design, for any chain.
#pragma once

#include <optional>

#include "accounting/chain.h"
#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

struct CalibratedChain {
  double scale;
  Guarantee guarantee;
};

// The smallest scale at which the best of the accountants that fit certifies epsilon; never too small.
CalibratedChain calibrate_chain(const Chain& chain, double epsilon, std::optional<double> delta);

}  // namespace hushwalk::accounting
