#include "hushwalk/graph.h"

#include <algorithm>

#include "base/fail.h"
#include "base/system_random.h"
#include "graph/build_csr.h"
#include "graph/graph_content.h"
#include "graph/graph_file.h"
#include "graph/graph_impl.h"

namespace hushwalk {

PublicFacts make_facts(std::uint64_t nodes, std::uint64_t edges, std::optional<std::uint64_t> max_edges,
                       bool nodes_declared) {
  const std::uint64_t pairs = all_pairs(nodes);
  if (max_edges && edges > *max_edges)
    refuse(
        for_custodian("there are {} edges", edges),
        "the graph has more edges than the public bound of {} (`max_edges`); a guarantee that rests on the bound would not hold. Declare a larger bound, one you would choose without looking at the edges",
        *max_edges);
  return {.nodes = nodes,
          .max_edges = std::min(max_edges.value_or(pairs), pairs),
          .nodes_declared = nodes_declared,
          .max_edges_declared = max_edges.has_value(),
          .graph_id = random_id("the id of a graph")};
}

Graph graph_from_pieces(NodeList nodes, EdgePieces pieces, std::optional<std::uint64_t> max_edges) {
  Csr csr = build_csr(nodes.size(), std::move(pieces)).csr;
  const std::uint64_t edges = csr.neighbors.size() / 2;
  PublicFacts facts = make_facts(nodes.size(), edges, max_edges, /*nodes_declared=*/true);
  return GraphAccess::make(std::move(facts), edges, std::move(nodes), std::move(csr));
}

Graph unsaved_graph(std::uint64_t nodes, std::uint64_t edges, const EdgeOptions& options,
                    std::shared_ptr<const UnsavedGraph> unsaved) {
  const auto not_here = [] { fail("the graph lies in several processes: save it, and open the file"); };
  return GraphAccess::make(
      make_facts(nodes, edges, options.max_edges, options.nodes_declared), edges,
      [=] { return not_here(), NodeList(); }, [=] { return not_here(), Csr(); }, {}, {}, {},
      std::move(unsaved));
}

Graph::Graph(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Graph::Graph() : Graph(from_edges({}, {})) {}

Graph Graph::from_edges(NodeList nodes, const std::vector<std::pair<Node, Node>>& edges,
                        std::optional<std::uint64_t> max_edges) {
  EdgePieces pieces(1);
  pieces[0].reserve(edges.size());
  for (const auto& [u, v] : edges) {
    if (u >= nodes.size() || v >= nodes.size())
      fail_usage(for_custodian("it is ({}, {})", u, v), "an edge leaves the node list, which has {} nodes",
                 nodes.size());
    pieces[0].push_back({u, v});
  }
  return graph_from_pieces(std::move(nodes), std::move(pieces), max_edges);
}

Graph Graph::open(const std::filesystem::path& path) { return read_graph_file(path).graph; }

void Graph::save(const std::filesystem::path& path, Permissions permissions, std::size_t parts) const {
  if (impl_->unsaved) return impl_->unsaved->save(facts(), path, permissions, parts);
  write_graph_file(*this, path, permissions, parts);
}

const PublicFacts& Graph::facts() const noexcept { return impl_->facts; }
std::uint64_t Graph::secret_edges() const noexcept { return impl_->edges; }

const NodeList& Graph::node_list() const { return impl_->nodes.get(); }

void Graph::check() const {
  if (!impl_->spread) impl_->csr.get();
  impl_->nodes.get();
}

Sha256 Graph::secret_digest() const {
  const std::scoped_lock lock(impl_->digesting);
  if (!impl_->computed_digest) {
    const Sha256 found = impl_->spread ? impl_->spread->digest() : digest_of(content_of(*this));
    if (impl_->digest && *impl_->digest != found)
      fail("the content of the graph file is not what its header says. Import it again from its source");
    impl_->computed_digest = found;
  }
  return *impl_->computed_digest;
}

std::uint64_t Graph::degree(Node node) const {
  if (impl_->is_for_one_row()) return impl_->single->degree(node);
  const Csr& csr = csr_of(*this);
  return csr.degree(csr.row_of_node[node]);
}

std::vector<Node> Graph::neighbors(Node node) const {
  std::vector<Node> result;
  if (impl_->is_for_one_row()) {
    result = impl_->single->neighbors(node);
  } else {
    const Csr& csr = csr_of(*this);
    for (const Row neighbor : csr.row(csr.row_of_node[node])) result.push_back(csr.node_of_row[neighbor]);
  }
  std::ranges::sort(result);
  return result;
}

bool Graph::adjacent(Node u, Node v) const {
  const Csr& csr = csr_of(*this);
  return std::ranges::binary_search(csr.row(csr.row_of_node[u]), csr.row_of_node[v]);
}

}  // namespace hushwalk
