#include "ranking_writer.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

void run(const Common& common) {
  const Graph graph = generate("karate");
  const Node seed = find_node(graph, "1");
  const std::vector<double> scores = diffuse(graph, Diffusion::ppr(), SeedVector(seed));
  const std::vector<Ranked> top = top_k(scores, 10, std::span(&seed, 1));
  const auto writer =
      make_ranking_writer(common.json ? "json" : "table", graph.node_list(), /*seed_sets=*/false,
                          {{"private", false}, {"certificate", nullptr}});
  if (common.json) return print_out(writer->begin() + writer->ranking(seed, top) + writer->end());
  print_out(fmt::format(
      "Zachary's karate club: {} members, {} friendships. Who matters most to member 1?\n"
      "Personalized PageRank, lazy walk, beta = 0.8:\n\n{}\n"
      "This answer is exact: whoever sees it can learn about friendships. Private rankings come next.\n\n"
      "Where to go from here:\n"
      "  hushwalk import FILE -o G.hwg            your own graph: an edge list, Matrix Market or METIS\n"
      "  hushwalk rank G.hwg --seed V --exact     the ranking of any node\n"
      "  hushwalk info G.hwg                      what the graph looks like\n"
      "  hushwalk generate blogcatalog-like -o B.hwg    a graph to play with\n"
      "  hushwalk --help                          everything else\n",
      graph.nodes(), graph.edges(), writer->ranking(seed, top)));
}

}  // namespace

void add_demo(CLI::App& app, Common& common) {
  add_verb(app, common, "demo", "Rank the members of a built-in graph", "hushwalk demo",
           [&common] { run(common); });
}

}  // namespace hushwalk::cli
