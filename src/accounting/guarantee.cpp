#include "accounting/guarantee.h"

#include <algorithm>

#include "accounting/accountants.h"
#include "accounting/conversion.h"
#include "accounting/design.h"
#include "accounting/renyi.h"
#include "base/fail.h"

namespace hushwalk {
namespace accounting {

std::vector<Accountant> fitting_accountants(const NoiseDesign& design) {
  std::vector<Accountant> fitting;
  for (const Accountant accountant : all_accountants)
    if (hushwalk::misfit(accountant, design).empty()) fitting.push_back(accountant);
  return fitting;
}

namespace {

// A pure epsilon does not become smaller with a delta.
double chosen_order(Accountant accountant, const Chain& chain, std::optional<double> delta) {
  if (!delta || accountant == Accountant::pure) return infinite_order;
  return best_order([&](double order) { return fitting_renyi_up(accountant, chain, order).rdp; }, *delta)
      .order;
}

}  // namespace

Guarantee price(Accountant accountant, const Chain& chain, std::optional<double> delta,
                std::optional<double> order) {
  check_fit(accountant, chain);
  const double at = order ? *order : chosen_order(accountant, chain, delta);
  const Divergence divergence = fitting_renyi_up(accountant, chain, at);
  Guarantee result;
  result.accountant = accountant;
  result.delta = delta;
  result.order = at;
  result.rdp = divergence.rdp;
  result.tau = divergence.tau;
  result.pure_epsilon =
      at == infinite_order ? divergence.rdp : fitting_renyi_up(accountant, chain, infinite_order).rdp;
  result.epsilon = delta ? epsilon_up(at, divergence.rdp, *delta) : result.pure_epsilon;
  return result;
}

Guarantee cheapest(const std::vector<Accountant>& accountants, const Chain& chain,
                   std::optional<double> delta) {
  std::optional<Guarantee> best;
  for (const Accountant accountant : accountants) {
    const Guarantee one = price(accountant, chain, delta, {});
    if (!best || one.epsilon < best->epsilon) best = one;
  }
  return *best;
}

namespace {

bool preferred(const Guarantee& pure, const Guarantee& best) {
  return pure.epsilon <= best.epsilon * pure_preference;
}

// The smallest divergence at one order.
Guarantee cheapest_at(double order, const std::vector<Accountant>& accountants, const Chain& chain,
                      std::optional<double> delta) {
  std::optional<Guarantee> best;
  for (const Accountant accountant : accountants) {
    const Guarantee one = price(accountant, chain, delta, order);
    if (!best || one.rdp < best->rdp) best = one;
  }
  return *best;
}

}  // namespace
}  // namespace accounting

using namespace accounting;

Guarantee account(const NoisyRun& run, std::optional<Delta> delta, std::optional<Accountant> accountant,
                  std::optional<RenyiOrder> order) {
  const NoiseDesign& design = run.design;
  const Chain chain = chain_of(design, run.laplace_scale.value());
  const std::optional<double> d = delta ? std::optional(delta->value()) : std::nullopt;
  const std::optional<double> at = order ? std::optional(order->value()) : std::nullopt;
  if (accountant) {
    if (const std::string reason = misfit(*accountant, design); !reason.empty())
      refuse("the accountant '{}' does not fit: {}", name(*accountant), reason);
    return price(*accountant, chain, d, at);
  }
  const std::vector<Accountant> fitting = fitting_accountants(design);
  const Guarantee pure = cheapest(fitting, chain, {}), simple = price(Accountant::pure, chain, d, {});
  Guarantee best = at ? cheapest_at(*at, fitting, chain, d) : d ? cheapest(fitting, chain, d) : pure;
  if (!at && preferred(simple, best)) best = simple;
  best.pure_epsilon = preferred(simple, pure) ? simple.epsilon : pure.epsilon;
  if (!d) best.epsilon = best.pure_epsilon;
  return best;
}

}  // namespace hushwalk
