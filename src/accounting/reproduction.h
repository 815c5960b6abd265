// Bounds that the paper prints or plots and that do NOT hold, or rest on a secret. They exist so that its
// figures can be redrawn. An UnsoundBound converts to nothing: no guarantee, calibration or cost can be made
// from one.
#pragma once

#include <cstddef>
#include <span>

#include "accounting/sensitivity.h"

namespace hushwalk::accounting {

class UnsoundBound {
 public:
  double value_for_plots_only() const noexcept { return value_; }

 private:
  explicit UnsoundBound(double value) : value_(value) {}
  friend UnsoundBound printed_theorem_2(const struct ConstantChain&, double);
  friend UnsoundBound diameter_bound(const struct ConstantChain&, double, double);
  double value_;
};

// The paper's setting: K equal steps of gain gamma and distortion rho, two Laplace draws of one scale in
// each.
struct ConstantChain {
  std::size_t steps;
  double gain;
  double distortion;
  double laplace_scale;
};

// Theorem 2 as printed: at tau = 0 every term vanishes, so it says 0 however small the noise.
// docs/math/06-theorem-2.md.
UnsoundBound printed_theorem_2(const ConstantChain& chain, double order);

// (K - tau) g(rho/b) + g(gamma^{K-tau} D / b), the smallest over tau < K. D = 1 rests on a projection that is
// not non-expansive, D = eta sum d on a secret. docs/math/06-theorem-2.md.
UnsoundBound diameter_bound(const ConstantChain& chain, double diameter, double order);

}  // namespace hushwalk::accounting
