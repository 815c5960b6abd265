#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "hushwalk/error.h"
#include "reproduction/figures.h"

namespace hushwalk::reproduction {

using namespace report;

namespace {

constexpr const char* how =
    "Against exact lazy PPR (β = 0.8, K = 100), the seed left out; bands are 95 % intervals over seeds. `paper`, `output` and `pushflow` have their best η chosen on this very graph, which a custodian may not do; `twohop`, `frontier`, `shared` and `circles` have nothing tuned. `+own` adds the recipient's own neighbours, which costs nothing. `free` spends no budget at all: what does not beat it has spent budget for nothing. `edgeflip` is measured on fewer seeds, because every answer goes through a graph of millions of flipped pairs.";

// A line over epsilon for each mechanism. `free` does not depend on it and is repeated.
Table utility_table(Workbench& bench) {
  Table table{with_measures({{"graph", "Graph"},
                             {"mechanism", "Mechanism"},
                             {"epsilon", "ε"},
                             {"eta", "η", "", 3},
                             {"seeds", "Seeds"}}),
              {}};
  for (const Benchmark& benchmark : bench.graphs())
    for (const EvaluationRow& row : bench.utility(benchmark)) {
      const std::vector<double> epsilons = row.epsilon ? std::vector{*row.epsilon} : bench.effort.epsilons;
      for (const double epsilon : epsilons)
        table.rows.push_back(with_measures(
            {benchmark.title, row.mechanism, epsilon, row.eta ? Cell(*row.eta) : Cell(Missing{"none"}),
             static_cast<std::int64_t>(row.seed_ndcg.size())},
            row));
    }
  return table;
}

Figure utility_figure(Workbench& bench, const std::string& id, std::string title, std::string caption,
                      const std::string& measure, std::optional<double> y_from = {}) {
  return {.id = id,
          .title = std::move(title),
          .caption = std::move(caption),
          .graph = bench.graph_words(),
          .command = bench.command(id),
          .table = utility_table(bench),
          .chart = LineChart{.x = "epsilon",
                             .y = measure,
                             .series = "mechanism",
                             .error = measure + "_ci",
                             .facet = "graph",
                             .x_scale = Scale::logarithmic,
                             .y_from = y_from,
                             .y_to = 1}};
}

}  // namespace

Figure ndcg(Workbench& bench) {
  return utility_figure(bench, "ndcg", "NDCG against ε, personalized scope",
                        std::string(how) + " As in the paper, values below 0.7 are in the table only.",
                        "ndcg", 0.7);
}

Figure recall(Workbench& bench) {
  return utility_figure(
      bench, "recall", "Recall against ε, personalized scope",
      "The share of the true best 100 nodes that is among the answer's best 100. The same rows as for NDCG.",
      "recall");
}

Figure new_ndcg(Workbench& bench) {
  return utility_figure(
      bench, "new-ndcg", "What a recommender adds: NDCG over non-neighbours",
      "The seed's neighbours are left out of truth and answer: what is left is news to the recipient. `free` is a random order here. The same rows as for NDCG, by which η was chosen.",
      "new_ndcg");
}

Figure new_recall(Workbench& bench) {
  return utility_figure(
      bench, "new-recall", "What a recommender finds: Recall over non-neighbours",
      "The share of the true best 100 nodes that is among the answer's best 100, the seed's neighbours left out of both. `free` is a random order here. The same rows as for NDCG, by which η was chosen.",
      "new_recall");
}

namespace {

// The first row, by ascending epsilon, whose mean is as good as wanted; nullptr when there is none.
const EvaluationRow* first_to_reach(double wanted, Measure EvaluationRow::* measure,
                                    const std::vector<EvaluationRow>& rows, const std::string& mechanism) {
  const auto found = std::ranges::find_if(rows, [&](const EvaluationRow& row) {
    return row.mechanism == mechanism && (row.*measure).mean && *(row.*measure).mean >= wanted;
  });
  return found == rows.end() ? nullptr : &*found;
}

// Which were measured at every epsilon.
std::vector<std::string> measured_throughout(const std::vector<EvaluationRow>& rows,
                                             const std::vector<double>& epsilons) {
  std::vector<std::string> names;
  for (const EvaluationRow& row : rows)
    if (row.epsilon == epsilons.front() &&
        std::ranges::count(rows, row.mechanism, &EvaluationRow::mechanism) ==
            static_cast<std::ptrdiff_t>(epsilons.size()))
      names.push_back(row.mechanism);
  return names;
}

// What is wanted, the epsilon it takes over all nodes and over new ones, and all that the former gives.
std::vector<Cell> needed(const Benchmark& benchmark, const std::string& mechanism, double wanted,
                         const std::vector<EvaluationRow>& rows, std::size_t columns) {
  const Cell not_reached = Missing{"not reached"};
  const auto epsilon_of = [&](const EvaluationRow* row) { return row ? Cell(*row->epsilon) : not_reached; };
  const EvaluationRow* const row = first_to_reach(wanted, &EvaluationRow::ndcg, rows, mechanism);
  const EvaluationRow* const new_row = first_to_reach(wanted, &EvaluationRow::new_ndcg, rows, mechanism);
  std::vector<Cell> cells = {benchmark.title, mechanism, wanted, epsilon_of(row), epsilon_of(new_row)};
  if (row) cells = with_measures(std::move(cells), *row);
  cells.resize(columns, not_reached);
  return cells;
}

}  // namespace

Figure epsilon_needed(Workbench& bench) {
  Table table{with_measures({{"graph", "Graph"},
                             {"mechanism", "Mechanism"},
                             {"wanted", "NDCG@100 wanted"},
                             {"epsilon", "ε needed"},
                             {"new_epsilon", "ε needed over new nodes"}}),
              {}};
  for (const Benchmark& benchmark : bench.graphs()) {
    const auto& rows = bench.utility(benchmark);
    for (const std::string& name : measured_throughout(rows, bench.effort.epsilons))
      for (const double wanted : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99})
        table.rows.push_back(needed(benchmark, name, wanted, rows, table.columns.size()));
  }
  return {
      .id = "epsilon-needed",
      .title = "The ε that a given NDCG costs",
      .caption =
          "The smallest ε of the grid at which the mean NDCG is reached, for mechanisms that were measured at every ε. What `free` reaches costs nothing: see the NDCG figure. Over new nodes the seed's neighbours are left out of truth and answer; η was chosen by NDCG over all nodes there, too. The table also has what was measured at the ε for all nodes: a high NDCG with a low one of new nodes is made of own neighbours.",
      .graph = bench.graph_words(),
      .command = bench.command("epsilon-needed"),
      .table = std::move(table),
      .chart = LineChart{.x = "wanted",
                         .y = "epsilon",
                         .series = "mechanism",
                         .facet = "graph",
                         .other_y = "new_epsilon",
                         .y_scale = Scale::logarithmic,
                         .steps = true}};
}

