// What the plans and the releases of `paper`, `output` and `pushflow` agree on.
#pragma once

#include "accounting/lattice_price.h"
#include "diffusion/lattice.h"
#include "hushwalk/plan.h"

namespace hushwalk {

// `paper`, `output` and `pushflow` differ in where noise is, and in what the last clip belongs to.
struct Variant {
  NoisePlacement placement;
  int draws;
  bool push_flow = false;
};

inline constexpr Variant paper_variant{NoisePlacement::every_step, 2};
inline constexpr Variant output_variant{NoisePlacement::at_end, 1};
inline constexpr Variant push_flow_variant{NoisePlacement::at_end, 1, /*push_flow=*/true};

// What a degree is multiplied with to clip the state. Push-flow caps h, and the state is a h.
double state_cap(const Plan& plan, const Variant& variant);

accounting::LatticePrice price_lattice(const Plan& plan, const LatticeDiffusion& lattice,
                                       const Variant& variant);

// The lattice of a complete plan. Error{refused} when a number could overflow.
LatticeDiffusion lattice_of(const Plan& plan, const Variant& variant);

}  // namespace hushwalk
