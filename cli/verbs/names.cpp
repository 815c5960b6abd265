// For shells, which complete the names of nodes: of a graph file, where they are public and at hand. Not in
// --help.
#include <algorithm>
#include <memory>
#include <ranges>

#include "verbs.h"

namespace hushwalk::cli {
namespace {

using Names = std::vector<std::string>;

std::ranges::iota_view<Node, Node> all_nodes(const NodeList& list) {
  return {Node{0}, static_cast<Node>(list.size())};
}

// At most 50 in all.
void add(Names& names, const NodeList& list, const auto& nodes) {
  constexpr std::size_t most = 50;
  for (const Node node : nodes | std::views::take(most - names.size())) names.push_back(list.name(node));
}

// Names are sorted by their bytes, so that those with one beginning stand together.
Names names_with(const NodeList& list, const std::string& beginning) {
  const auto cut = [&](Node node) { return list.name(node).substr(0, beginning.size()); };
  Names names;
  add(names, list, std::ranges::equal_range(all_nodes(list), beginning, {}, cut));
  return names;
}

// 17, then 170 to 179, then 1700 to 1799, … What begins with a minus is a flag to a shell.
Names integers_with(const NodeList& list, const std::string& beginning) {
  constexpr std::size_t digits = 18;  // 64 bits hold them all
  Names names;
  if (beginning.empty()) add(names, list, all_nodes(list));
  if (beginning.empty() || beginning.find_first_not_of("0123456789") != beginning.npos) return names;
  const auto id = [&](Node node) { return list.integer(node); };
  for (std::string low = beginning, high = low; low.size() <= digits; low += '0', high += '9') {
    if (low.front() == '0' && low.size() > 1) break;
    const auto nodes = all_nodes(list);
    const auto from = std::ranges::lower_bound(nodes, std::stoll(low), {}, id);
    add(names, list,
        std::ranges::subrange(from, std::ranges::upper_bound(from, nodes.end(), std::stoll(high), {}, id)));
  }
  return names;
}

struct Words {
  std::string graph, beginning;
};

void run(const Words& words) {
  const Graph graph = Graph::open(words.graph);
  const NodeList& list = graph.node_list();
  for (const std::string& name :
       list.are_integers() ? integers_with(list, words.beginning) : names_with(list, words.beginning))
    print_out(name + "\n");
}

}  // namespace

void add_names(CLI::App& app, Common& common) {
  const auto words = std::make_shared<Words>();
  CLI::App* const verb =
      add_verb(app, common, "names", "The first names of nodes with a beginning, for shells to complete",
               "hushwalk names friends.hwg jo", [words] { run(*words); });
  verb->group("");  // hidden
  verb->add_option("graph", words->graph, "A graph file")->required()->type_name("G");
  verb->add_option("beginning", words->beginning, "Of the names (default: any)")->type_name("TEXT");
}

}  // namespace hushwalk::cli
