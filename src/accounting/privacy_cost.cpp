// Composition of many releases: Rényi divergences of one order add up (Mironov 2017, Proposition 1), pure
// epsilons too. docs/math/19-composition.md.
#include <algorithm>
#include <cmath>

#include "accounting/accountants.h"
#include "accounting/conversion.h"
#include "accounting/guarantee.h"
#include "accounting/renyi.h"
#include "accounting/round_up.h"
#include "hushwalk/accounting.h"

namespace hushwalk {

using namespace accounting;

namespace {

// 1 + 10^(i/16) from 1.01 to about 1e6: a grid between whose points the conversion loses little.
std::vector<double> make_orders() {
  constexpr int per_decade = 16, lowest = -2, highest = 6;
  std::vector<double> orders;
  for (int i = lowest * per_decade; i < highest * per_decade; ++i)
    orders.push_back(1 + std::pow(10, static_cast<double>(i) / per_decade));
  orders.push_back(1e6);
  orders.push_back(infinite_order);
  return orders;
}

}  // namespace

std::span<const double> PrivacyCost::orders() {
  static const std::vector<double> grid = make_orders();
  return grid;
}

PrivacyCost::PrivacyCost() : rdp_(orders().size(), 0.0) {}

PrivacyCost accounting::cost_of(const std::vector<FittingChain>& chains) {
  PrivacyCost cost;
  for (std::size_t i = 0; i < cost.rdp_.size(); ++i) {
    cost.rdp_[i] = infinite_order;
    for (const FittingChain& chain : chains)
      cost.rdp_[i] = std::min(cost.rdp_[i], chain.renyi_up(PrivacyCost::orders()[i]).rdp);
  }
  return cost;
}

PrivacyCost PrivacyCost::of(const NoisyRun& run) {
  return cost_of(fitting_chains(run.design, run.laplace_scale.value()));
}

PrivacyCost PrivacyCost::of(Epsilon pure_epsilon) {
  PrivacyCost cost;
  for (std::size_t i = 0; i < cost.rdp_.size(); ++i)
    cost.rdp_[i] = randomized_response_renyi_up(orders()[i], pure_epsilon.value());
  return cost;
}

PrivacyCost& PrivacyCost::operator+=(const PrivacyCost& other) {
  for (std::size_t i = 0; i < rdp_.size(); ++i) rdp_[i] = add_up(rdp_[i], other.rdp_[i]);
  return *this;
}

PrivacyCost PrivacyCost::times(std::uint64_t count) const {
  PrivacyCost cost = *this;
  for (double& rdp : cost.rdp_) rdp = mul_up(rdp, count_up(count));
  return cost;
}

double PrivacyCost::epsilon(std::optional<Delta> delta) const {
  double best = pure_epsilon();
  if (!delta) return best;
  for (std::size_t i = 0; i < rdp_.size(); ++i)
    best = std::min(best, epsilon_up(orders()[i], rdp_[i], delta->value()));
  return best;
}

}  // namespace hushwalk
