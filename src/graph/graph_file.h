// The graph file (.hwg), described byte by byte in docs/formats.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "hushwalk/graph.h"

namespace hushwalk {

// Whether a file that starts with these bytes claims to be a graph file (at least 8 bytes are needed to
// tell).
bool looks_like_graph_file(std::span<const std::byte> start) noexcept;

struct GraphFile {
  Graph graph;
  bool newest;  // of the version that write_graph_file() writes
};
GraphFile read_graph_file(const std::filesystem::path& path);

void write_graph_file(const Graph& graph, const std::filesystem::path& path, Permissions permissions,
                      std::size_t parts);

}  // namespace hushwalk
