#include <array>

#include "graph/generate/social.h"

namespace hushwalk {
namespace {

constexpr std::array<WeightKnot, 9> blogcatalog_weights = {{{1, 1},
                                                            {0.9, 4},
                                                            {0.75, 8},
                                                            {0.5, 21},
                                                            {0.25, 56},
                                                            {0.1, 136},
                                                            {0.01, 700},
                                                            {0.001, 2600},
                                                            {0.0001, 4500}}};

}  // namespace

EdgePieces blogcatalog_like(const Recipe& recipe) {
  return social_graph(recipe, {.name = "blogcatalog-like",
                               .weights = blogcatalog_weights,
                               .nodes_per_community = 500,
                               .mixing = 0.6,
                               .closure = 0.3});
}

EdgePieces flickr_like(const Recipe& recipe) {
  return social_graph(recipe, {.name = "flickr-like",
                               .weights = blogcatalog_weights,
                               .nodes_per_community = 500,
                               .mixing = 0.6,
                               .closure = 0.3});
}

EdgePieces themarker_like(const Recipe& recipe) {
  return social_graph(recipe, {.name = "themarker-like",
                               .weights = blogcatalog_weights,
                               .nodes_per_community = 500,
                               .mixing = 0.6,
                               .closure = 0.3});
}

}  // namespace hushwalk
