// Which nodes `frontier` looks at again: release arithmetic, on whole numbers as they were released.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hushwalk/facts.h"

namespace hushwalk {

// Of `far`, the nodes of O in ascending order, those with the most links into N by the released numbers, in
// units of 2^-32 by node, under noise of this Laplace scale, also in units; equals by their place in the
// public list. At most `most` of them and half of O, in ascending order. None where N is empty, or has so
// many links in all, beyond what the noise of their sum may add, that its nodes must be hubs, the sooner the
// more noise there is: beyond hubs popularity decides, which a second look would only blur.
std::vector<Node> nodes_to_look_at_again(std::span<const std::int64_t> into_near, double lattice_scale,
                                         const std::vector<Node>& far, std::size_t near, std::uint64_t most);

}  // namespace hushwalk
