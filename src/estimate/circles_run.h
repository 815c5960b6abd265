// `circles`, the algorithm as a whole: which numbers are released, in which order, and what follows from
// those that are. It never sees a graph. Numbers come from a source, which counts and adds noise (a release),
// reads them (an artefact), or compares two graphs under one transcript (an audit); so that all three make
// the same choices. What is decided here is release arithmetic: whole numbers, or + - * / and sqrt without
// contraction, of what was released and nothing else. docs/math/26-circles.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "accounting/circles.h"
#include "hushwalk/facts.h"

namespace hushwalk {

using accounting::CirclesDesign;

// The way a release went. Kept in artefacts: none may change its number.
enum class CirclesBranch : std::uint8_t {
  degrees = 0,  // too sparse for rows
  stopped = 1,  // the rows of the core tell nothing
  rows = 2,
};

// All that is released; by node, 0 where a branch has no number.
struct CirclesNumbers {
  CirclesBranch branch = CirclesBranch::degrees;
  std::uint32_t clusters = 0;         // of the rows
  std::vector<std::int32_t> coarse;   // degrees, for the order
  std::vector<std::int32_t> fine;     // degrees refined to the whole of epsilon: where rows are given up
  std::vector<std::int32_t> leaving;  // links that leave the core, of its nodes: where the sweep stopped
  std::vector<std::int16_t> forward, backward;  // rows, one after the other: node * clusters + cluster
  friend bool operator==(const CirclesNumbers&, const CirclesNumbers&) = default;
};

// Numbers are stored within these bounds, which are wide beside any noise.
inline constexpr std::int64_t most_stored_degree = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t most_stored_cell = (std::int64_t{1} << 15) - 1;

// Which nodes come first, and in which block each is.
struct CirclesOrder {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> block_of;  // by node
  std::uint32_t core_blocks = 0;
  bool hubs_hold_a_quarter = false;  // of all links
  std::span<const Node> block(std::uint64_t number, std::uint64_t size) const {
    const std::size_t first = number * size;
    return std::span(nodes).subspan(first, std::min<std::size_t>(size, nodes.size() - first));
  }
};

enum class Sweep { forward, backward };

// Where the numbers come from. Calls come in the order of the release.
class CirclesSource {
 public:
  virtual ~CirclesSource() = default;

  virtual void coarse_degrees(std::span<std::int32_t> out) = 0;
  // Of the nodes from block `first_block` on, or of all.
  virtual void fine_degrees(const CirclesOrder* order, std::uint32_t first_block,
                            std::span<std::int32_t> out) = 0;
  virtual void start_sweeps(const CirclesOrder& order, std::uint32_t clusters) = 0;
  // Of each node of a block its links into the labels of earlier (later) blocks, as told by `labelled`.
  virtual void rows(Sweep sweep, std::uint32_t block, std::span<const Node> nodes,
                    std::span<std::int16_t> all_rows) = 0;
  virtual void labelled(std::span<const Node> nodes, std::span<const std::uint8_t> label_of) = 0;
  // Links of the core's nodes that leave it.
  virtual void leaving_links(const CirclesOrder& order, std::span<const Node> core,
                             std::span<std::int32_t> out) = 0;
};

// What follows from the numbers for whoever estimates.
struct CirclesSweeps {
  CirclesOrder order;
  std::vector<std::uint8_t> forward_label, label;  // by node, after either sweep
  std::vector<float> volume_before, volume_after;  // of each cluster when a row was released, like the rows
  double total = 0;                                // the volume of all
};

// Runs the release. `sweeps` is filled where rows are released, unless it is null.
CirclesNumbers run_circles(const CirclesDesign& design, CirclesSource& source,
                           CirclesSweeps* sweeps = nullptr);

// From numbers that were kept. Error{failed} unless they are those of such a release, by this version's rule
// for the number of clusters or by the one before: branch, clusters and every label are computed again.
CirclesSweeps replay_circles(const CirclesDesign& design, const CirclesNumbers& numbers);

}  // namespace hushwalk
