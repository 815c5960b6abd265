// What ran, as the accountants see it: a chain of steps, each with its bounds and its noise. Plain data;
// pricing it (accountants.h) is a pure function.
#pragma once

#include <memory>
#include <vector>

#include "accounting/sensitivity.h"

namespace hushwalk::accounting {

enum class Noise { laplace, discrete_laplace };  // the latter on whole numbers, shifts counted in them

struct ChainStep {
  StepBound bound;
  int draws = 0;  // independent draws added to every node after the step
};

// Immutable, and cheap to copy.
class Chain {
 public:
  // Error{refused} when the sensitivity overflows.
  Chain(std::vector<ChainStep> steps, Noise noise, double scale);
  Chain with_scale(double scale) const;

  const std::vector<ChainStep>& steps() const noexcept { return *steps_; }
  Noise noise() const noexcept { return noise_; }
  double scale() const noexcept { return scale_; }
  // w_0..w_K of docs/math/02-sensitivity.md, rounded down to whole numbers on the lattice.
  const std::vector<double>& w() const noexcept { return *w_; }

 private:
  std::shared_ptr<const std::vector<ChainStep>> steps_;
  std::shared_ptr<const std::vector<double>> w_;
  Noise noise_;
  double scale_;
};

// On the lattice every difference is a whole number, so a bound on it may be rounded down to one.
double whole(Noise noise, double shift);

// D_order of one draw that absorbs `shift`, and of `draws` draws that share it evenly (best, as curves are
// convex).
double absorb_up(const Chain& chain, double order, double shift);
double absorb_evenly_up(const Chain& chain, double order, double shift, int draws);

}  // namespace hushwalk::accounting
