#include "hushwalk/generate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "graph/generate/models.h"
#include "graph/graph_impl.h"

namespace hushwalk {
namespace {

using Model = EdgePieces (*)(const Recipe&);

// In step: kind i is made by model i.
struct Catalogue {
  std::vector<GraphKind> kinds;
  std::vector<Model> models;

  void add(GraphKind kind, Model model) {
    kinds.push_back(std::move(kind));
    models.push_back(model);
  }
};

const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue c;
    c.add({"chung-lu", "independent edges between power-law degrees", 10'000, 100'000, false}, chung_lu);
    c.add({"rmat", "recursive matrix with the quadrants of Graph500", 16'384, 262'144, false}, rmat);
    c.add({"sbm", "power-law degrees and planted communities", 10'000, 100'000, false}, block_model);
    c.add({"ba", "growth with preferential attachment", 10'000, 100'000, false}, barabasi_albert);
    c.add({"er", "edges uniformly at random", 10'000, 100'000, false}, erdos_renyi);
    c.add({"karate", "Zachary's karate club", 34, 78, true}, karate);
    c.add({"double-star", "two joined hubs that share the leaves", 10'000, 9'999, false}, double_star);
    c.add({"blogcatalog-like", "degrees and triangles of BlogCatalog", 10'312, 333'983, false},
          blogcatalog_like);
    c.add({"flickr-like", "size of Flickr, heavy tail, communities", 80'513, 5'899'882, false}, flickr_like);
    c.add({"themarker-like", "size of TheMarker, heavy tail, communities", 69'400, 1'600'000, false},
          themarker_like);
    return c;
  }();
  return all;
}

std::size_t find_kind(std::string_view name) {
  const auto& kinds = catalogue().kinds;
  const auto found = std::ranges::find(kinds, name, &GraphKind::name);
  if (found != kinds.end()) return static_cast<std::size_t>(found - kinds.begin());
  std::vector<std::string_view> names;
  names.reserve(kinds.size());
  for (const GraphKind& kind : kinds) names.push_back(kind.name);
  fail_usage("there is no kind of graph called '{}'; choose one of {}", quotable(name),
             fmt::join(names, ", "));
}

double mean_edges(const GraphKind& kind) {
  return static_cast<double>(kind.default_edges) / static_cast<double>(kind.default_nodes);
}

// As dense as the default, but a small graph stays at most half full.
std::uint64_t edges_for(const GraphKind& kind, std::uint64_t nodes) {
  if (kind.name == "double-star") return nodes - 1;
  const double wanted = std::round(mean_edges(kind) * static_cast<double>(nodes));
  return std::clamp(static_cast<std::uint64_t>(wanted), nodes - 1, std::max(nodes - 1, all_pairs(nodes) / 2));
}

std::uint64_t nodes_for(const GraphKind& kind, std::uint64_t edges) {
  if (kind.name == "double-star") return std::min(edges, max_nodes - 1) + 1;
  std::uint64_t nodes = static_cast<std::uint64_t>(static_cast<double>(edges) / mean_edges(kind));
  nodes = std::clamp<std::uint64_t>(nodes, 2, max_nodes);
  while (all_pairs(nodes) / 2 < edges && nodes - 1 < edges && nodes < max_nodes) ++nodes;
  return nodes;
}

GraphSize size_of(const GraphKind& kind, const GenerateOptions& options) {
  if (kind.fixed_size) {
    const bool other_nodes = options.nodes != 0 && options.nodes != kind.default_nodes;
    const bool other_edges = options.edges != 0 && options.edges != kind.default_edges;
    if (other_nodes || other_edges)
      fail_usage("{} always has {} nodes and {} edges; leave the sizes out", kind.name, kind.default_nodes,
                 kind.default_edges);
    return {kind.default_nodes, kind.default_edges};
  }
  if (options.nodes == 1) fail_usage("a graph of one node has no edges; ask for 2 nodes or more");
  if (options.nodes > max_nodes)
    fail_usage("{} nodes are more than the {} that a graph can have", options.nodes, max_nodes);
  GraphSize size{options.nodes, options.edges};
  if (size.nodes == 0) size.nodes = size.edges == 0 ? kind.default_nodes : nodes_for(kind, size.edges);
  if (size.edges == 0) size.edges = edges_for(kind, size.nodes);
  if (size.edges > all_pairs(size.nodes))
    fail_usage("{} nodes have at most {} edges, not {}; ask for fewer edges or more nodes", size.nodes,
               all_pairs(size.nodes), size.edges);
  return size;
}

}  // namespace

std::span<const GraphKind> graph_kinds() { return catalogue().kinds; }

Graph generate(std::string_view kind, const GenerateOptions& options, const Progress& progress) {
  const std::size_t index = find_kind(kind);
  const GraphSize size = size_of(catalogue().kinds[index], options);
  if (progress) progress("generating", 0);
  BuiltCsr built =
      build_csr(size.nodes, catalogue().models[index]({size, options.random_seed, progress}), progress);
  const std::uint64_t edges = built.csr.neighbors.size() / 2;
  return GraphAccess::make(make_facts(size.nodes, edges, std::nullopt, /*nodes_declared=*/true), edges,
                           NodeList::range(1, size.nodes), std::move(built.csr));
}

}  // namespace hushwalk
