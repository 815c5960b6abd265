// Sentences that are made of the numbers of this very run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduction/figures.h"

namespace hushwalk::reproduction {

using namespace report;

namespace {

const Figure* made(const std::vector<Figure>& figures, const std::string& id) {
  const auto found = std::ranges::find(figures, id, &Figure::id);
  return found == figures.end() ? nullptr : &*found;
}

std::size_t column(const Table& table, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, name, &Column::name) -
                                  table.columns.begin());
}

std::optional<double> number(const Cell& cell) {
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*value);
  return {};
}

std::string text(const Cell& cell) {
  const auto* value = std::get_if<std::string>(&cell);
  return value ? *value : "";
}

// Of the first graph: the value of each series where `at` is `place`.
struct Bars {
  std::string graph;
  std::vector<std::pair<std::string, std::optional<double>>> values;

  Bars(const Table& table, const std::string& series, const std::string& at, double place,
       const std::string& value) {
    const std::size_t of_graph = column(table, "graph"), of_series = column(table, series),
                      of_at = column(table, at), of_value = column(table, value);
    if (of_graph < table.columns.size() && !table.rows.empty()) graph = text(table.rows.front()[of_graph]);
    for (const auto& row : table.rows)
      if ((graph.empty() || text(row[of_graph]) == graph) && number(row[of_at]) == place)
        values.emplace_back(text(row[of_series]), number(row[of_value]));
  }
  std::optional<double> of(const std::string& name) const {
    for (const auto& [series, value] : values)
      if (series == name) return value;
    return {};
  }
};

// The value of a column that is nearest to `wanted` on a logarithmic scale.
double nearest(const Table& table, const std::string& name, double wanted) {
  double best = 0;
  const auto far = [&](double value) { return std::abs(std::log(value / wanted)); };
  for (const auto& row : table.rows)
    if (const auto value = number(row[column(table, name)]); value && *value > 0)
      if (best == 0 || far(*value) < far(best)) best = *value;
  return best;
}

std::string shown(const std::optional<double>& value, const char* none = "nothing") {
  return value ? fmt::format("{:.2f}", *value) : none;
}

Figure finding(const std::string& id, std::string sentence, const Figure& from, const Bars& bars,
               const std::vector<std::string>& series, const std::string& axis, Scale scale = Scale::linear) {
  Table table{{{"what", "What"}, {"value", axis, "", 3}}, {}};
  for (const std::string& name : series)
    if (const auto value = bars.of(name)) table.rows.push_back({name, *value});
  return {.id = "found-" + id,
          .title = std::move(sentence),
          .caption = fmt::format("From the figure “{}”.", from.title),
          .graph = bars.graph,
          .table = std::move(table),
          .chart = BarChart{.category = "what", .value = "value", .scale = scale}};
}

void quality(const Figure& ndcg, std::vector<Figure>& found) {
  const double epsilon = nearest(ndcg.table, "epsilon", 1);
  const Bars bars(ndcg.table, "mechanism", "epsilon", epsilon, "ndcg");
  found.push_back(finding(
      "quality",
      fmt::format(
          "At ε = {:g}, twohop ranks with an NDCG of {}, the paper's method with {}, and own neighbours alone, for nothing, with {}.",
          epsilon, shown(bars.of("twohop")), shown(bars.of("paper"), "a refusal"), shown(bars.of("free"))),
      ndcg, bars, {"twohop", "frontier", "shared", "circles", "paper", "pushflow", "free"}, "NDCG@100"));
}

void price(const Figure& needed, std::vector<Figure>& found) {
  constexpr double wanted = 0.9;
  const Bars bars(needed.table, "mechanism", "ndcg", wanted, "epsilon");
  const auto costs = [&](const char* name) {
    const auto epsilon = bars.of(name);
    return epsilon ? fmt::format("takes {} ε = {:g}", name, *epsilon)
                   : fmt::format("is out of reach for {}", name);
  };
  found.push_back(
      finding("price", fmt::format("An NDCG of {} {}, and {}.", wanted, costs("twohop"), costs("paper")),
              needed, bars, {"twohop", "frontier", "shared", "circles", "paper", "pushflow", "output"},
              "ε needed", Scale::logarithmic));
}

void news(const Figure& new_ndcg, std::vector<Figure>& found) {
  const double epsilon = nearest(new_ndcg.table, "epsilon", 1);
  const Bars bars(new_ndcg.table, "mechanism", "epsilon", epsilon, "new_ndcg");
  found.push_back(finding(
      "news",
      fmt::format(
          "Among nodes that are not linked to the seed yet, twohop reaches {} at ε = {:g}, where a random order has {}.",
          shown(bars.of("twohop")), epsilon, shown(bars.of("free"))),
      new_ndcg, bars, {"twohop", "frontier", "shared", "circles", "paper", "pushflow", "free"},
      "NDCG@100 of new nodes"));
}

void many(const Figure& users, std::vector<Figure>& found) {
  const double count = nearest(users.table, "users", 1000);
  const Bars bars(users.table, "mechanism", "users", count, "ndcg");
  found.push_back(finding(
      "users",
      fmt::format(
          "When {:g} users share one budget of ε = 1, one artefact for all keeps an NDCG of {}; fresh noise for each leaves {}.",
          count, shown(bars.of("circles")), shown(bars.of("twohop"))),
      users, bars, {"circles", "shared", "twohop", "free"}, "NDCG@100"));
}

void disclosure(const Figure& attack, std::vector<Figure>& found) {
  const double epsilon = nearest(attack.table, "epsilon", 1);
  const Bars bars(attack.table, "guess", "epsilon", epsilon, "success");
  constexpr const char* ceiling = "ceiling e^ε/(1+e^ε)";
  const auto percent = [&](const char* name) { return 100 * bars.of(name).value_or(0); };
  found.push_back(finding(
      "attack",
      fmt::format(
          "From an exact answer an attacker guesses an edge right {:.0f} % of the time; from twohop at ε = {:g} {:.0f} %, where no attack can be right more than {:.0f} %.",
          percent("exact answer"), epsilon, percent("twohop"), percent(ceiling)),
      attack, bars, {"exact answer", ceiling, "twohop", "shared"}, "Share of right guesses"));
}

}  // namespace

std::vector<Figure> findings(const std::vector<Figure>& figures) {
  std::vector<Figure> found;
  if (const Figure* figure = made(figures, "ndcg")) quality(*figure, found);
  if (const Figure* figure = made(figures, "epsilon-needed")) price(*figure, found);
  if (const Figure* figure = made(figures, "new-ndcg")) news(*figure, found);
  if (const Figure* figure = made(figures, "users")) many(*figure, found);
  if (const Figure* figure = made(figures, "attack")) disclosure(*figure, found);
  return found;
}

}  // namespace hushwalk::reproduction
