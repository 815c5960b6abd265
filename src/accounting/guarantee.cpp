#include "accounting/guarantee.h"

#include <algorithm>

#include "accounting/conversion.h"
#include "accounting/renyi.h"
#include "base/fail.h"

namespace hushwalk {
namespace accounting {
namespace {

constexpr double pure_rounding = 1 + 1e-11;  // sums over many steps, rounded up, against one division

// The search for an order walks all steps thousands of times.
constexpr std::size_t max_steps = 10'000;

// A pure epsilon does not become smaller with a delta.
double chosen_order(const FittingChain& chain, std::optional<double> delta) {
  if (!delta || chain.accountant() == Accountant::pure) return infinite_order;
  if (chain.steps() > max_steps)
    refuse(
        "with a `delta`, noise in every step is priced for at most {} steps, not {}; use fewer steps, no `delta`, or `mechanism output`",
        max_steps, chain.steps());
  return best_order([&](double order) { return chain.renyi_up(order).rdp; }, *delta).order;
}

template <class Price, class Value>
Guarantee cheapest(const std::vector<FittingChain>& chains, Price price_of, Value value) {
  std::optional<Guarantee> best;
  for (const FittingChain& chain : chains) {
    const Guarantee one = price_of(chain);
    if (!best || value(one) < value(*best)) best = one;
  }
  return *best;
}

// The smallest divergence at one order; without a delta what is certified is the pure epsilon.
Guarantee certified_at(double order, const std::vector<FittingChain>& chains, std::optional<double> delta) {
  const auto at_order = [&](const FittingChain& chain) { return price(chain, delta, order); };
  const Guarantee lowest = cheapest(chains, at_order, [](const Guarantee& one) { return one.rdp; });
  Guarantee result = cheapest_pure(chains);
  if (!delta) {
    result.rdp = lowest.rdp;
    result.order = order;
    return result;
  }
  const double pure_epsilon = result.epsilon;
  result = lowest;
  result.pure_epsilon = pure_epsilon;
  return result;
}

}  // namespace

std::vector<FittingChain> fitting_chains(const NoiseDesign& design, double laplace_scale) {
  const Chain chain = chain_of(design, laplace_scale);
  std::vector<FittingChain> fitting;
  for (const Accountant accountant : all_accountants)
    if (hushwalk::unfit_reason(accountant, design).empty()) fitting.emplace_back(accountant, chain);
  return fitting;
}

std::vector<FittingChain> fitting_chains(const Chain& chain) {
  std::vector<FittingChain> fitting;
  for (const Accountant accountant : all_accountants)
    if (unfit_reason(accountant, chain).empty()) fitting.emplace_back(accountant, chain);
  return fitting;
}

Guarantee price(const FittingChain& chain, std::optional<double> delta, std::optional<double> order) {
  const double at = order ? *order : chosen_order(chain, delta);
  const Divergence divergence = chain.renyi_up(at);
  Guarantee result;
  result.accountant = chain.accountant();
  result.delta = delta;
  result.order = at;
  result.rdp = divergence.rdp;
  result.tau = divergence.tau;
  result.pure_epsilon = at == infinite_order ? divergence.rdp : chain.renyi_up(infinite_order).rdp;
  result.epsilon = delta ? epsilon_up(at, divergence.rdp, *delta) : result.pure_epsilon;
  return result;
}

Guarantee cheapest_pure(const std::vector<FittingChain>& chains) {
  const auto pure = [](const FittingChain& chain) { return price(chain, {}, {}); };
  const Guarantee best = cheapest(chains, pure, [](const Guarantee& one) { return one.epsilon; });
  const Guarantee simple = pure(chains.front());
  return simple.accountant == Accountant::pure && simple.epsilon <= best.epsilon * pure_rounding ? simple
                                                                                                 : best;
}

// From a ratio pure : best of 1.001 to one of 1.002 the certified epsilon falls from pure to best.
Guarantee certified(const std::vector<FittingChain>& chains, std::optional<double> delta) {
  Guarantee pure = cheapest_pure(chains);
  if (!delta) return pure;
  const auto with_delta = [&](const FittingChain& chain) { return price(chain, delta, {}); };
  Guarantee best = cheapest(chains, with_delta, [](const Guarantee& one) { return one.epsilon; });
  const double limit = best.epsilon * pure_preference;
  if (pure.epsilon <= limit) {
    pure.delta = delta;
    return pure;
  }
  best.epsilon = std::max(best.epsilon, limit - (pure.epsilon - limit));
  best.pure_epsilon = pure.epsilon;
  return best;
}

Guarantee pure_guarantee(Epsilon asked, double cost, std::optional<Delta> delta) {
  if (!(cost <= asked.value()))
    refuse("the noise would cost epsilon = {}, more than the {} that was asked for", cost, asked.value());
  Guarantee guarantee;
  guarantee.epsilon = guarantee.rdp = guarantee.pure_epsilon = asked.value();
  if (delta) guarantee.delta = delta->value();
  guarantee.order = std::numeric_limits<double>::infinity();
  guarantee.accountant = Accountant::pure;
  return guarantee;
}

}  // namespace accounting

using namespace accounting;

Guarantee account(const NoisyRun& run, std::optional<Delta> delta, std::optional<Accountant> accountant,
                  std::optional<RenyiOrder> order) {
  const NoiseDesign& design = run.design;
  const std::optional<double> d = delta ? std::optional(delta->value()) : std::nullopt;
  const std::optional<double> at = order ? std::optional(order->value()) : std::nullopt;
  if (accountant) {
    if (const std::string reason = unfit_reason(*accountant, design); !reason.empty())
      refuse("the accountant '{}' does not fit: {}", name(*accountant), reason);
    return price({*accountant, chain_of(design, run.laplace_scale.value())}, d, at);
  }
  const std::vector<FittingChain> chains = fitting_chains(design, run.laplace_scale.value());
  return at ? certified_at(*at, chains, d) : certified(chains, d);
}

}  // namespace hushwalk
