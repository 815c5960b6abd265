// Two counting sorts. First every edge goes to the row of its smaller node only, where sorting shows repeats;
// this fixes the exact degrees and so the order of the rows. Then both directions are laid out in that order.

#include "graph/build_csr.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"

namespace hushwalk {
namespace {

constexpr std::size_t row_grain = 512;

// Slots of rows handed out to many threads at once.
using Cursors = std::vector<std::atomic<std::uint64_t>>;

std::uint64_t take(std::atomic<std::uint64_t>& cursor) {
  return cursor.fetch_add(1, std::memory_order_relaxed);
}

// Turns counts into the start of each row, in place, and returns the starts with the total behind them.
std::vector<std::uint64_t> starts_of(Cursors& counts) {
  std::vector<std::uint64_t> starts(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    starts[i + 1] = starts[i] + counts[i].load(std::memory_order_relaxed);
    counts[i].store(starts[i], std::memory_order_relaxed);
  }
  return starts;
}

// Each edge once, in the row of its smaller node: row u is larger[starts[u] .. starts[u] + sizes[u]).
struct Upper {
  std::vector<std::uint64_t> starts;
  std::vector<Node> larger;
  std::vector<std::uint64_t> sizes;
  std::uint64_t self_loops = 0;
  std::uint64_t duplicates = 0;

  std::span<Node> row(std::size_t u) { return {larger.data() + starts[u], sizes[u]}; }
};

Upper collect(std::uint64_t nodes, EdgePieces pieces) {
  Upper upper;
  Cursors cursors(nodes);
  std::atomic<std::uint64_t> self_loops = 0;
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    std::uint64_t loops = 0;
    for (std::size_t i = first; i < last; ++i)
      for (const auto [u, v] : pieces[i]) u == v ? ++loops : take(cursors[std::min(u, v)]);
    self_loops += loops;
  });
  upper.self_loops = self_loops;
  upper.starts = starts_of(cursors);
  upper.larger.resize(upper.starts.back());
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      for (const auto [u, v] : pieces[i])
        if (u != v) upper.larger[take(cursors[std::min(u, v)])] = std::max(u, v);
      std::vector<EdgeOfNodes>().swap(pieces[i]);
    }
  });
  return upper;
}

void drop_repeats(Upper& upper) {
  const std::size_t nodes = upper.starts.size() - 1;
  upper.sizes.resize(nodes);
  std::atomic<std::uint64_t> duplicates = 0;
  parallel_for(nodes, row_grain, [&](std::size_t first, std::size_t last) {
    std::uint64_t dropped = 0;
    for (std::size_t u = first; u < last; ++u) {
      upper.sizes[u] = upper.starts[u + 1] - upper.starts[u];
      const auto repeats = (std::ranges::sort(upper.row(u)), std::ranges::unique(upper.row(u)));
      dropped += repeats.size();
      upper.sizes[u] -= repeats.size();
    }
    duplicates += dropped;
  });
  upper.duplicates = duplicates;
}

struct Arrays {
  std::vector<std::uint64_t> offsets;
  std::vector<Row> neighbors;
  std::vector<Node> node_of_row;
  std::vector<Row> row_of_node;
};

// Rows by descending degree, ties by node. Leaves the degree of each row in `degrees`.
void order_rows(Cursors& degrees, Arrays& arrays) {
  const std::size_t nodes = degrees.size();
  const auto degree = [&](Node v) { return degrees[v].load(std::memory_order_relaxed); };
  arrays.node_of_row.resize(nodes);
  arrays.row_of_node.resize(nodes);
  std::iota(arrays.node_of_row.begin(), arrays.node_of_row.end(), Node{0});
  parallel_sort(arrays.node_of_row.begin(), arrays.node_of_row.end(),
                [&](Node a, Node b) { return degree(a) != degree(b) ? degree(a) > degree(b) : a < b; });
  for (std::size_t row = 0; row < nodes; ++row)
    arrays.row_of_node[arrays.node_of_row[row]] = static_cast<Row>(row);
  Cursors by_row(nodes);
  for (std::size_t row = 0; row < nodes; ++row) by_row[row] = degree(arrays.node_of_row[row]);
  degrees.swap(by_row);
}

// Both directions of every edge, rows in the final order.
Arrays lay_out(Upper upper) {
  const std::size_t nodes = upper.sizes.size();
  Arrays arrays;
  Cursors cursors(nodes);
  parallel_for(nodes, row_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t u = first; u < last; ++u) {
      cursors[u].fetch_add(upper.sizes[u], std::memory_order_relaxed);
      for (const Node v : upper.row(u)) take(cursors[v]);
    }
  });
  order_rows(cursors, arrays);
  arrays.offsets = starts_of(cursors);
  arrays.neighbors.resize(arrays.offsets.back());
  parallel_for(nodes, row_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t u = first; u < last; ++u) {
      const Row row_u = arrays.row_of_node[u];
      for (const Node v : upper.row(u)) {
        const Row row_v = arrays.row_of_node[v];
        arrays.neighbors[take(cursors[row_u])] = row_v;
        arrays.neighbors[take(cursors[row_v])] = row_u;
      }
    }
  });
  upper = {};
  parallel_for(nodes, row_grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      std::sort(arrays.neighbors.begin() + static_cast<std::ptrdiff_t>(arrays.offsets[row]),
                arrays.neighbors.begin() + static_cast<std::ptrdiff_t>(arrays.offsets[row + 1]));
  });
  return arrays;
}

}  // namespace

BuiltCsr build_csr(std::uint64_t nodes, EdgePieces pieces, const Progress& progress) {
  const auto report = [&](double fraction) {
    if (progress) progress("building", fraction);
  };
  report(0);
  Upper upper = collect(nodes, std::move(pieces));
  report(0.3);
  drop_repeats(upper);
  report(0.5);
  BuiltCsr built{.csr = {}, .self_loops = upper.self_loops, .duplicates = upper.duplicates};
  const auto owner = std::make_shared<const Arrays>(lay_out(std::move(upper)));
  built.csr = {.offsets = owner->offsets,
               .neighbors = owner->neighbors,
               .node_of_row = owner->node_of_row,
               .row_of_node = owner->row_of_node,
               .owner = owner};
  report(1);
  return built;
}

}  // namespace hushwalk
