// Whose ranking: a node, or several with weights.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hushwalk/facts.h"

namespace hushwalk {

// The seed vector s: distinct nodes with positive weights that sum to 1. Immutable: any number of threads may
// share one; entries() is valid as long as it lives.
class SeedVector {
 public:
  SeedVector(Node node) : entries_{{node, 1.0}} {}  // NOLINT(google-explicit-constructor): a node is a seed
  // Scales the weights to sum to 1. Error{usage} when empty, repeated, or a weight is not positive and
  // finite.
  static SeedVector weighted(std::vector<std::pair<Node, double>> entries);
  // The entries() of one, as another process has it: kept to the last bit, not scaled. Error{usage} when they
  // are none.
  static SeedVector of_entries(std::vector<std::pair<Node, double>> entries);

  std::span<const std::pair<Node, double>> entries() const noexcept { return entries_; }  // ascending by node
  bool contains(Node) const noexcept;

 private:
  SeedVector() = default;
  std::vector<std::pair<Node, double>> entries_;
};

// Error{usage} unless all are among so many nodes.
void check_seeds(std::span<const SeedVector> seeds, std::uint64_t nodes);

}  // namespace hushwalk
