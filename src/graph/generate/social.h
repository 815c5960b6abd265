// Graphs that look like online social networks: heavy-tailed degrees, communities, and triangles beyond what
// either brings by itself.
//
// A degree-corrected block model makes the base. Then friends of friends meet: on the fixed base graph a node
// links to a neighbour of a neighbour (Holme and Kim, "Growing scale-free networks with tunable clustering",
// 2002), so that a personalized ranking is more than a ranking by degree.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "graph/generate/models.h"
#include "graph/generate/weights.h"

namespace hushwalk {

struct SocialShape {
  std::string_view name;
  std::span<const WeightKnot> weights;
  double nodes_per_community;
  double mixing;   // share of base links that ignore communities
  double closure;  // share of all edges that close a wedge of the base
};

EdgePieces social_graph(const Recipe& recipe, const SocialShape& shape);

}  // namespace hushwalk
