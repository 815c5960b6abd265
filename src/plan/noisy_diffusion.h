// What the plans and the releases of `paper`, `output` and `pushflow` agree on.
#pragma once

#include "diffusion/lattice.h"
#include "plan/diffusion_price.h"

namespace hushwalk {

inline constexpr Variant paper_variant{NoisePlacement::every_step, 2};
inline constexpr Variant output_variant{NoisePlacement::at_end, 1};
inline constexpr Variant push_flow_variant{NoisePlacement::at_end, 1, /*push_flow=*/true};

// The lattice of a complete plan. Error{refused} when a number could overflow.
LatticeDiffusion lattice_of(const Plan& plan, const Variant& variant);

}  // namespace hushwalk
