// What anybody may know of a graph: its public node list, a bound on its edges, a random id. Nothing here
// depends on an edge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hushwalk {

// A position in the public node list.
using Node = std::uint32_t;
inline constexpr std::uint64_t max_nodes = 4'000'000'000;

// n(n-1)/2, without overflow for every n up to max_nodes.
constexpr std::uint64_t all_pairs(std::uint64_t nodes) noexcept {
  return nodes % 2 == 0 ? nodes / 2 * (nodes > 0 ? nodes - 1 : 0) : (nodes - 1) / 2 * nodes;
}

struct PublicFacts {
  std::uint64_t nodes = 0;
  std::uint64_t max_edges = 0;      // a bound, not a count: n(n-1)/2 unless declared
  bool nodes_declared = true;       // false: the node list was collected from the edges
  bool max_edges_declared = false;  // false: the bound is the number of pairs
  std::string graph_id;             // 32 hex digits, random; empty for a graph that is not there
  friend bool operator==(const PublicFacts&, const PublicFacts&) = default;
};

// Of a graph that is not there. Error{usage} when there are no nodes, too many, or the bound is beyond all
// pairs.
PublicFacts public_facts(std::uint64_t nodes, std::optional<std::uint64_t> max_edges = {});

}  // namespace hushwalk
