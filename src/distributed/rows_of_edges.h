// From the edges of all processes to the rows of a graph file: build_csr() for several.
#pragma once

#include <cstdint>
#include <vector>

#include "diffusion/rows.h"
#include "distributed/job.h"

namespace hushwalk {

// What one process has of each section: consecutive records, in the order of the processes. Each section is
// cut elsewhere.
struct RowParts {
  std::vector<std::uint64_t> offsets;
  std::vector<Row> neighbors;
  std::vector<Node> node_of_row;
  std::vector<Row> row_of_node;
};

// `edges`: smaller << 32 | larger node, each edge in one process and once. Peak memory over all processes: 16
// bytes an edge, and up to 40 a node.
RowParts rows_of_edges(const Job& job, std::uint64_t nodes, std::vector<std::uint64_t> edges);

}  // namespace hushwalk
