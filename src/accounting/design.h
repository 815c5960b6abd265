// From what the public interface calls a design to the chain that accountants price.
#pragma once

#include "accounting/chain.h"
#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

// Error{usage} when the design makes no sense.
Chain chain_of(const NoiseDesign& design, double laplace_scale);

}  // namespace hushwalk::accounting
