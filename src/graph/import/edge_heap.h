// Edges as they are read. Repeats are dropped on the way, so that memory follows the distinct edges and not
// the lines: a few kilobytes of a compressed text can repeat one line a thousand million times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/edge_pieces.h"

namespace hushwalk {

// Holds at most about four times the distinct edges (never less than `patience` is worth a look) and the
// latest piece; twice that for the moment in which repeats are dropped. Not for sharing among threads.
class EdgeHeap {
 public:
  // Up to `patience` edges are kept as they come.
  explicit EdgeHeap(std::size_t patience = std::size_t{1} << 22) : patience_(patience), limit_(patience) {}

  // `interned`: the ends are handles of the interner, which do not compare with numbers.
  void add(std::vector<EdgeOfNodes> edges, bool interned = false);

  struct Dropped {
    std::uint64_t self_loops = 0;  // all but one at a node
    std::uint64_t duplicates = 0;
  };
  const Dropped& dropped() const noexcept { return dropped_; }
  std::uint64_t held() const noexcept { return held_; }
  std::uint64_t added() const noexcept { return held_ + dropped_.self_loops + dropped_.duplicates; }

  EdgePieces& pieces() noexcept { return pieces_; }
  const EdgePieces& pieces() const noexcept { return pieces_; }
  bool interned(std::size_t piece) const noexcept { return interned_[piece]; }

 private:
  bool mostly_distinct() const;
  void drop_repeats();
  void drop_within_pieces();
  std::vector<EdgeOfNodes> take_distinct(bool interned);
  std::vector<EdgeOfNodes> concatenate(bool interned);
  void count(const Dropped& more) noexcept;

  EdgePieces pieces_;
  std::vector<bool> interned_;  // by piece
  std::size_t patience_, limit_;
  std::uint64_t held_ = 0;
  Dropped dropped_;
};

}  // namespace hushwalk
