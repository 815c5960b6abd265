// m edges uniformly among all pairs (Erdős and Rényi 1959): the first m of a random permutation of the pairs,
// so that even a complete graph needs no second try.

#include <cmath>

#include "base/parallel.h"
#include "graph/generate/models.h"
#include "graph/generate/permutation.h"

namespace hushwalk {
namespace {

// Pairs in the order (0,1), (0,2), (1,2), (0,3), …: pair v(v-1)/2 + u is (u, v).
EdgeOfNodes pair_at(std::uint64_t index) {
  auto v = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(index))) / 2);
  while (all_pairs(v) > index) --v;  // the root is rounded
  while (all_pairs(v + 1) <= index) ++v;
  return {static_cast<Node>(index - all_pairs(v)), static_cast<Node>(v)};
}

}  // namespace

EdgePieces erdos_renyi(const Recipe& recipe) {
  const auto [nodes, edges] = recipe.size;
  const Permutation order(all_pairs(nodes), CounterRandom(recipe.seed, Stream::pairs));
  EdgePieces pieces((edges + edges_per_piece - 1) / edges_per_piece);
  parallel_for(pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      const std::uint64_t from = piece * edges_per_piece, to = std::min(from + edges_per_piece, edges);
      pieces[piece].reserve(to - from);
      for (std::uint64_t i = from; i < to; ++i) pieces[piece].push_back(pair_at(order(i)));
    }
  });
  return pieces;
}

}  // namespace hushwalk
