// `paper` and `output`, and the lattice of their plans.
#pragma once

#include <memory>

#include "mechanism/lattice.h"
#include "mechanism/mechanism.h"

namespace hushwalk {

std::unique_ptr<Mechanism> make_paper();
std::unique_ptr<Mechanism> make_output();

// How far `draws` draws of this scale may carry a value.
HeadRoom head_room(const Plan& plan, int draws, double scale);

// The lattice of a complete plan.
LatticeDiffusion plan_lattice(const Plan& plan, int draws);

}  // namespace hushwalk
