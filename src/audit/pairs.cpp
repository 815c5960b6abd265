#include "audit/pairs.h"

namespace hushwalk::auditing {
namespace {

// A graph that grows node by node.
struct Drawing {
  std::uint64_t nodes;
  std::vector<Edge> edges;

  Drawing& link(Node u, Node v) {
    edges.emplace_back(u, v);
    return *this;
  }
  Drawing& leaves(Node hub, Node count) {
    while (count-- > 0) link(hub, static_cast<Node>(nodes++));
    return *this;
  }
  Drawing& path(Node from, Node length) {
    for (Node last = from; length-- > 0; last = static_cast<Node>(nodes - 1)) leaves(last, 1);
    return *this;
  }
  // Links `first` and its `others` new nodes with each other.
  Drawing& clique(Node first, Node others) {
    std::vector<Node> members = {first};
    while (others-- > 0) {
      for (const Node member : members) link(member, static_cast<Node>(nodes));
      members.push_back(static_cast<Node>(nodes++));
    }
    return *this;
  }
  AdjacentPair pair(std::string name, Edge edge, SeedVector seed) const {
    return {std::move(name), nodes, edges, edge, std::move(seed)};
  }
};

// With so many links a hub is just saturated without the edge, and just not with it, in the settings of
// targets.cpp for the simple walk: the other case in which the distortion of a step is attained.
constexpr Node many = 20;
constexpr Node dense = 11;

// The seeds are the ends of the edge, so that both are saturated from the first step on.
std::vector<AdjacentPair> edge_pairs(Node degree) {
  const SeedVector both = SeedVector::weighted({{0, 1}, {1, 1}});
  return {
      Drawing{2, {}}.pair("two nodes", {0, 1}, both),
      Drawing{2, {}}.leaves(0, degree).leaves(1, degree).pair("double star", {0, 1}, both),
      Drawing{2, {}}.path(0, degree).path(1, degree).pair("path", {0, 1}, both),
      Drawing{2, {}}.clique(0, degree).clique(1, degree).pair("two cliques", {0, 1}, both),
      Drawing{2, {}}.leaves(0, many).leaves(1, many).pair("large double star", {0, 1}, both),
      // Dense enough for what gives up on sparse graphs.
      Drawing{2, {}}.clique(0, dense).clique(1, dense).pair("two large cliques", {0, 1}, both),
      Drawing{3, {}}.leaves(0, degree).leaves(1, degree).link(0, 2).link(1, 2).pair(
          "triangle of a double star", {0, 1}, both),
  };
}

// One in five nodes is linked to all of N and to no other: these are the set of a second look, for an epsilon
// of 1 but for one release in some thousands. As many more nodes have no link.
std::vector<AdjacentPair> second_look_pairs() {
  constexpr Node near = 14, set = 5, rest = 5, first = 1 + near;
  Drawing graph{1 + near + set + rest, {}};
  for (Node v = 1; v <= near; ++v) {
    graph.link(0, v);
    for (Node u = first; u < first + set; ++u) graph.link(v, u);
  }
  const Node other = first + set;
  return {graph.pair("edge among nodes of a second look", {first, first + 1}, 0),
          graph.pair("edge out of the nodes of a second look", {first, other}, 0),
          graph.pair("edge beyond the nodes of a second look", {other, other + 1}, 0)};
}

// The seed is node 0. The edges of the three kinds that the recipient can tell apart come first: N are the
// seed's neighbours, O is the rest.
std::vector<AdjacentPair> personalized_pairs(Node degree) {
  Drawing crowd{6, {}};  // node 5 of O is linked to many of N
  for (const Node near : {1U, 2U, 3U}) crowd.link(0, near).link(near, 5);
  crowd.link(0, 4);
  std::vector<AdjacentPair> pairs = {
      Drawing{3, {}}.link(0, 1).link(0, 2).pair("edge inside N", {1, 2}, 0),
      Drawing{3, {}}.link(0, 1).pair("edge between N and O", {1, 2}, 0),
      Drawing{4, {}}.link(0, 1).pair("edge inside O", {2, 3}, 0),
      Drawing{3, {}}.link(0, 1).link(0, 2).leaves(1, degree).leaves(2, degree).pair("double star inside N",
                                                                                    {1, 2}, 0),
      Drawing{3, {}}
          .link(0, 1)
          .link(0, 2)
          .leaves(1, many - 1)
          .leaves(2, many - 1)
          .pair("large double star", {1, 2}, 0),
      Drawing{3, {}}.link(0, 1).leaves(2, degree).pair("hub of O to N", {1, 2}, 0),
      Drawing{4, {}}.link(0, 1).link(1, 2).link(1, 3).leaves(2, degree).leaves(3, degree).pair(
          "double star inside O", {2, 3}, 0),
      crowd.pair("crowd of N around a node of O", {4, 5}, 0),
      Drawing{3, {}}.link(0, 1).link(0, 2).path(1, degree).path(2, degree).pair("path", {1, 2}, 0),
      Drawing{3, {}}.link(0, 1).link(0, 2).clique(1, degree).clique(2, degree).pair("two cliques", {1, 2}, 0),
  };
  for (AdjacentPair& pair : second_look_pairs()) pairs.push_back(std::move(pair));
  return pairs;
}

}  // namespace

Graph AdjacentPair::without() const { return Graph::from_edges(NodeList::range(1, nodes), edges); }

Graph AdjacentPair::with() const {
  std::vector<Edge> more = edges;
  more.push_back(edge);
  return Graph::from_edges(NodeList::range(1, nodes), more);
}

std::vector<AdjacentPair> worst_pairs(Scope scope, Node degree) {
  return scope == Scope::edge ? edge_pairs(degree) : personalized_pairs(degree);
}

}  // namespace hushwalk::auditing
