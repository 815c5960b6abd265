#pragma once

#include <algorithm>

#include "hushwalk/import.h"
#include "input.h"

namespace hushwalk::fuzz {

// Imports the bytes as `format` and checks what every import promises.
inline int import_bytes(const std::uint8_t* data, std::size_t size, const ImportOptions& options) {
  return expect_error_at_most([&] {
    const MemoryFile file(data, size);
    const auto [graph, report] = import_graph(file.path(), options);
    require(report.lines == report.edges + report.self_loops + report.duplicates);
    require(graph.secret_edges() == report.edges && report.edges > 0);
    std::uint64_t ends = 0;
    const Node last = static_cast<Node>(std::min<std::uint64_t>(graph.nodes(), 1000));
    for (Node v = 0; v < last; ++v) {
      require(graph.node_list().find(graph.node_list().name(v)) == v);
      for (const Node u : graph.neighbors(v)) require(u != v && graph.adjacent(u, v));
      ends += graph.degree(v);
    }
    require(ends <= 2 * graph.secret_edges());
  });
}

}  // namespace hushwalk::fuzz
