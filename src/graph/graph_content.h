// What a graph file holds, wherever the graph lies.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_file_layout.h"
#include "hushwalk/graph.h"

namespace hushwalk {

// All that can be said without the bytes themselves.
struct GraphShape {
  std::uint32_t flags;
  std::uint64_t nodes, edges, max_edges;
  std::array<std::uint64_t, graph_file::sections> sizes;
};

struct GraphContent {
  std::uint32_t flags;
  std::uint64_t nodes, edges, max_edges;
  std::array<std::span<const std::byte>, graph_file::sections> sections;
  GraphShape shape() const;
};
GraphContent content_of(const Graph& graph);
std::uint32_t flags_of(const PublicFacts& facts, bool integer_ids);

// But for the digest of the content and the checksum.
graph_file::Header header_for(const GraphShape& shape, const std::string& graph_id);

// A cryptographic digest of all of it but the graph id; secret, because whoever guesses the edges can test
// the guess. `pieces` are the digests of the pieces of all sections, in order.
Sha256 digest_of(const GraphShape& shape, std::span<const Sha256> pieces);
Sha256 digest_of(const GraphContent& content);

// The pieces of all sections, counted through.
struct PieceOfContent {
  std::size_t section;
  std::uint64_t offset;  // in the section
  std::span<const std::byte> bytes;
};
std::vector<PieceOfContent> pieces_of(const GraphContent& content);

}  // namespace hushwalk
