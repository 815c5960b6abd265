// For shells, which complete the names of nodes: of a graph file, where they are public and at hand. Not in
// --help.
#include <memory>

#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Words {
  std::string graph, beginning;
};

void run(const Words& words) {
  constexpr std::size_t most = 50;
  const Graph graph = Graph::open(words.graph);
  const NodeList& nodes = graph.node_list();
  for (const Node node : nodes_beginning(nodes, words.beginning, most)) print_out(nodes.name(node) + "\n");
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
