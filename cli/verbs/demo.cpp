#include "ranking_writer.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

std::vector<RankedRow> top_rows(const std::vector<double>& scores, Node seed,
                                const PrivateScores* noisy = nullptr) {
  std::vector<RankedRow> rows;
  for (const Ranked& entry : top_k(scores, 10, std::span(&seed, 1)))
    rows.push_back({entry.node, entry.score, noisy ? std::optional(noisy->error(entry.node)) : std::nullopt});
  return rows;
}

std::string side_by_side(const NodeList& nodes, std::span<const RankedRow> noisy,
                         std::span<const RankedRow> exact) {
  std::string text =
      "          private                    exact (not private)\n  rank    node   score      noise     node  "
      " score\n";
  for (std::size_t i = 0; i < noisy.size(); ++i)
    text +=
        fmt::format("{:>6}    {:<5}  {:<9.4f}  ±{:<7.4f}  {:<5}  {:.4f}\n", i + 1, nodes.name(noisy[i].node),
                    noisy[i].score, *noisy[i].error, nodes.name(exact[i].node), exact[i].score);
  return text;
}

void run(const Common& common) {
  const Graph graph = generate("karate");
  const Node seed = find_node(graph, "1");
  const Diffusion diffusion = Diffusion::ppr();
  const Plan plan = make_plan(public_facts(graph), {.diffusion = diffusion, .epsilon = Epsilon(1)});
  const PrivateScores answer = PrivateRanker(plan, graph).answer(seed);
  const auto noisy = top_rows(answer.scores, seed, &answer),
             exact = top_rows(diffuse(graph, diffusion, SeedVector(seed)), seed);
  if (common.json) {
    const auto writer = make_ranking_writer(
        "json", graph.node_list(),
        {.document = {{"private", true}, {"certificate", Json::parse(certificate_json(plan))}}});
    return print_out(writer->begin() + writer->ranking(seed, noisy) + writer->end());
  }
  print_out(fmt::format(
      "Zachary's karate club: {} members, {} friendships. Who matters most to member 1?\n"
      "Personalized PageRank, lazy walk, beta = 0.8:\n\n{}\n{}\n"
      "Where to go from here:\n"
      "  hushwalk import FILE -o G.hwg                your own graph: an edge list, Matrix Market or METIS\n"
      "  hushwalk rank G.hwg --seed V --epsilon 1     the private ranking of any node\n"
      "  hushwalk plan G.hwg --epsilon 1              what that would promise, spending nothing\n"
      "  hushwalk share G.hwg --epsilon 1 -o S        one artefact that serves every node\n"
      "  hushwalk generate blogcatalog-like -o B.hwg  a graph to play with\n"
      "  hushwalk --help                              everything else\n",
      graph.nodes(), graph.edges(), side_by_side(graph.node_list(), noisy, exact), certificate_text(plan)));
}

}  // namespace

void add_demo(CLI::App& app, Common& common) {
  add_verb(app, common, "demo", "Rank the members of a built-in graph, privately and exactly",
           "hushwalk demo", [&common] { run(common); });
}

}  // namespace hushwalk::cli
