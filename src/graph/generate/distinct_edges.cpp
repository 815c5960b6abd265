#include "graph/generate/distinct_edges.h"

#include <utility>

namespace hushwalk {

// Both ascending. Merges from the back, in place, so that nothing as large as the graph is allocated.
void DistinctEdges::merge(std::vector<EdgeKey>& round) {
  if (edges_.empty()) return edges_.swap(round);
  auto old = edges_.begin();
  std::erase_if(round, [&](EdgeKey key) {
    while (old != edges_.end() && *old < key) ++old;
    return old != edges_.end() && *old == key;
  });
  std::size_t kept = edges_.size(), added = round.size();
  edges_.resize(kept + added);
  while (added > 0) {
    const bool take_old = kept > 0 && edges_[kept - 1] > round[added - 1];
    edges_[kept + added - 1] = take_old ? edges_[kept - 1] : round[added - 1];
    --(take_old ? kept : added);
  }
}

EdgePieces DistinctEdges::pieces() const {
  EdgePieces result((edges_.size() + edges_per_piece - 1) / edges_per_piece);
  parallel_for(result.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t from = i * edges_per_piece, to = std::min(from + edges_per_piece, edges_.size());
      result[i].reserve(to - from);
      for (std::size_t j = from; j < to; ++j)
        result[i].push_back({static_cast<Node>(edges_[j] >> 32), static_cast<Node>(edges_[j])});
    }
  });
  return result;
}

EdgePieces DistinctEdges::take_pieces() && {
  EdgePieces result = pieces();
  std::vector<EdgeKey>().swap(edges_);
  return result;
}

}  // namespace hushwalk
