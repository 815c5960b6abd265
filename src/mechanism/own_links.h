#pragma once

#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk {

// What a recipient knows anyway: the seeds' neighbours outside the seed set, and each one's share of a first
// step from the seeds, sum over s of weight_s [v ~ s] / d_s.
struct OwnLinks {
  std::vector<Node> near;     // ascending
  std::vector<double> share;  // of each
};

}  // namespace hushwalk
