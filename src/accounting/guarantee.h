// The best guarantee over accountants, for chains whose scale is free: what account() and calibrate() share.
#pragma once

#include <optional>
#include <vector>

#include "accounting/accountants.h"
#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

// A pure guarantee that costs at most this much more is preferred: it needs no delta.
inline constexpr double pure_preference = 1.001;

// From what the public interface calls a design to the chain that accountants price. Error{usage} when the
// design makes no sense.
Chain chain_of(const NoiseDesign& design, double laplace_scale);

// What ran, under every accountant that fits it.
std::vector<FittingChain> fitting_chains(const NoiseDesign& design, double laplace_scale);
std::vector<FittingChain> fitting_chains(const Chain& chain);

// By one accountant, the best order unless one is given.
Guarantee price(const FittingChain& chain, std::optional<double> delta, std::optional<double> order);

// The smallest pure epsilon over these accountants, by `pure` where only rounding sets them apart.
Guarantee cheapest_pure(const std::vector<FittingChain>& chains);

// What account() certifies: pure where that is within 0.1 % of the smallest epsilon over these accountants,
// else the smallest, raised by what is left of the preference (docs/decisions/0008-preference-that-fades.md).
// A continuous function of the scale.
Guarantee certified(const std::vector<FittingChain>& chains, std::optional<double> delta);

// Of a release of which only its pure cost is known, rounded up. Error{refused} when that is above what was
// asked.
Guarantee pure_guarantee(Epsilon asked, double cost, std::optional<Delta> delta);

// The smallest divergence of each order, for composition.
PrivacyCost cost_of(const std::vector<FittingChain>& chains);

}  // namespace hushwalk::accounting
