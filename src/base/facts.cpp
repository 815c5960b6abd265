#include "hushwalk/facts.h"

#include "base/fail.h"

namespace hushwalk {

PublicFacts public_facts(std::uint64_t nodes, std::optional<std::uint64_t> max_edges) {
  if (nodes < 1 || nodes > max_nodes)
    fail_usage("the number of nodes is {}; it must be from 1 to {}", nodes, max_nodes);
  if (max_edges && *max_edges > all_pairs(nodes))
    fail_usage("the bound on edges is {}, but {} nodes have only {} pairs", *max_edges, nodes,
               all_pairs(nodes));
  return {nodes, max_edges.value_or(all_pairs(nodes)), /*nodes_declared=*/true, max_edges.has_value(), ""};
}

}  // namespace hushwalk
