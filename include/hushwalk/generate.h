// Graphs made from a seed, for tests, benchmarks and public proxies. Nodes are the integers 1..n.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hushwalk/graph.h"
#include "hushwalk/progress.h"

namespace hushwalk {

struct GraphKind {
  std::string name;
  std::string description;
  std::uint64_t default_nodes;
  std::uint64_t default_edges;
  bool fixed_size;  // nodes and edges cannot be chosen
};

// Every kind `generate` knows, in the order to show them.
std::span<const GraphKind> graph_kinds();

struct GenerateOptions {
  std::uint64_t nodes = 0;  // 0: the kind's default or, when edges are given, its usual density
  std::uint64_t edges = 0;  // likewise
  std::uint64_t random_seed = 1;
};

// A graph of exactly the size asked for, the same for the same options whatever the number of threads.
// Error{usage} for an unknown kind or a size the kind cannot have. Ids say nothing about degrees, except in
// the kinds without chance (karate, double-star).
Graph generate(std::string_view kind, const GenerateOptions& options = {}, const Progress& progress = {});

}  // namespace hushwalk
