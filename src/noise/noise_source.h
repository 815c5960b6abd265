// Random words by address. A number of a release has an address (its kind, its step, its public node), and
// the words that its noise is made of depend on nothing else: not on threads, batches or what was drawn
// before. docs/math/23-addresses.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "noise/random_source.h"

namespace hushwalk {

// What a number is. These numbers are part of every release: a kind may be added, none may change its
// meaning.
enum class NoiseKind : std::uint64_t {
  step_first = 1,   // the first draw after a step of a diffusion
  step_second = 2,  // the second
  rest = 3,         // a column of links of the nodes that are no neighbours of a seed; its step is the column
  neighbors = 4,    // a column of links of the seed's neighbours
  artefact = 5,     // the artefact that serves all answers
  flips = 6,  // skips from flip to flip; its step is the piece of the pairs, its node the number of the skip
  outside = 7,  // a column of a mechanism from outside this repository; its step is the column
  // Of `circles`: degrees, what makes them coarser (a coin, and a draw where it shows false), links into the
  // clusters before and after a node, their step being the cluster, and links that leave the core.
  circle_degrees = 8,
  circle_coins = 9,
  circle_coarsening = 10,
  circle_forward = 11,
  circle_backward = 12,
  circle_leaving = 13,
  // Of `frontier`: links among the nodes of a second look, of the rest into these, and of these to the rest.
  frontier_among = 14,
  frontier_into = 15,
  frontier_out_of = 16,
};

// Nodes are drawn in groups of 64, which share words, and a piece of the node list shares a key.
inline constexpr std::uint64_t nodes_per_group = 64, groups_per_piece = 1024;
inline constexpr std::uint64_t nodes_per_piece = nodes_per_group * groups_per_piece;

struct PieceAddress {
  NoiseKind kind;
  std::uint64_t step, piece;
};

// Two words of a node's own stream.
struct OwnBlock {
  std::uint64_t node, block;  // the node counted from the beginning of the piece
};
inline constexpr std::size_t words_per_block = 2;

// The words of one piece. One thread at a time.
class PieceWords {
 public:
  virtual ~PieceWords() = default;
  PieceWords(const PieceWords&) = delete;
  PieceWords& operator=(const PieceWords&) = delete;

  // The words that groups `first`, `first` + 1, ... of the piece share, `per_group` (an even number) for
  // each.
  virtual void primary(std::uint64_t first, std::size_t per_group, std::span<std::uint64_t> words) = 0;

  // Two words for each block.
  virtual void own(std::span<const OwnBlock> blocks, std::span<std::uint64_t> words) = 0;

 protected:
  PieceWords() = default;
};

// Where a release gets its words. Threads may share one; it must outlive the release, not its pieces.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;
  NoiseSource(const NoiseSource&) = delete;
  NoiseSource& operator=(const NoiseSource&) = delete;

  // The source of one answer of the release: no address in it has the words of any other answer, or of the
  // release.
  virtual std::unique_ptr<NoiseSource> answer(std::uint64_t number) = 0;

  virtual std::unique_ptr<PieceWords> piece(const PieceAddress& address) = 0;

 protected:
  NoiseSource() = default;
};

// Words of a stream, in the order in which they are asked for and whatever the address: where nothing is
// released, and words that can be found again are not worth a key.
class StreamWords final : public PieceWords {
 public:
  explicit StreamWords(RandomStream& stream) : stream_(stream) {}  // which must outlive it
  void primary(std::uint64_t, std::size_t, std::span<std::uint64_t> words) override { stream_.fill(words); }
  void own(std::span<const OwnBlock>, std::span<std::uint64_t> words) override { stream_.fill(words); }

 private:
  RandomStream& stream_;
};

}  // namespace hushwalk
