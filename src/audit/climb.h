// A search for the pair of graphs on which one edge moves most.
#pragma once

#include <functional>

#include "audit/targets.h"

namespace hushwalk::auditing {

struct Summit {
  AdjacentPair pair;
  Comparison comparison;
};

// Starts from every worst pair and from random graphs, and tries `steps` moves in all: link or unlink two
// nodes, move the edge, add, drop or weigh a seed, take another key. A move that does not make the ratio
// smaller is kept.
Summit climb(const Target& target, Scope scope, std::uint64_t steps, std::uint64_t random_seed,
             const std::function<void(double)>& done = {});

}  // namespace hushwalk::auditing
