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

// A link of this very node, wherever chance allows one.
EdgeKey link_of(Node node, const BlockSampler& sampler, const CounterRandom& random) {
  const Node first = sampler.partner_of(node, random.word(node, 1), random.word(node, 2));
  return edge_key(node, first != node ? first : sampler.any_node(random.word(node, 3)));
}

// Nobody joins a social network to be alone: while there are edges for it, candidate i < n is a link of node
// i.
void grow_base(DistinctEdges& edges, std::uint64_t count, const BlockSampler& sampler, const Recipe& recipe,
               std::string_view name) {
  const CounterRandom random(recipe.seed, Stream::candidates);
  const std::uint64_t first_links = count >= recipe.size.nodes ? recipe.size.nodes : 0;
  const auto candidate = [&](std::uint64_t i) {
    return i < first_links ? link_of(static_cast<Node>(i), sampler, random) : sampler.edge(random, i);
  };
  edges.grow_to(count, candidate, name, recipe.progress);
}

// A node by weight, a neighbour of it, and a neighbour of that. A walk that comes back to where it started
// makes an ordinary link instead, so that a small base without open wedges is no dead end.
void close_wedges(DistinctEdges& edges, std::uint64_t count, const BlockSampler& sampler,
                  const Recipe& recipe, std::string_view name) {
  const CounterRandom random(recipe.seed, Stream::closures), spare(recipe.seed, Stream::spare);
  const BuiltCsr base = build_csr(recipe.size.nodes, edges.pieces());
  const auto neighbor = [&](Row row, std::uint64_t word) {
    return base.csr.row(row)[below(base.csr.degree(row), word)];
  };
  const auto candidate = [&](std::uint64_t i) {
    const Row u = base.csr.row_of_node[sampler.any_node(random.word(i, 0))];
    const bool alone = base.csr.degree(u) == 0;
    const Row v = alone ? u : neighbor(neighbor(u, random.word(i, 1)), random.word(i, 2));
    return u == v ? sampler.edge(spare, i) : edge_key(base.csr.node_of_row[u], base.csr.node_of_row[v]);
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
