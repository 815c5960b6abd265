// From a heap of edges to compressed rows.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr.h"
#include "graph/edge_pieces.h"
#include "hushwalk/progress.h"

namespace hushwalk {

struct BuiltCsr {
  Csr csr;
  std::uint64_t self_loops = 0;
  std::uint64_t duplicates = 0;
};

// Drops self-loops and repeats (in either direction) and counts them. The result depends on the set of edges
// only, not on their order or the threads. Endpoints must be below `nodes`. Peak memory: the pieces and 4
// bytes an edge, then the result and 4 bytes an edge; besides, up to 32 bytes a node for counters.
BuiltCsr build_csr(std::uint64_t nodes, EdgePieces pieces, const Progress& progress = {});

}  // namespace hushwalk
