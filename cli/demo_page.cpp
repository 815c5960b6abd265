#include "demo_page.h"

#include <algorithm>

namespace hushwalk::cli {
namespace {

using namespace report;

constexpr const char* command = "hushwalk demo";
constexpr const char* not_private = "The exact ranking is there to compare with: it is not private.";

std::string graph_words(const Graph& graph) {
  return fmt::format("Zachary's karate club: {} members, {} friendships", graph.nodes(),
                     graph.secret_edges());
}

Figure rankings(const DemoAnswer& answer) {
  const NodeList nodes = answer.graph.node_list();
  Table table{{{"rank", "Rank"},
               {"private_node", "Private: member"},
               {"private_score", "score"},
               {"noise", "± noise", "sd", 2},
               {"exact_node", "Exact: member"},
               {"exact_score", "score"}},
              {}};
  for (std::size_t i = 0; i < answer.noisy_top.size(); ++i) {
    const RankedNode &noisy = answer.noisy_top[i], &exact = answer.exact_top[i];
    table.rows.push_back({static_cast<std::int64_t>(i + 1), nodes.name(noisy.node), noisy.score, *noisy.noise,
                          nodes.name(exact.node), exact.score});
  }
  return {
      .id = "ranking",
      .title = "Who matters most to member 1?",
      .caption =
          std::string(
              "Personalized PageRank, lazy walk, β = 0.8. Left what member 1 is told, right the truth. ") +
          not_private,
      .graph = graph_words(answer.graph),
      .command = command,
      .table = std::move(table)};
}

// Everybody in one of the two rankings, by their exact score.
std::vector<Node> shown_nodes(const DemoAnswer& answer) {
  std::vector<Node> nodes;
  for (const auto top : {answer.exact_top, answer.noisy_top})
    for (const RankedNode& row : top)
      if (std::ranges::find(nodes, row.node) == nodes.end()) nodes.push_back(row.node);
  std::ranges::sort(nodes, {}, [&](Node node) { return std::pair(-answer.exact[node], node); });
  return nodes;
}

Figure scores(const DemoAnswer& answer) {
  const NodeList nodes = answer.graph.node_list();
  Table table{{{"member", "Member"}, {"answer", "Answer"}, {"score", "Score"}, {"noise", "± noise", "sd", 2}},
              {}};
  for (const Node node : shown_nodes(answer)) {
    table.rows.push_back(
        {nodes.name(node), "private", answer.noisy.scores[node], answer.noisy.error(node).value_or(0)});
    table.rows.push_back({nodes.name(node), "exact, not private", answer.exact[node], Missing{"none"}});
  }
  return {
      .id = "scores",
      .title = "How far the noise moves the scores",
      .caption =
          std::string(
              "The whisker is one standard deviation of the noise. The graph is tiny, so that at ε = 1 the noise is of the size of the scores; on larger graphs more links stand against the same noise. ") +
          not_private,
      .graph = graph_words(answer.graph),
      .command = command,
      .table = std::move(table),
      .chart = BarChart{.category = "member", .value = "score", .series = "answer", .error = "noise"}};
}

Figure certificate(const Plan& plan) {
  Table table{{{"what", "What"}, {"promise", "Promise"}}, {}};
  for (const auto& [name, text] : certificate_sentences(plan)) table.rows.push_back({name, text});
  return {
      .id = "certificate",
      .title = "The certificate",
      .caption =
          "Made from public numbers only, so that anyone can check it again with `hushwalk verify-certificate` (here it is in words; `hushwalk demo --json` has it for machines).",
      .table = std::move(table)};
}

}  // namespace

std::string demo_page(const DemoAnswer& answer) {
  return page_html(
      {.title = "Which members matter most to member 1?",
       .paragraphs =
           {"Hushwalk answers such questions on graphs whose edges are secret, with a proven bound on what any single edge can leak. Here it ranks the members of a built-in graph, once privately and once exactly. Every run draws fresh noise."},
       .command = command,
       .sections = {{.title = "The answer", .figures = {rankings(answer), scores(answer)}},
                    {.title = "What is promised", .figures = {certificate(answer.plan)}}}});
}

}  // namespace hushwalk::cli
