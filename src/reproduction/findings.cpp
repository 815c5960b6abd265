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

struct Bar {
  std::string series;
  std::optional<double> value, new_ndcg;  // the latter where the table has it
};

// Of the first graph: the value of each series where `at` is `place`.
struct Bars {
  std::string graph;
  std::vector<Bar> values;

  Bars(const Table& table, const std::string& series, const std::string& at, double place,
       const std::string& value) {
    const std::size_t of_graph = column(table, "graph"), of_series = column(table, series),
                      of_at = column(table, at), of_value = column(table, value),
                      of_new = column(table, "new_ndcg");
    if (of_graph < table.columns.size() && !table.rows.empty()) graph = text(table.rows.front()[of_graph]);
    for (const auto& row : table.rows)
      if ((graph.empty() || text(row[of_graph]) == graph) && number(row[of_at]) == place)
        values.push_back({text(row[of_series]), number(row[of_value]),
                          of_new < row.size() ? number(row[of_new]) : std::nullopt});
  }
  std::optional<double> of(const std::string& name, std::optional<double> Bar::* what = &Bar::value) const {
    const auto found = std::ranges::find(values, name, &Bar::series);
    return found == values.end() ? std::nullopt : (*found).*what;
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
  bool with_new = false;  // a second bar for each series: NDCG over new nodes
};

Table bars_table(const Question& question, const Bars& bars) {
  Table table{{{"what", "What"}, {"value", question.axis, "", 3}}, {}};
  if (question.with_new) table.columns.push_back({"over", "Over"});
  const auto add = [&](const std::string& name, std::optional<double> Bar::* what, const char* over) {
    const auto value = bars.of(name, what);
    if (!value) return;
    table.rows.push_back({name, *value});
    if (question.with_new) table.rows.back().emplace_back(over);
  };
  for (const std::string& name : question.shown) {
    add(name, &Bar::value, "all nodes");
    if (question.with_new) add(name, &Bar::new_ndcg, "new nodes");
  }
  return table;
}

Figure answer(const Question& question, const Figure& from) {
  const double place = nearest(from.table, question.at, question.wanted);
  const Bars bars(from.table, question.series, question.at, place, question.value);
  return {.id = "found-" + question.id,
          .title = question.sentence(place, bars),
          .caption = fmt::format("From the figure “{}”.", from.title),
          .graph = bars.graph,
          .table = bars_table(question, bars),
          .chart = BarChart{.category = "what",
                            .value = "value",
                            .series = question.with_new ? "over" : "",
                            .scale = question.scale}};
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

std::string finds(double epsilon, const Bars& bars) {
  return fmt::format(
      "Of the best nodes that are not linked to the seed yet, twohop finds a share of {} at ε = {:g}, where a random order finds {}.",
      shown(bars.of("twohop")), epsilon, shown(bars.of("free")));
}

std::string many(double users, const Bars& bars) {
  const auto of_new = [&](const char* name) { return shown(bars.of(name, &Bar::new_ndcg)); };
  return fmt::format(
      "When {:g} users share one budget of ε = 1, one artefact for all (circles) keeps an NDCG of {}, and {} over nodes that are not linked to the user yet (new_ndcg); fresh noise for each leaves {} and {}.",
      users, shown(bars.of("circles")), of_new("circles"), shown(bars.of("twohop")), of_new("twohop"));
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
       "wanted",
       0.9,
       "epsilon",
       {"twohop", "frontier", "shared", "circles", "paper", "pushflow", "output"},
       "ε needed",
       price,
       Scale::logarithmic},
      {"new-ndcg", "news", "mechanism", "epsilon", 1, "new_ndcg", with_free, "NDCG@100 of new nodes", news},
      {"new-recall", "new-recall", "mechanism", "epsilon", 1, "new_recall", with_free,
       "Recall@100 of new nodes", finds},
      {"users",
       "users",
       "mechanism",
       "users",
       1000,
       "ndcg",
       {"circles", "shared", "twohop", "free"},
       "NDCG@100",
       many,
       Scale::linear,
       true},
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
