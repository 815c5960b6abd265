// The graph models. Each returns exactly `size.edges` distinct edges on nodes 0 .. size.nodes - 1; sizes have
// been checked against n(n-1)/2. Labels are shuffled, so that the order of ids says nothing about degrees.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "graph/build_csr.h"
#include "hushwalk/progress.h"

namespace hushwalk {

struct GraphSize {
  std::uint64_t nodes, edges;
};

struct Recipe {
  GraphSize size;
  std::uint64_t seed;
  const Progress& progress;
};

EdgePieces erdos_renyi(const Recipe&);
EdgePieces chung_lu(const Recipe&);
EdgePieces block_model(const Recipe&);
EdgePieces rmat(const Recipe&);
EdgePieces barabasi_albert(const Recipe&);
EdgePieces karate(const Recipe&);
EdgePieces double_star(const Recipe&);

// Shapes of real social networks.
EdgePieces blogcatalog_like(const Recipe&);
EdgePieces flickr_like(const Recipe&);
EdgePieces themarker_like(const Recipe&);

}  // namespace hushwalk
