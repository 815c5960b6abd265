// Power-law graphs without and with planted communities.

#include <algorithm>
#include <cmath>

#include "graph/generate/block_sampler.h"
#include "graph/generate/models.h"
#include "graph/generate/weights.h"

namespace hushwalk {
namespace {

EdgePieces from_model(const Recipe& recipe, const BlockModel& model, std::string_view name) {
  const BlockSampler sampler(model, recipe.seed);
  const CounterRandom random(recipe.seed, Stream::candidates);
  DistinctEdges edges;
  edges.grow_to(
      recipe.size.edges, [&](std::uint64_t i) { return sampler.edge(random, i); }, name, recipe.progress);
  return std::move(edges).take_pieces();
}

}  // namespace

EdgePieces chung_lu(const Recipe& recipe) {
  return from_model(recipe, {.weights = power_law_weights(recipe.size, recipe.seed)}, "chung-lu");
}

// Twenty communities at 10,000 nodes; seven of ten links stay inside.
EdgePieces block_model(const Recipe& recipe) {
  const double communities = std::max(2.0, std::sqrt(static_cast<double>(recipe.size.nodes)) / 5);
  return from_model(recipe,
                    {.weights = power_law_weights(recipe.size, recipe.seed),
                     .communities = static_cast<std::uint32_t>(communities),
                     .mixing = 0.3},
                    "sbm");
}

}  // namespace hushwalk
