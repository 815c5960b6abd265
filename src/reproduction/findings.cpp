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

// What is told of a figure: the values of some series where a column is nearest to a wanted value.
struct Question {
  std::string figure, id;
  std::string series, at;
  double wanted;
  std::string value;
  std::vector<std::string> shown;
  std::string axis;
  std::string (*sentence)(double place, const Bars& bars);
  Scale scale = Scale::linear;
};

Figure answer(const Question& question, const Figure& from) {
  const double place = nearest(from.table, question.at, question.wanted);
  const Bars bars(from.table, question.series, question.at, place, question.value);
  Table table{{{"what", "What"}, {"value", question.axis, "", 3}}, {}};
  for (const std::string& name : question.shown)
    if (const auto value = bars.of(name)) table.rows.push_back({name, *value});
  return {.id = "found-" + question.id,
          .title = question.sentence(place, bars),
          .caption = fmt::format("From the figure “{}”.", from.title),
          .graph = bars.graph,
          .table = std::move(table),
          .chart = BarChart{.category = "what", .value = "value", .scale = question.scale}};
}

std::string quality(double epsilon, const Bars& bars) {
  return fmt::format(
      "At ε = {:g}, twohop ranks with an NDCG of {}, the paper's method with {}, and own neighbours alone, for nothing, with {}.",
      epsilon, shown(bars.of("twohop")), shown(bars.of("paper"), "a refusal"), shown(bars.of("free")));
}

std::string price(double ndcg, const Bars& bars) {
  const auto costs = [&](const char* name) {
    const auto epsilon = bars.of(name);
    return epsilon ? fmt::format("takes {} ε = {:g}", name, *epsilon)
                   : fmt::format("is out of reach for {}", name);
  };
  return fmt::format("An NDCG of {} {}, and {}.", ndcg, costs("twohop"), costs("paper"));
}

std::string news(double epsilon, const Bars& bars) {
  return fmt::format(
      "Among nodes that are not linked to the seed yet, twohop reaches {} at ε = {:g}, where a random order has {}.",
      shown(bars.of("twohop")), epsilon, shown(bars.of("free")));
}

std::string many(double users, const Bars& bars) {
  return fmt::format(
      "When {:g} users share one budget of ε = 1, one artefact for all keeps an NDCG of {}; fresh noise for each leaves {}.",
      users, shown(bars.of("circles")), shown(bars.of("twohop")));
}

constexpr const char* ceiling = "ceiling e^ε/(1+e^ε)";

std::string disclosure(double epsilon, const Bars& bars) {
  const auto percent = [&](const char* name) { return 100 * bars.of(name).value_or(0); };
  return fmt::format(
      "From an exact answer an attacker guesses an edge right {:.0f} % of the time; from twohop at ε = {:g} {:.0f} %, where no attack can be right more than {:.0f} %.",
      percent("exact answer"), epsilon, percent("twohop"), percent(ceiling));
}

std::vector<Question> questions() {
  const std::vector<std::string> with_free = {"twohop", "frontier", "shared", "circles",
                                              "paper",  "pushflow", "free"};
  return {
      {"ndcg", "quality", "mechanism", "epsilon", 1, "ndcg", with_free, "NDCG@100", quality},
      {"epsilon-needed",
       "price",
       "mechanism",
       "ndcg",
       0.9,
       "epsilon",
       {"twohop", "frontier", "shared", "circles", "paper", "pushflow", "output"},
       "ε needed",
       price,
       Scale::logarithmic},
      {"new-ndcg", "news", "mechanism", "epsilon", 1, "new_ndcg", with_free, "NDCG@100 of new nodes", news},
      {"users",
       "users",
       "mechanism",
       "users",
       1000,
       "ndcg",
       {"circles", "shared", "twohop", "free"},
       "NDCG@100",
       many},
      {"attack",
       "attack",
       "guess",
       "epsilon",
       1,
       "success",
       {"exact answer", ceiling, "twohop", "shared"},
       "Share of right guesses",
       disclosure}};
}

}  // namespace

std::vector<Figure> findings(const std::vector<Figure>& figures) {
  std::vector<Figure> found;
  for (const Question& question : questions())
    if (const Figure* figure = made(figures, question.figure)) found.push_back(answer(question, *figure));
  return found;
}

}  // namespace hushwalk::reproduction