namespace {

constexpr std::int64_t user_counts[] = {1, 3, 10, 30, 100, 1000, 10000};
constexpr double users_total = 1;  // for all of them

// Every number of users with what one mechanism gives each, at an epsilon that depends on how many they are.
void add_users(Workbench& bench, const Benchmark& benchmark, const char* mechanism,
               const std::function<double(std::int64_t)>& epsilon_of, Table& table) {
  for (const std::int64_t count : user_counts) {
    const double epsilon = epsilon_of(count);
    const EvaluationRequest request{
        .mechanisms = {mechanism}, .epsilons = {Epsilon(epsilon)}, .seeds = bench.effort.seeds};
    evaluate(
        benchmark.graph, request,
        [&](const EvaluationRow& row) {
          table.rows.push_back(with_measures(
              {benchmark.title, count, mechanism, row.epsilon ? Cell(epsilon) : Cell(0.0)}, row));
        },
        bench.progress);
  }
}

}  // namespace

Figure users(Workbench& bench) {
  Table table{with_measures({{"graph", "Graph"},
                             {"users", "Users served from ε = 1 in all"},
                             {"mechanism", "Mechanism"},
                             {"epsilon", "ε for each", "", 3}}),
              {}};
  const auto whole = [](std::int64_t) { return users_total; };
  const auto part = [](std::int64_t count) { return users_total / static_cast<double>(count); };
  for (const Benchmark& benchmark : bench.graphs()) {
    add_users(bench, benchmark, "free", whole, table);
    add_users(bench, benchmark, "twohop", part, table);
    add_users(bench, benchmark, "frontier", part, table);
    add_users(bench, benchmark, "shared", whole, table);
    add_users(bench, benchmark, "circles", whole, table);
  }
  return {
      .id = "users",
      .title = "One budget, many users",
      .caption =
          "ε = 1 protects the graph in all, whoever pools answers. Fresh noise for every user leaves each 1/N of it; one artefact of `shared` or `circles` serves everybody at the whole ε. `auto` changes over at eleven users. Over new nodes, a user's own neighbours left out, only what is recommended counts; `free` is a random order there.",
      .graph = bench.graph_words(),
      .command = bench.command("users"),
      .table = std::move(table),
      .chart = LineChart{.x = "users",
                         .y = "ndcg",
                         .series = "mechanism",
                         .error = "ndcg_ci",
                         .facet = "graph",
                         .other_y = "new_ndcg",
                         .other_error = "new_ndcg_ci",
                         .x_scale = Scale::logarithmic,
                         .y_to = 1}};
}

