// How a graph lies in memory: compressed rows, nodes of high degree first.
//
// A *row* is an internal position (descending degree, ties by node); a *node* is a position in the public
// node list. Row order depends on secret degrees, so rows never leave this library: everything shown is in
// nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "hushwalk/facts.h"
#include "hushwalk/graph.h"

namespace hushwalk {

using Row = std::uint32_t;

struct Csr {
  std::span<const std::uint64_t> offsets;  // rows + 1; row r is neighbors[offsets[r] .. offsets[r + 1])
  std::span<const Row> neighbors;          // every edge twice, ascending within a row
  std::span<const Node> node_of_row;
  std::span<const Row> row_of_node;
  std::shared_ptr<const void> owner;  // keeps the memory of the spans alive

  std::size_t rows() const noexcept { return node_of_row.size(); }
  std::uint64_t degree(Row row) const noexcept { return offsets[row + 1] - offsets[row]; }
  std::span<const Row> row(Row row) const noexcept { return neighbors.subspan(offsets[row], degree(row)); }
};

}  // namespace hushwalk
