// How much the choice of eta matters.
#include <algorithm>

#include "reproduction/figures.h"

namespace hushwalk::reproduction {

using namespace report;

namespace {

std::vector<Column> eta_columns() {
  return {{"graph", "Graph"}, {"epsilon", "ε", "", 2}, {"eta", "η", "", 2}};
}

Figure eta_figure(Workbench& bench, const std::string& id, std::string title, std::string caption,
                  Table table, const std::string& value, Best best) {
  return {.id = id,
          .title = std::move(title),
          .caption = std::move(caption),
          .graph = bench.graph_words(),
          .command = bench.command(id),
          .table = std::move(table),
          .chart = HeatMap{.x = "epsilon",
                           .y = "eta",
                           .value = value,
                           .facet = "graph",
                           .same_scale = true,
                           .diverging = best == Best::none,
                           .best = best,
                           .best_of_each_x = true}};
}

Figure eta_of(Workbench& bench, const std::string& mechanism, const std::string& words) {
  Table table{with_measures(eta_columns()), {}};
  for (const Benchmark& benchmark : bench.graphs())
    for (const EvaluationRow& row : bench.grid(benchmark))
      if (row.mechanism == mechanism)
        table.rows.push_back(with_measures({benchmark.title, *row.epsilon, *row.eta}, row));
  return eta_figure(bench, "eta-" + mechanism, "NDCG of " + mechanism + " against η and ε", words,
                    std::move(table), "ndcg", Best::highest);
}

}  // namespace

Figure eta_paper(Workbench& bench) {
  return eta_of(
      bench, "paper",
      "The best η for each ε is marked. Where a cell is refused, integer rounding would be more than 5 % of the sensitivity for so small an η.");
}

Figure eta_pushflow(Workbench& bench) {
  return eta_of(
      bench, "pushflow",
      "The baseline as published, one draw at the end, with the smaller of the two proven sensitivities. The best η for each ε is marked.");
}

namespace {

Cell difference(const Measure& paper, const Measure& pushflow) {
  return paper.mean && pushflow.mean ? Cell(*paper.mean - *pushflow.mean) : Cell(Missing{});
}

}  // namespace

Figure eta_difference(Workbench& bench) {
  Table table{eta_columns(), {}};
  for (const UtilityMeasure& measure : utility_measures())
    table.columns.push_back(
        {measure.name + "_difference", measure.title + " of paper minus that of pushflow"});
  for (const Benchmark& benchmark : bench.graphs()) {
    const auto& rows = bench.grid(benchmark);
    for (const EvaluationRow& row : rows) {
      if (row.mechanism != "paper") continue;
      const auto other = std::ranges::find_if(rows, [&](const EvaluationRow& candidate) {
        return candidate.mechanism == "pushflow" && candidate.epsilon == row.epsilon &&
               candidate.eta == row.eta;
      });
      auto& cells = table.rows.emplace_back(std::vector<Cell>{benchmark.title, *row.epsilon, *row.eta});
      for (const UtilityMeasure& measure : utility_measures())
        cells.push_back(other == rows.end() ? Cell(Missing{})
                                            : difference(row.*measure.of, (*other).*measure.of));
    }
  }
  return eta_figure(bench, "eta-difference", "paper minus pushflow, by η and ε",
                    "Above 0 `paper` is better. Cells that either of the two refuses are left out.",
                    std::move(table), "ndcg_difference", Best::none);
}

}  // namespace hushwalk::reproduction
