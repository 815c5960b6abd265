// The second form of `twohop`; plan/two_hop.cpp says what it is.
#pragma once

#include <memory>

#include "mechanism/mechanism.h"

namespace hushwalk {

std::unique_ptr<Release> start_separate(const Plan& plan, const Graph& graph, NoiseSource& noise);

}  // namespace hushwalk
