#include "graph/generate/social.h"

#include <algorithm>
#include <utility>

#include "graph/generate/block_sampler.h"

namespace hushwalk {
namespace {

BlockModel model_of(const Recipe& recipe, const SocialShape& shape) {
  const double communities = static_cast<double>(recipe.size.nodes) / shape.nodes_per_community;
  return {.weights = knotted_weights(recipe.size.nodes, shape.weights, recipe.seed),
          .communities = static_cast<std::uint32_t>(std::clamp(communities, 1.0, 0x1p20)),
          .mixing = shape.mixing};
}

// Nobody is on a social network alone: as long as there are edges for it, candidate i < n is a link of node
// i.
void grow_base(DistinctEdges& edges, std::uint64_t count, const BlockSampler& sampler, const Recipe& recipe,
               std::string_view name) {
  const CounterRandom random(recipe.seed, Stream::candidates);
  const std::uint64_t first_links = count >= recipe.size.nodes ? recipe.size.nodes : 0;
  const auto candidate = [&](std::uint64_t i) {
    if (i >= first_links) return sampler.edge(random, i);
    return edge_key(i, sampler.partner_of(static_cast<Node>(i), random.word(i, 1), random.word(i, 2)));
  };
  edges.grow_to(count, candidate, name, recipe.progress);
}

// A node by weight, a neighbour of it, and a neighbour of that.
void close_wedges(DistinctEdges& edges, std::uint64_t count, const BlockSampler& sampler,
                  const Recipe& recipe, std::string_view name) {
  const CounterRandom random(recipe.seed, Stream::closures);
  const BuiltCsr base = build_csr(recipe.size.nodes, edges.pieces());
  const auto neighbor = [&](Row row, std::uint64_t word) {
    return base.csr.row(row)[below(base.csr.degree(row), word)];
  };
  const auto candidate = [&](std::uint64_t i) {
    const Row u = base.csr.row_of_node[sampler.any_node(random.word(i, 0))];
    if (base.csr.degree(u) == 0) return no_edge;
    const Row v = neighbor(neighbor(u, random.word(i, 1)), random.word(i, 2));
    return edge_key(base.csr.node_of_row[u], base.csr.node_of_row[v]);
  };
  edges.grow_to(count, candidate, name, recipe.progress);
}

}  // namespace

EdgePieces social_graph(const Recipe& recipe, const SocialShape& shape) {
  const BlockSampler sampler(model_of(recipe, shape), recipe.seed);
  const auto closing = static_cast<std::uint64_t>(shape.closure * static_cast<double>(recipe.size.edges));
  DistinctEdges edges;
  grow_base(edges, recipe.size.edges - closing, sampler, recipe, shape.name);
  if (closing > 0) close_wedges(edges, recipe.size.edges, sampler, recipe, shape.name);
  return std::move(edges).take_pieces();
}

}  // namespace hushwalk
