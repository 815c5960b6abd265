// A limit on what may be spent, and whether a spending stays within it: docs/math/22-ledger.md.
#pragma once

#include <cstdint>
#include <optional>

#include "accounting/units.h"
#include "hushwalk/accounting.h"

namespace hushwalk::ledger {

using accounting::Units, accounting::units_per_one, accounting::written_units_up,
    accounting::written_units_down, accounting::computed_units_up, accounting::plus, accounting::times,
    accounting::decimal, accounting::number, accounting::number_down;

// What releases have cost together: the sum of pure epsilons, and of Rényi divergences of one fixed order.
struct Spending {
  Units units = 0;
  double rdp = 0;
  friend bool operator==(const Spending&, const Spending&) = default;
};

Spending plus(const Spending& a, const Spending& b);  // rounded up

struct Budget {
  Units units = 0;
  std::optional<double> delta;  // none: only pure sums count
  double order = 0;             // of the Rényi divergence, fixed before the first release; 0 without delta
  bool limited = true;          // false: there is no limit, and `units` says nothing

  // The smaller of the pure and the Rényi total.
  double epsilon(const Spending& spending) const;
  // Of the limit after that; exact where it is the pure total.
  double left(const Spending& spending) const;
  bool holds(const Spending& spending) const;
  // What one more pure release, made `count` times, may cost each; 0 when nothing fits.
  Units largest_that_fits(const Spending& spending, std::uint64_t count) const;
};

// The order under which most small releases fit, from the grid of PrivacyCost.
Budget make_budget(Units units, std::optional<double> delta);

// What a release costs under a budget: `units` is its pure epsilon, as asked or as computed.
Spending spending_of(const PrivacyCost& cost, Units units, const Budget& budget);
// The same for a release of which only the pure epsilon is known.
Spending spending_of(Units units, const Budget& budget);

}  // namespace hushwalk::ledger
