// The second form of `twohop`: separate numbers, with noise that is split between them, instead of one score.
// For v in N, the seed's neighbours: the links into N, and the plain count of links into the rest, O. For v
// in O: the links into N, and the sum over u in O, u ~ v of w(d^O_u), degrees counted inside O. An edge moves
// numbers of one or two kinds only, and an edge between N and O is paid for by both its ends: most of it by
// the links into N, which matter most. docs/math/13-edge-cost.md, "Separate numbers".
#pragma once

#include <memory>

#include "mechanism/mechanism.h"

namespace hushwalk {

void complete_separate(Plan& plan, const ReleaseRequest& request);
std::unique_ptr<Release> start_separate(const Plan& plan, const Graph& graph, NoiseSource& noise);

}  // namespace hushwalk
