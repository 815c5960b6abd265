#pragma once

#include <cstddef>
#include <vector>

#include "hushwalk/facts.h"

namespace hushwalk {

// What a recipient knows anyway: the seeds' neighbours outside the seed set, and each one's share of a first
// step from the seeds, sum over s of weight_s [v ~ s] / d_s.
struct OwnLinks {
  std::vector<Node> near;     // ascending
  std::vector<double> share;  // of each

  // What a first step of this weight gives them.
  void add_to(std::vector<double>& scores, double first_step) const {
    for (std::size_t i = 0; i < near.size(); ++i) scores[near[i]] += first_step * share[i];
  }
};

}  // namespace hushwalk
