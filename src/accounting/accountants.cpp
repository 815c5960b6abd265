#include "accounting/accountants.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "accounting/renyi.h"
#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {
namespace {

// Costs this close are a tie: they differ by rounding only.
constexpr double tie_tolerance = 1e-12;

bool moves(const ChainStep& step) { return step.bound.distortion > 0 || step.bound.slack > 0; }

// The first step, counted from 1, that an edge can move (or the last) with fewer draws than needed; 0 when
// none.
std::size_t step_without(const Chain& chain, int draws) {
  const auto found = std::ranges::find_if(chain.steps(), [&](const ChainStep& step) {
    const bool absorbs = moves(step) || &step == &chain.steps().back();
    return absorbs && step.draws < draws;
  });
  return found == chain.steps().end() ? 0 : static_cast<std::size_t>(found - chain.steps().begin()) + 1;
}

double own_shift(const Chain& chain, const StepBound& bound) {
  return whole(chain.noise(), add_up(bound.distortion, bound.slack));
}

// Remembers the last price, because the steps of most diffusions are alike.
class PriceOfStep {
 public:
  PriceOfStep(const Chain& chain, double order) : chain_(chain), order_(order) {}
  double operator()(double shift) {
    if (shift != shift_) price_ = absorb_up(chain_, order_, shift_ = shift);
    return price_;
  }

 private:
  const Chain& chain_;
  double order_, shift_ = 0, price_ = 0;
};

}  // namespace

std::string unfit_reason(Accountant accountant, const Chain& chain) {
  if (chain.steps().empty()) return "nothing ran";
  if (chain.w().back() == 0) return "";  // no edge can be seen at all
  if (accountant == Accountant::pure || accountant == Accountant::shift)
    return chain.steps().back().draws < 1 ? "there is no noise in the last step" : "";
  const int needed = accountant == Accountant::theorem ? 2 : 1;
  const std::size_t step = step_without(chain, needed);
  if (step == 0) return "";
  if (needed == 1) return fmt::format("it needs noise in every step, and step {} has none", step);
  return fmt::format(
      "Theorem 1 needs two independent draws in every step and step {} has {}: for fewer its formula is below the true divergence",
      step, chain.steps()[step - 1].draws);
}

FittingChain::FittingChain(Accountant accountant, Chain chain)
    : accountant_(accountant), chain_(std::move(chain)) {
  if (const std::string reason = unfit_reason(accountant_, chain_); !reason.empty())
    refuse("the accountant '{}' does not fit: {}", name(accountant_), reason);
}

FittingChain FittingChain::with_scale(double scale) const {
  FittingChain other = *this;
  other.chain_ = chain_.with_scale(scale);
  return other;
}

Divergence FittingChain::renyi_up(double order) const {
  switch (accountant_) {
    case Accountant::pure:
      return {pure_up(order), {}};
    case Accountant::theorem:
      return theorem_up(order);
    case Accountant::shift:
      return {shift_up(order), {}};
    case Accountant::composition:
      return {composition_up(order), {}};
  }
  fail("no such accountant");
}

double FittingChain::pure_up(double order) const {
  const double epsilon = absorb_up(chain_, infinite_order, chain_.w().back());
  return randomized_response_renyi_up(order, epsilon);
}

// From the last tau down: once the sum alone is dearer than the best, no smaller tau can win.
Divergence FittingChain::theorem_up(double order) const {
  const std::vector<double>& w = chain_.w();
  PriceOfStep price(chain_, order);
  double best = std::numeric_limits<double>::infinity(), sum = 0, product = 1, left = 0;
  std::size_t best_tau = 0;
  for (std::size_t tau = chain_.steps().size(); tau-- > 0;) {
    const StepBound& bound = chain_.steps()[tau].bound;
    const double own = own_shift(chain_, bound);
    sum = add_up(sum, price(own));
    // On the lattice a whole number is absorbed; the fraction it leaves is carried on with the rest.
    left = add_up(left, mul_up(product, add_up(bound.distortion, bound.slack) - own));
    product = mul_up(product, bound.gain);
    if (sum > best * (1 + tie_tolerance)) break;
    const double carry = whole(chain_.noise(), add_up(mul_up(product, w[tau]), left));
    const double cost = add_up(sum, absorb_up(chain_, order, carry));
    if (cost <= best * (1 + tie_tolerance)) {
      best = std::min(best, cost);
      best_tau = tau;
    }
  }
  return {best, best_tau};
}

double FittingChain::composition_up(double order) const {
  double sum = 0, shift = 0;
  std::uint64_t alike = 0;  // steps in a row with this shift
  const auto add = [&] { sum = add_up(sum, mul_up(count_up(alike), absorb_up(chain_, order, shift))); };
  for (const ChainStep& step : chain_.steps()) {
    const double own = own_shift(chain_, step.bound);
    if (own != shift) add(), alike = 0;
    shift = own;
    ++alike;
  }
  add();
  return sum;
}

}  // namespace hushwalk::accounting
