// What the plans of `twohop` and `shared` have in common: numbers of links, in units of 2^-32.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/mechanism.h"

namespace hushwalk {

double links_of(std::uint64_t units);  // exact below 2^53 units, else rounded up

// A graph of one node has no edge to protect; it is planned like one of two.
inline std::uint64_t pairs_exist(std::uint64_t nodes) { return nodes < 2 ? 2 : nodes; }

// Error{refused} when the noise is more than the sampler can draw.
NoiseUse link_noise(std::string on, double laplace_scale);

Guarantee pure_guarantee(double epsilon, std::optional<double> delta);

// Released numbers in links.
std::vector<double> to_links(std::span<const std::int64_t> units);

}  // namespace hushwalk
