#include "ledger/budget.h"

#include <algorithm>
#include <limits>

#include "accounting/conversion.h"
#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::ledger {
namespace {

double curve_at(const PrivacyCost& cost, double order) {
  const auto orders = PrivacyCost::orders();
  const auto found = std::ranges::find(orders, order);
  if (found == orders.end()) fail("the ledger counts at order {}, which this version does not know", order);
  return cost.rdp()[static_cast<std::size_t>(found - orders.begin())];
}

// The part of the budget that is left for divergence at this order.
double room(double order, double epsilon, double delta) {
  return epsilon - accounting::epsilon_up(order, 0, delta);
}

}  // namespace

Spending plus(const Spending& a, const Spending& b) {
  return {plus(a.units, b.units), accounting::add_up(a.rdp, b.rdp)};
}

double Budget::epsilon(const Spending& spending) const {
  const double pure = number(spending.units);
  if (!delta || spending.units == 0) return pure;
  return std::min(pure, accounting::epsilon_up(order, spending.rdp, *delta));
}

double Budget::left(const Spending& spending) const {
  if (!limited) return std::numeric_limits<double>::infinity();
  const double spent = epsilon(spending);
  const bool pure = spent == number(spending.units);
  return std::max(pure ? number(units - spending.units) : number(units) - spent, 0.0);
}

bool Budget::holds(const Spending& spending) const {
  if (!limited) return true;
  if (spending.units <= units) return true;
  return delta && accounting::epsilon_up(order, spending.rdp, *delta) <= number_down(units);
}

Units Budget::largest_that_fits(const Spending& spending, std::uint64_t count) const {
  const auto fits = [&](Units each) {
    const double rdp = accounting::mul_up(spending_of(each, *this).rdp, accounting::count_up(count));
    // Added one by one they are rounded up as often as they are added.
    const double rounding = 1 + 0x1p-51 * accounting::count_up(count);
    return holds({plus(times(each, count), spending.units),
                  accounting::mul_up(accounting::add_up(spending.rdp, rdp), rounding)});
  };
  Units low = 0, high = units + 1;  // the search stays below the whole budget
  while (high - low > 1) {
    const Units middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

Budget make_budget(Units units, std::optional<double> delta) {
  if (!delta) return {units, {}, 0, true};
  // A small release of pure epsilon e costs about order * e^2 / 2.
  const auto worth = [&](double order) { return room(order, number(units), *delta) / order; };
  const auto finite = PrivacyCost::orders().first(PrivacyCost::orders().size() - 1);
  return {units, delta, *std::ranges::max_element(finite, {}, worth), true};
}

Spending spending_of(const PrivacyCost& cost, Units units, const Budget& budget) {
  return {units, budget.delta ? curve_at(cost, budget.order) : 0};
}

Spending spending_of(Units units, const Budget& budget) {
  if (units == 0 || !budget.delta) return {units, 0};
  // Not below the number that the units stand for.
  return spending_of(PrivacyCost::of(Epsilon(number(units) * (1 + 1e-15))), units, budget);
}

}  // namespace hushwalk::ledger
