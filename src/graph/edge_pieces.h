// Edges on their way into a graph.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk {

struct EdgeOfNodes {
  Node u, v;
};

// Edges in pieces, so that the memory of a piece can be given back as soon as it has been used.
using EdgePieces = std::vector<std::vector<EdgeOfNodes>>;
inline constexpr std::size_t edges_per_piece = 1 << 20;  // of those that are made here

// Graph::from_edges; endpoints must be in the list.
Graph graph_from_pieces(NodeList nodes, EdgePieces pieces, std::optional<std::uint64_t> max_edges = {});

}  // namespace hushwalk
