// Four accountants behind one interface: the Rényi divergence between the outputs of a chain on adjacent
// graphs is at most what `renyi_up` says. Each knows which noise it needs; one that does not fit refuses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "accounting/chain.h"
#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

struct Divergence {
  double rdp = 0;
  std::optional<std::size_t> tau;  // the step at which the theorem changes its argument
};

// Empty when the accountant's proof covers the chain, else the reason why not.
std::string unfit_reason(Accountant accountant, const Chain& chain);

// A chain together with an accountant whose proof covers it. There is no other way to a price, so an
// accountant that does not fit the draws cannot be called. Immutable, and cheap to copy.
class FittingChain {
 public:
  // Error{refused} with the reason when the accountant does not fit.
  FittingChain(Accountant accountant, Chain chain);
  FittingChain with_scale(double scale) const;  // a fit does not depend on the scale

  Accountant accountant() const noexcept { return accountant_; }
  std::size_t steps() const noexcept { return chain_.steps().size(); }
  Divergence renyi_up(double order) const;  // `order` is above 1, or infinite

 private:
  // w_K absorbed by the noise of the last step: pure epsilon = w_K / scale, at a finite order the curve of
  // randomized response, which dominates every epsilon-DP mechanism. docs/math/02-sensitivity.md.
  double pure_up(double order) const;

  // Theorem 1 and the corrected Theorem 2, for two draws a step: the smallest over tau < K of
  //   sum over k > tau of g(rho_k) + g(w_tau times the gains of the steps after tau),
  // ties to the smallest tau. docs/math/05-theorem-1.md, docs/math/06-theorem-2.md.
  Divergence theorem_up(double order) const;

  // The cheapest feasible shifts for the draws made. docs/math/07-shift-accountant.md.
  double shift_up(double order) const;

  // Every step released: sum of g(rho_k), one draw a step needed. docs/math/19-composition.md.
  double composition_up(double order) const;

  Accountant accountant_;
  Chain chain_;
};

}  // namespace hushwalk::accounting
