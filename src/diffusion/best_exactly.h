// The best nodes of exact answers, of which nobody needs all scores.
#pragma once

#include <span>
#include <vector>

#include "hushwalk/diffuse.h"
#include "hushwalk/listing.h"
#include "hushwalk/ranking.h"

namespace hushwalk {

// Nodes that no list of this seed has. `near` are its neighbours, where somebody has looked them up.
std::vector<Node> excluded_nodes(const Graph& graph, const SeedVector& seed, const Listing& listing,
                                 std::span<const Node> near = {});

// top_k() of diffuse_exactly() for each seed. Where the graph is spread, each process finds the best of its
// own nodes, and the first has the best of these; the others have nothing. Errors as of both.
std::vector<std::vector<Ranked>> best_exactly(const Graph& graph, const Diffusion& diffusion,
                                              std::span<const SeedVector> seeds, const Listing& listing,
                                              const Progress& progress = {});

}  // namespace hushwalk
