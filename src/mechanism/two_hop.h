#pragma once

#include <memory>

#include "mechanism/mechanism.h"

namespace hushwalk {

// Links into the seed's neighbourhood, and a little of the degree-tapered rest, with one draw on each node.
std::unique_ptr<Mechanism> make_two_hop();

// The weight r of the background where there is one score, without tuning: more noise, more background.
double default_background(double epsilon);

}  // namespace hushwalk
