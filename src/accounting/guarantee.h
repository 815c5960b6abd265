// The best guarantee over accountants, for a chain whose scale is free: what account() and calibrate() share.
#pragma once

#include <optional>
#include <vector>

#include "accounting/chain.h"
#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

// A pure guarantee that costs at most this much more is preferred: it needs no delta.
inline constexpr double pure_preference = 1.001;

std::vector<Accountant> fitting_accountants(const NoiseDesign& design);

// By one accountant, the best order unless one is given.
Guarantee price(Accountant accountant, const Chain& chain, std::optional<double> delta,
                std::optional<double> order);

// The smallest epsilon over these accountants.
Guarantee cheapest(const std::vector<Accountant>& accountants, const Chain& chain,
                   std::optional<double> delta);

}  // namespace hushwalk::accounting
