// What ran, as the accountants see it: a chain of steps, each with its bounds and its noise. Plain data;
// pricing it (accountants.h) is a pure function.
#pragma once

#include <vector>

#include "accounting/sensitivity.h"

namespace hushwalk::accounting {

enum class Noise { laplace, discrete_laplace };  // the latter on whole numbers, shifts counted in them

struct ChainStep {
  StepBound bound;
  int draws = 0;  // independent draws added to every node after the step
};

struct Chain {
  std::vector<ChainStep> steps;
  Noise noise = Noise::laplace;
  double scale = 1;

  std::vector<StepBound> bounds() const;
};

// On the lattice every difference is a whole number, so a bound on it may be rounded down to one.
double whole(Noise noise, double shift);

// D_order of one draw that absorbs `shift`, and of `draws` draws that share it evenly (best, as curves are
// convex).
double absorb_up(const Chain& chain, double order, double shift);
double absorb_evenly_up(const Chain& chain, double order, double shift, int draws);

}  // namespace hushwalk::accounting
