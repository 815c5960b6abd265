#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mechanism/mechanism.h"

namespace hushwalk {

// The artefact: B_v + Laplace, in units of 2^-32, by Node.
std::vector<std::int64_t> release_links(const Plan& plan, const Graph& graph, NoiseSource& source);

}  // namespace hushwalk
