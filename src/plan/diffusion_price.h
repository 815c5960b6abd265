// What the accountants see of a diffusion on the lattice: its sensitivity, rounding included, by the smallest
// bound that has a proof.
#pragma once

#include <string>
#include <vector>

#include "accounting/chain.h"
#include "accounting/sensitivity.h"
#include "diffusion/lattice.h"
#include "hushwalk/plan.h"

namespace hushwalk {

// `paper`, `output` and `pushflow` differ in where noise is, and in what the last clip belongs to.
struct Variant {
  NoisePlacement placement;
  int draws;
  bool push_flow = false;
};

// The bounds of all steps in lattice units, rounding included. docs/math/18-lattice-slack.md.
std::vector<accounting::StepBound> lattice_bounds_up(const Diffusion& diffusion,
                                                     const LatticeDiffusion& lattice,
                                                     const PublicFacts& facts);

inline constexpr const char* by_recursion = "recursion w_K (docs/math/02-sensitivity.md)";

struct Priced {
  accounting::Chain chain;  // scale 1
  double sensitivity;       // in units
  double slack;             // the part of it that is rounding
  std::string bound;
};
Priced price_lattice(const Plan& plan, const LatticeDiffusion& lattice, const Variant& variant);

// The noise before rounding is known, to see how much room it needs. The plan has its eta.
double expected_scale(const Plan& plan, const Variant& variant);

// What a degree is multiplied with to clip the state. Push-flow caps h, and the state is a h.
double state_cap(const Plan& plan, const Variant& variant);

}  // namespace hushwalk