// A noisy graph of all pairs takes long; nothing takes less than what is refused.
bool draws_pairs(const Graph& graph, const char* mechanism, Epsilon epsilon) {
  try {
    return make_plan(graph.facts(), {.mechanism = mechanism, .epsilon = epsilon}).artefact == Artefact::pairs;
  } catch (const Error&) {
    return false;
  }
}

Figure running_time(Workbench& bench) {
  constexpr double epsilon = 1;  // below 0.4 `frontier` is `twohop`, below 0.25 `circles` is `shared`
  Table table{{{"graph", "Graph"}, {"mechanism", "Mechanism"}, {"seconds", "Seconds of one answer", "s", 3}},
              {}};
  for (const Benchmark& benchmark : bench.graphs())
    for (const char* mechanism :
         {"paper", "pushflow", "edgeflip", "output", "twohop", "frontier", "shared", "circles"}) {
      // Five answers, each as a command of its own would make it.
      std::optional<double> best;
      std::optional<std::string> refused;
      const int repetitions = draws_pairs(benchmark.graph, mechanism, Epsilon(epsilon)) ? 1 : 5;
      for (int i = 0; i < repetitions; ++i)
        evaluate(benchmark.graph,
                 {.mechanisms = {mechanism},
                  .epsilons = {Epsilon(epsilon)},
                  .seeds = 1,
                  .random_seed = static_cast<std::uint64_t>(i + 1)},
                 [&](const EvaluationRow& row) {
                   refused = row.refused;
                   if (!row.refused) best = std::min(best.value_or(row.seconds), row.seconds);
                 });
      table.rows.push_back({benchmark.title, mechanism, cell(best, refused)});
    }
  return {
      .id = "running-time",
      .title = "Running time of one answer at ε = 1",
      .caption =
          "The best of five single answers (one for `edgeflip`), all threads, reading of the graph file left out. All at ε = 1 (the paper: 0.1), because `frontier` is `twohop` below 0.4, and `circles` is `shared` below 0.25. The seconds are those of the machine at hand. `edgeflip` flips pairs by geometric skips and keeps the flipped graph only; the paper's took 16 minutes to over 12 hours.",
      .graph = bench.graph_words(),
      .command = bench.command("running-time"),
      .table = std::move(table),
      .chart = BarChart{
          .category = "mechanism", .value = "seconds", .facet = "graph", .scale = Scale::logarithmic}};
}

namespace {

Cell published(std::uint64_t count) {
  return count > 0 ? Cell(static_cast<std::int64_t>(count)) : Cell(Missing{"not in the paper"});
}

}  // namespace

Figure datasets(Workbench& bench) {
  Table table{{{"graph", "Graph"},
               {"origin", "Here"},
               {"nodes", "Nodes"},
               {"edges", "Edges"},
               {"average_degree", "Average degree", "", 3},
               {"density", "Density", "", 2},
               {"published_nodes", "Nodes, published"},
               {"published_edges", "Edges, published"},
               {"classes", "Classes, published"}},
              {}};
  for (const Benchmark& benchmark : bench.graphs()) {
    const double n = static_cast<double>(benchmark.graph.nodes()),
                 m = static_cast<double>(benchmark.graph.secret_edges());
    table.rows.push_back(
        {benchmark.title, benchmark.origin, static_cast<std::int64_t>(benchmark.graph.nodes()),
         static_cast<std::int64_t>(benchmark.graph.secret_edges()), 2 * m / n, 2 * m / (n * (n - 1)),
         published(benchmark.published_nodes), published(benchmark.published_edges), benchmark.classes});
  }
  return {.id = "datasets",
          .title = "Benchmark graphs",
          .caption = "All imported with a public edge bound of twice the published count.",
          .graph = bench.graph_words(),
          .command = bench.command("datasets"),
          .table = std::move(table)};
}

}  // namespace hushwalk::reproduction
