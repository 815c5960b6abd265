#include "seed_flags.h"

#include <numeric>
#include <unordered_set>

namespace hushwalk::cli {

void SeedFlags::add_to(CLI::App& verb) {
  verb.add_option("--seed", seeds, "Whose ranking; repeat it for one ranking each")
      ->type_name("V")
      ->allow_extra_args(false);
  verb.add_option("--seeds-file", seeds_file, "One ranking for each id in the file")->type_name("FILE");
  verb.add_flag("--all", all, "One ranking for each node; the file is for the custodian to hand out");
  verb.add_option("--seed-set", seed_set, "One ranking for all ids in the file together, weights optional")
      ->type_name("FILE");
}

int SeedFlags::ways() const {
  return static_cast<int>(!seeds.empty()) + static_cast<int>(seeds_file.has_value()) + static_cast<int>(all) +
         static_cast<int>(seed_set.has_value());
}

std::vector<SeedVector> SeedFlags::find(const Graph& graph) const {
  if (seed_set) return {SeedVector::weighted(read_weighted_nodes(*seed_set, graph.node_list()))};
  std::vector<Node> nodes;
  if (seeds_file) nodes = read_nodes(*seeds_file, graph.node_list());
  for (const std::string& id : seeds) nodes.push_back(find_node(graph, id));
  if (all) {
    nodes.resize(graph.nodes());
    std::iota(nodes.begin(), nodes.end(), Node{0});
  }
  std::vector<SeedVector> found;
  std::unordered_set<Node> seen;
  for (const Node node : nodes)
    if (seen.insert(node).second) found.emplace_back(node);
  return found;
}

}  // namespace hushwalk::cli
