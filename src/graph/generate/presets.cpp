// Shapes fitted to real networks. Expected degrees go in, and repeats between hubs come out of what the hubs
// get, so the weights were found by iteration: multiply each by (wanted / found degree)^0.7 until the degrees
// at the knots agree to a few percent.

#include <array>

#include "graph/generate/social.h"

namespace hushwalk {
namespace {

using Knots = std::array<WeightKnot, 11>;

// Degrees 1, 4, 8, 21, 56, 136, 342, 709, 1695, 2538, 3687 at these shares, as in BlogCatalog itself.
constexpr Knots blogcatalog_weights = {{{0.99, 0.07},
                                        {0.9, 0.40},
                                        {0.75, 0.80},
                                        {0.5, 2.39},
                                        {0.25, 7.14},
                                        {0.1, 20},
                                        {0.03, 64.6},
                                        {0.01, 176},
                                        {0.003, 690},
                                        {0.001, 1370},
                                        {0.0002, 3120}}};

// Degrees 2, 7, 18, 49, 143, 375, 869, 1482, 2470, 3458, 5335: the lower half as in an induced piece of
// Flickr, the tail stretched until the mean is that of the whole.
constexpr Knots flickr_weights = {{{0.99, 0.05},
                                   {0.9, 0.29},
                                   {0.75, 0.74},
                                   {0.5, 2.13},
                                   {0.25, 6.64},
                                   {0.1, 20},
                                   {0.03, 56.5},
                                   {0.01, 113},
                                   {0.003, 224},
                                   {0.001, 352},
                                   {0.0002, 649}}};

// Degrees 1, 3, 7, 21, 52, 107, 226, 373, 632, 1132, 3674: those of Twitter's circles, scaled to the mean
// degree of TheMarker.
constexpr Knots themarker_weights = {{{0.99, 0.10},
                                      {0.9, 0.15},
                                      {0.75, 0.68},
                                      {0.5, 2.44},
                                      {0.25, 7.47},
                                      {0.1, 20},
                                      {0.03, 59.9},
                                      {0.01, 118},
                                      {0.003, 228},
                                      {0.001, 447},
                                      {0.0002, 1660}}};

}  // namespace

EdgePieces blogcatalog_like(const Recipe& recipe) {
  return social_graph(recipe, {.name = "blogcatalog-like",
                               .weights = blogcatalog_weights,
                               .nodes_per_community = 1000,
                               .mixing = 0.47,
                               .closure = 0.25});
}

EdgePieces flickr_like(const Recipe& recipe) {
  return social_graph(recipe, {.name = "flickr-like",
                               .weights = flickr_weights,
                               .nodes_per_community = 2500,
                               .mixing = 0.25,
                               .closure = 0.3});
}

EdgePieces themarker_like(const Recipe& recipe) {
  return social_graph(recipe, {.name = "themarker-like",
                               .weights = themarker_weights,
                               .nodes_per_community = 250,
                               .mixing = 0.12,
                               .closure = 0.5});
}

}  // namespace hushwalk
