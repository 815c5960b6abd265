// R-MAT (Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", 2004): each edge falls
// into one quadrant of the adjacency matrix, then into a quadrant of that, down to a single pair.

#include <bit>

#include "graph/generate/counter_random.h"
#include "graph/generate/distinct_edges.h"
#include "graph/generate/models.h"
#include "graph/generate/permutation.h"

namespace hushwalk {
namespace {

// The probabilities 0.57, 0.19, 0.19, 0.05 of the Graph500 benchmark, cumulated, in units of 2^-16.
constexpr unsigned upper_left = 37356, upper_right = upper_left + 12452, lower_left = upper_right + 12452;
constexpr unsigned levels_per_word = 4;

struct Cell {
  std::uint64_t row = 0, column = 0;
};

Cell random_cell(unsigned levels, const CounterRandom& random, std::uint64_t index) {
  Cell cell;
  std::uint64_t word = 0;
  for (unsigned level = 0; level < levels; ++level, word >>= 16) {
    if (level % levels_per_word == 0) word = random.word(index, level / levels_per_word);
    const auto draw = static_cast<unsigned>(word & 0xffff);
    const bool down = draw >= upper_right;
    const bool right = draw >= lower_left || (draw >= upper_left && !down);
    cell = {cell.row << 1 | down, cell.column << 1 | right};
  }
  return cell;
}

}  // namespace

// The matrix is the next power of two; what falls outside the nodes is no edge.
EdgePieces rmat(const Recipe& recipe) {
  const std::uint64_t nodes = recipe.size.nodes;
  const auto levels = static_cast<unsigned>(std::bit_width(nodes - 1));
  const CounterRandom random(recipe.seed, Stream::candidates);
  const Permutation label(nodes, CounterRandom(recipe.seed, Stream::labels));
  const auto candidate = [&](std::uint64_t index) {
    const auto [row, column] = random_cell(levels, random, index);
    return row < nodes && column < nodes ? edge_key(label(row), label(column)) : no_edge;
  };
  DistinctEdges edges;
  edges.grow_to(recipe.size.edges, candidate, "rmat", recipe.progress);
  return std::move(edges).take_pieces();
}

}  // namespace hushwalk
