// The page that a demonstration leaves behind.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hushwalk/certificate.h"
#include "hushwalk/reproduction.h"

namespace hushwalk {
namespace {

using namespace report;

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
      .command = answer.command,
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

// Where the members stand in the picture, made once so that friends are close to each other.
constexpr std::array<std::pair<double, double>, 34> places = {
    {{0.03, 0.33},   {-0.15, 0.25}, {0.07, -0.00},  {0.15, 0.23},   {0.19, 0.57},   {0.19, 0.68},
     {-0.00, 0.69},  {0.28, 0.21},  {-0.18, -0.01}, {0.07, -0.29},  {0.38, 0.53},   {-0.19, 0.63},
     {0.43, 0.38},   {-0.09, 0.05}, {-0.50, -0.31}, {-0.47, -0.43}, {0.16, 1.00},   {-0.28, 0.51},
     {-0.40, -0.53}, {-0.28, 0.07}, {-0.29, -0.62}, {-0.37, 0.44},  {-0.16, -0.64}, {0.24, -0.52},
     {0.57, -0.30},  {0.55, -0.17}, {-0.05, -0.76}, {0.28, -0.29},  {0.19, -0.29},  {0.07, -0.62},
     {-0.38, -0.09}, {0.20, -0.07}, {-0.17, -0.31}, {-0.10, -0.34}}};

constexpr const char *asks = "member 1, who asks", *clear = "clear of the noise", *unsure = "could be noise",
                     *certain = "certain";

// How sure the private answer is of a member: two standard deviations.
const char* kind_of(const DemoAnswer& answer, Node node, bool in_truth) {
  if (answer.graph.node_list().name(node) == "1") return asks;
  if (in_truth) return certain;
  return std::abs(answer.noisy.scores[node]) > 2 * answer.noisy.error(node).value_or(0) ? clear : unsure;
}

Figure picture(const DemoAnswer& answer) {
  Table table{{{"panel", ""},
               {"member", "Member"},
               {"x", "x"},
               {"y", "y"},
               {"score", "Score", "", 3},
               {"kind", "How sure"}},
              {}};
  NetworkChart chart{
      .x = "x", .y = "y", .label = "member", .value = "score", .kind = "kind", .facet = "panel"};
  for (const bool in_truth : {true, false})
    for (Node node = 0; node < answer.graph.nodes(); ++node) {
      const std::string name = answer.graph.node_list().name(node);
      const auto [x, y] = places.at(std::stoul(name) - 1);
      const double score = in_truth ? answer.exact[node] : answer.noisy.scores[node];
      table.rows.push_back({in_truth ? "Near in truth, which is not private" : "Near as member 1 is told",
                            name, x, y, name == "1" ? Cell(Missing{"asks"}) : Cell(score),
                            kind_of(answer, node, in_truth)});
    }
  for (Node u = 0; u < answer.graph.nodes(); ++u)
    for (const Node v : answer.graph.neighbors(u))
      if (u < v) chart.links.emplace_back(u, v);
  return {
      .id = "club",
      .title = "The club: who is near member 1",
      .caption =
          std::string(
              "The lighter, the nearer. A member is clear of the noise where the score is more than two of its standard deviations from zero. ") +
          not_private,
      .graph = graph_words(answer.graph),
      .command = answer.command,
      .table = std::move(table),
      .chart = std::move(chart)};
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
      .command = answer.command,
      .table = std::move(table),
      .chart = BarChart{.category = "member", .value = "score", .series = "answer", .error = "noise"}};
}

Figure certificate(const DemoAnswer& answer) {
  Table table{{{"what", "What"}, {"promise", "Promise"}}, {}};
  for (const auto& [name, text] : certificate_sentences(answer.plan)) table.rows.push_back({name, text});
  return {
      .id = "certificate",
      .title = "The certificate",
      .caption = fmt::format(
          "Made from public numbers only, so that anyone can check it again with `{}` (here it is in words; `{}` has it for machines).",
          answer.check_command, answer.machine_command),
      .table = std::move(table)};
}

}  // namespace

std::string demo_page(const DemoAnswer& answer) {
  return page_html(
      {.title = "Which members matter most to member 1?",
       .paragraphs =
           {"Hushwalk answers such questions on graphs whose edges are secret, with a proven bound on what any single edge can leak. Here it ranks the members of a built-in graph, once privately and once exactly. Every run draws fresh noise."},
       .command = answer.command,
       .sections = {{.title = "The answer", .figures = {picture(answer), rankings(answer), scores(answer)}},
                    {.title = "What is promised", .figures = {certificate(answer)}}}});
}

}  // namespace hushwalk
