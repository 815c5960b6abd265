#include <memory>

#include "common.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

std::string side_by_side(const NodeList& nodes, std::span<const RankedNode> noisy,
                         std::span<const RankedNode> exact) {
  std::string text =
      "          private                    exact (not private)\n  rank    node   score      noise     node   score\n";
  for (std::size_t i = 0; i < noisy.size(); ++i)
    text +=
        fmt::format("{:>6}    {:<5}  {:<9.4f}  ±{:<7.4f}  {:<5}  {:.4f}\n", i + 1, nodes.name(noisy[i].node),
                    noisy[i].score, *noisy[i].noise, nodes.name(exact[i].node), exact[i].score);
  return text;
}

std::string in_words(const Graph& graph, const Plan& plan, std::span<const RankedNode> noisy,
                     std::span<const RankedNode> exact) {
  return fmt::format(
      "Zachary's karate club: {} members, {} friendships. Who matters most to member 1?\n"
      "Personalized PageRank, lazy walk, beta = 0.8:\n\n{}\n{}\n"
      "Where to go from here:\n"
      "  hushwalk import FILE -o G.hwg                your own graph: an edge list, Matrix Market or METIS\n"
      "  hushwalk rank G.hwg --seed V --epsilon 1     the private ranking of any node\n"
      "  hushwalk plan G.hwg --epsilon 1              what that would promise, spending nothing\n"
      "  hushwalk share G.hwg --epsilon 1 -o S        one artefact that serves every node\n"
      "  hushwalk generate blogcatalog-like -o B.hwg  a graph to play with\n"
      "  hushwalk --help                              everything else\n",
      graph.nodes(), graph.secret_edges(), side_by_side(graph.node_list(), noisy, exact),
      certificate_text(plan));
}

struct Flags {
  std::optional<std::string> output;
  Permissions permissions = publishable;  // the graph is a famous one
};

void run(const Flags& flags, const Common& common) {
  const bool page = flags.output || !common.json;
  const std::string path = flags.output.value_or("hushwalk-demo.html");
  if (page) check_inputs({}, path);
  const Graph graph = generate("karate");
  const Node seed = find_node(graph, "1");
  const Diffusion diffusion = Diffusion::ppr();
  PrivateRanker ranker(graph, {.epsilon = Epsilon(1), .diffusion = diffusion});
  const Plan& plan = ranker.plan();
  const PrivateScores answer = ranker.answer(seed);
  const std::vector<double> exact_scores = diffuse_exactly(graph, diffusion, SeedVector(seed));
  const auto noisy = listed_nodes(graph, seed, answer, {}),
             exact = listed_nodes(graph, seed, {.scores = exact_scores}, {});
  if (common.json) {
    const auto writer = json_ranking_writer({graph.node_list(), /*is_private=*/true});
    print_out(writer->begin() + writer->ranking({seed, noisy}) + writer->end(issue(plan, {})));
  } else {
    print_text(in_words(graph, plan, noisy, exact));
  }
  if (!page) return;
  Output file(path, flags.permissions);
  file.write(demo_page({.graph = graph,
                        .plan = plan,
                        .noisy = answer,
                        .exact = exact_scores,
                        .noisy_top = noisy,
                        .exact_top = exact,
                        .command = "hushwalk demo",
                        .machine_command = "hushwalk demo --json",
                        .check_command = "hushwalk verify-certificate"}));
  file.commit();
  notice("the same as a page: {}", path);
}

}  // namespace

void add_demo(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "demo", "Rank the members of a built-in graph, privately and exactly",
               "hushwalk demo -o demo.html", [flags, &common] { run(*flags, common); });
  verb->add_option("-o,--output", flags->output,
                   "Write the answer as an HTML page here (default: hushwalk-demo.html; none with --json)")
      ->type_name("FILE");
  add_mode(*verb, flags->permissions);
}

}  // namespace hushwalk::cli
