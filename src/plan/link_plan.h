// What the plans of `twohop` and `shared` have in common: numbers of links, in units of 2^-32.
#pragma once

#include <cstdint>
#include <string>

#include "accounting/taper.h"
#include "hushwalk/plan.h"

namespace hushwalk {

double links_of(std::uint64_t units);  // exact below 2^53 units, else rounded up

// A graph of one node has no edge to protect; it is planned like one of two.
inline std::uint64_t nodes_for_taper(std::uint64_t nodes) { return nodes < 2 ? 2 : nodes; }

// Error{refused} when the noise is more than the sampler can draw.
NoiseUse link_noise(std::string on, double laplace_scale);

// The public taper of a plan; infinity is the plain degree. Error{usage} unless it is a whole number from 1.
accounting::Taper taper_of(double taper);

}  // namespace hushwalk
