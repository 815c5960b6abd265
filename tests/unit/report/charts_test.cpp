#include "report/charts/charts.h"

#include <gtest/gtest.h>

#include <limits>

#include "hushwalk/error.h"

namespace hushwalk::report {
namespace {

// A table of graph, mechanism, epsilon, ndcg, ci.
Table table() {
  return {{{"graph"}, {"mechanism"}, {"epsilon", "ε"}, {"ndcg", "NDCG", "of 1"}, {"ci"}},
          {{"A", "ours", 0.1, 0.9, 0.25},
           {"A", "ours", 1.0, Missing{}, 0.01},
           {"A", "theirs", 0.1, std::numeric_limits<double>::infinity(), 0.01},
           {"A", "theirs", 1.0, 0.5, Missing{}},
           {"B", "ours", 0.1, 2.0, 0.1}}};
}

Figure figure(Chart chart) { return {.id = "f", .title = "F", .table = table(), .chart = std::move(chart)}; }

const Json& data(const Panel& panel) { return panel.spec["data"]["values"]; }

// The layers whose mark is of this type.
std::vector<Json> marks(const Panel& panel, const std::string& type) {
  std::vector<Json> found;
  for (const Json& layer : panel.spec["layer"])
    if (layer["mark"]["type"] == type) found.push_back(layer);
  return found;
}

TEST(LineChart, HasAPanelForEachValueOfItsFacet) {
  const LineChart chart{.x = "epsilon", .y = "ndcg", .series = "mechanism", .facet = "graph"};
  const auto panels = chart_panels(figure(chart));
  ASSERT_EQ(panels.size(), 2);
  EXPECT_EQ(panels[0].title, "A");
  EXPECT_EQ(panels[0].spec["title"], "A");
  EXPECT_EQ(data(panels[0]).size(), 4);
  EXPECT_EQ(data(panels[1]).size(), 1);
  // The same colour for a series in both, though B has one series only.
  for (const Panel& panel : panels)
    EXPECT_EQ(panel.spec["encoding"]["color"]["scale"]["domain"], Json({"ours", "theirs"}));
}

TEST(LineChart, HasPanelsOfItsOwnForAnotherValue) {
  LineChart chart{.x = "epsilon", .y = "ndcg", .facet = "graph", .other_y = "ci", .y_to = 1};
  auto panels = chart_panels(figure(chart));
  ASSERT_EQ(panels.size(), 4);
  EXPECT_EQ(panels[1].title, "B, NDCG (of 1)");
  EXPECT_EQ(panels[2].title, "A, ci");
  EXPECT_EQ(panels[2].spec["title"], "A, ci");
  EXPECT_EQ(panels[2].spec["encoding"]["y"]["title"], "ci");
  EXPECT_EQ(data(panels[2])[0]["y"], 0.25);
  EXPECT_FALSE(data(panels[2])[0].contains("low")) << "the band is of the first value";
  chart.facet = "";
  chart.other_error = "ndcg";
  panels = chart_panels(figure(chart));
  ASSERT_EQ(panels.size(), 2);
  EXPECT_EQ(panels[1].title, "ci");
  EXPECT_EQ(data(panels[1])[0]["y_text"], "0.25 ± 0.9");
  chart.other_y = "recall";
  EXPECT_THROW(chart_panels(figure(chart)), Error);
}

TEST(LineChart, AMechanismHasTheSamePlaceInEveryFigure) {
  const auto places = [](const std::vector<std::string>& names) {
    Figure f = figure(LineChart{.x = "epsilon", .y = "ndcg", .series = "mechanism"});
    f.table.rows.clear();
    for (const std::string& name : names) f.table.rows.push_back({"A", name, 1.0, 0.5, 0.1});
    const Json spec = chart_panels(f)[0].spec;
    EXPECT_EQ(spec["layer"].back()["encoding"]["shape"]["scale"]["range"].size(), names.size());
    return spec["usermeta"]["places"];
  };
  EXPECT_EQ(places({"shared", "twohop"}), Json({2, 0}));
  EXPECT_EQ(places({"auto", "frontier"}), Json({11, 12}));
  EXPECT_EQ(places({"mine", "twohop", "shared", "yours"}), Json({1, 0, 2, 3})) << "others take what is left";
}

TEST(LineChart, HasAGapWhereAValueIsMissingOrInfinite) {
  const auto panels = chart_panels(figure(LineChart{.x = "epsilon", .y = "ndcg", .error = "ci"}));
  ASSERT_EQ(panels.size(), 1);
  const Json& rows = data(panels[0]);
  EXPECT_EQ(rows[0]["y"], 0.9);
  EXPECT_EQ(rows[0]["y_text"], "0.9 ± 0.25");
  EXPECT_EQ(rows[0]["low"], 0.65);
  EXPECT_EQ(rows[0]["high"], 1.15);
  EXPECT_TRUE(rows[1]["y"].is_null() && rows[1]["low"].is_null() && rows[1]["high"].is_null());
  EXPECT_EQ(rows[1]["y_text"], "refused");
  EXPECT_TRUE(rows[2]["y"].is_null());
  EXPECT_EQ(rows[2]["y_text"], "∞");
  EXPECT_TRUE(rows[3]["low"].is_null());
  EXPECT_EQ(rows[3]["y_text"], "0.5");
}

TEST(LineChart, NamesItsAxesWithUnits) {
  const auto spec = chart_panels(figure(LineChart{.x = "epsilon", .y = "ndcg"}))[0].spec;
  EXPECT_EQ(spec["encoding"]["x"]["title"], "ε");
  EXPECT_EQ(spec["encoding"]["y"]["title"], "NDCG (of 1)");
  EXPECT_FALSE(spec.contains("title"));
}

TEST(LineChart, OnALogarithmicScaleLeavesOutWhatIsNotPositive) {
  Figure f = figure(LineChart{.x = "epsilon",
                              .y = "ndcg",
                              .error = "ci",
                              .x_scale = Scale::logarithmic,
                              .y_scale = Scale::logarithmic});
  f.table.rows = {{"A", "m", 0.0, 1.0, 0.1}, {"A", "m", 1.0, 0.0, 0.1}, {"A", "m", 10.0, 0.2, 0.5}};
  const Panel panel = chart_panels(f)[0];
  ASSERT_EQ(data(panel).size(), 2);
  EXPECT_TRUE(data(panel)[0]["y"].is_null());
  EXPECT_GT(data(panel)[1]["low"], 0);  // not 0.2 - 0.5
  EXPECT_EQ(panel.spec["encoding"]["x"]["scale"]["type"], "log");
  EXPECT_EQ(panel.spec["encoding"]["x"]["axis"]["values"], Json({1.0, 2.0, 5.0, 10.0, 20.0, 50.0}));
}

TEST(LineChart, DrawsAWrongSeriesDashedAndSaysSo) {
  const auto panels = chart_panels(
      figure(LineChart{.x = "epsilon", .y = "ndcg", .series = "mechanism", .wrong = {"theirs"}}));
  const auto lines = marks(panels[0], "line");
  ASSERT_EQ(lines.size(), 2);
  EXPECT_FALSE(lines[0]["mark"].contains("strokeDash"));
  EXPECT_EQ(lines[0]["transform"][0]["filter"]["equal"], false);
  EXPECT_TRUE(lines[1]["mark"].contains("strokeDash"));
  EXPECT_EQ(lines[1]["transform"][0]["filter"]["equal"], true);
  EXPECT_EQ(data(panels[0])[0]["series"], "ours");
  EXPECT_EQ(data(panels[0])[0]["wrong"], false);
  EXPECT_EQ(data(panels[0])[2]["series"], "theirs (wrong)");
  EXPECT_EQ(data(panels[0])[2]["wrong"], true);
}

TEST(LineChart, SharesItsScaleWhenAsked) {
  LineChart chart{.x = "epsilon", .y = "ndcg", .facet = "graph"};
  EXPECT_FALSE(chart_panels(figure(chart))[0].spec["encoding"]["y"]["scale"].contains("domain"));
  chart.same_scale = true;
  for (const Panel& panel : chart_panels(figure(chart)))
    EXPECT_EQ(panel.spec["encoding"]["y"]["scale"]["domain"], Json({0.5, 2.0}));
  chart.y_from_zero = true;
  EXPECT_EQ(chart_panels(figure(chart))[1].spec["encoding"]["y"]["scale"]["domain"], Json({0.0, 2.0}));
}

TEST(LineChart, EndsWhereNothingCanBeAbove) {
  const LineChart chart{.x = "epsilon", .y = "ndcg", .error = "ci", .facet = "graph", .y_to = 1};
  const Panel panel = chart_panels(figure(chart))[0];
  EXPECT_EQ(panel.spec["encoding"]["y"]["scale"]["domainMax"], 1);
  EXPECT_EQ(data(panel)[0]["high"], 1);
  EXPECT_EQ(data(panel)[0]["low"], 0.65);
}

TEST(LineChart, HasOneStyleOfTicks) {
  const auto format = [](double from, double to) {
    const Table table{{{"x"}, {"y"}}, {{from, 1.0}, {to, 2.0}}};
    const LineChart chart{.x = "x", .y = "y", .x_scale = Scale::logarithmic};
    const Figure f{.id = "f", .title = "F", .table = table, .chart = chart};
    return chart_panels(f)[0].spec["encoding"]["x"]["axis"]["format"];
  };
  EXPECT_EQ(format(0.001, 1000), "~g");
  EXPECT_EQ(format(1e-7, 1e-3), "~e") << "else 1e-7 would stand beside 0.001";
  EXPECT_EQ(format(1, 1e6), "~e");
}

TEST(LineChart, HasStepsWhereThereIsNothingBetween) {
  LineChart chart{.x = "epsilon", .y = "ndcg"};
  EXPECT_FALSE(marks(chart_panels(figure(chart))[0], "line")[0]["mark"].contains("interpolate"));
  chart.steps = true;
  EXPECT_EQ(marks(chart_panels(figure(chart))[0], "line")[0]["mark"]["interpolate"], "step-after");
}

TEST(LineChart, NamesCurvesThatLieOnEachOther) {
  Figure f = figure(LineChart{.x = "epsilon", .y = "ndcg", .series = "mechanism"});
  f.table.rows.clear();
  for (const double epsilon : {0.1, 1.0})
    for (const auto& [name, ndcg] : {std::pair("a", 0.5), std::pair("b", 0.501), std::pair("c", 0.9)})
      f.table.rows.push_back({"A", name, epsilon, ndcg, 0.1});
  EXPECT_EQ(chart_panels(f)[0].note, "a and b lie on each other.");
  f.table.rows.back()[1] = "b";
  f.table.rows.erase(f.table.rows.begin() + 4);
  EXPECT_EQ(chart_panels(f)[0].note, "") << "they part at the end";
}

TEST(NetworkChart, DrawsLinksBetweenTheRowsOfAPanel) {
  const Table table{{{"p"}, {"name"}, {"x"}, {"y"}, {"v"}, {"k"}},
                    {{"A", "a", 0.0, 0.0, 1.0, "sure"},
                     {"A", "b", 1.0, 2.0, Missing{}, "unsure"},
                     {"B", "a", 5.0, 6.0, 3.0, "sure"},
                     {"B", "b", 7.0, 8.0, 0.0, "sure"}}};
  const NetworkChart chart{
      .x = "x", .y = "y", .label = "name", .value = "v", .kind = "k", .facet = "p", .links = {{0, 1}}};
  const auto panels = chart_panels({.id = "f", .title = "F", .table = table, .chart = chart});
  ASSERT_EQ(panels.size(), 2);
  const Json line = marks(panels[1], "rule")[0]["data"]["values"][0];
  EXPECT_EQ(line, (Json{{"x", 5.0}, {"y", 6.0}, {"x2", 7.0}, {"y2", 8.0}}));
  for (const Panel& panel : panels)  // one scale of colours and marks for all
    EXPECT_EQ(marks(panel, "point")[0]["encoding"]["color"]["scale"]["domain"], Json({0.0, 3.0}));
  EXPECT_TRUE(data(panels[0])[1]["value"].is_null());
}

TEST(LineChart, ShowsFewShapesOnALongLine) {
  Figure f = figure(LineChart{.x = "epsilon", .y = "ndcg"});
  f.table.rows.clear();
  for (int i = 0; i < 100; ++i) f.table.rows.push_back({"A", "m", 1.0 * i, 1.0, 0.1});
  int shown = 0;
  const Panel panel = chart_panels(f)[0];
  for (const Json& row : data(panel)) shown += row["shown"].get<bool>() ? 1 : 0;
  EXPECT_GE(shown, 5);
  EXPECT_LE(shown, 12);
  EXPECT_EQ(data(panel).size(), 100);
}

TEST(BarChart, SaysWhereThereIsNoBar) {
  const auto panels = chart_panels(
      figure(BarChart{.category = "mechanism", .value = "ndcg", .series = "graph", .error = "ci"}));
  const Json& rows = data(panels[0]);
  EXPECT_EQ(rows[0]["placeholder"], "");
  EXPECT_EQ(rows[1]["placeholder"], "×");
  EXPECT_EQ(rows[2]["placeholder"], "∞");
  EXPECT_EQ(marks(panels[0], "bar").size(), 1);
  EXPECT_EQ(marks(panels[0], "rule").size(), 1);
  EXPECT_EQ(panels[0].spec["encoding"]["yOffset"]["field"], "series");
}

TEST(BarChart, HasPointsOnALogarithmicScale) {
  const auto panels =
      chart_panels(figure(BarChart{.category = "mechanism", .value = "ndcg", .scale = Scale::logarithmic}));
  EXPECT_TRUE(marks(panels[0], "bar").empty());
  EXPECT_EQ(marks(panels[0], "point").size(), 1);
  EXPECT_EQ(panels[0].spec["encoding"]["x"]["scale"]["type"], "log");
}

TEST(BarChart, DrawsAWrongSeriesInOutline) {
  const auto panels = chart_panels(
      figure(BarChart{.category = "epsilon", .value = "ndcg", .series = "mechanism", .wrong = {"theirs"}}));
  const auto bars = marks(panels[0], "bar");
  ASSERT_EQ(bars.size(), 2);
  EXPECT_EQ(bars[0]["mark"]["filled"], false);
  EXPECT_EQ(bars[0]["transform"][0]["filter"]["equal"], true);
}

Table cells() {
  return {{{"x"}, {"y"}, {"v"}},
          {{10.0, 1e-6, 0.3},
           {1.0, 1e-6, 0.7},
           {1.0, 1e-4, 0.2},
           {10.0, 1e-4, 0.9},
           {0.1, 1e-4, Missing{}},
           {0.1, 1e-6, std::numeric_limits<double>::infinity()}}};
}

std::vector<std::size_t> best_rows(HeatMap chart) {
  const Panel panel = chart_panels({.id = "f", .title = "F", .table = cells(), .chart = std::move(chart)})[0];
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < data(panel).size(); ++i)
    if (data(panel)[i]["best"].get<bool>()) best.push_back(i);
  return best;
}

TEST(HeatMap, SortsItsSteps) {
  const HeatMap chart{.x = "x", .y = "y", .value = "v"};
  const Panel panel = chart_panels({.id = "f", .title = "F", .table = cells(), .chart = chart})[0];
  EXPECT_EQ(panel.spec["encoding"]["x"]["scale"]["domain"], Json({"0.1", "1", "10"}));
  EXPECT_EQ(panel.spec["encoding"]["y"]["scale"]["domain"], Json({"1e-4", "1e-6"}));  // from the top
  EXPECT_EQ(data(panel)[4]["text"], "×");
  EXPECT_EQ(data(panel)[4]["value_text"], "refused");
  EXPECT_EQ(data(panel)[5]["text"], "∞");
  EXPECT_TRUE(data(panel)[5]["value"].is_null());
  EXPECT_EQ(marks(panel, "rect")[0]["encoding"]["color"]["scale"]["domain"], Json({0.2, 0.9}));
}

TEST(HeatMap, ColoursOfADifferencePartAtZero) {
  const HeatMap chart{.x = "x", .y = "y", .value = "v", .diverging = true};
  Table table = cells();
  table.rows[0][2] = -0.3;
  const Panel panel = chart_panels({.id = "f", .title = "F", .table = table, .chart = chart})[0];
  const Json colour = marks(panel, "rect")[0]["encoding"]["color"];
  EXPECT_EQ(colour["scale"]["domain"], Json({-0.9, 0.9}));
  EXPECT_EQ(colour["legend"]["values"], Json({-0.9, 0, 0.9}));
  EXPECT_EQ(data(panel)[0]["light"], true);
  EXPECT_EQ(data(panel)[3]["light"], false);
}

TEST(HeatMap, MarksTheBest) {
  const auto chart = [](Best best, bool each) {
    return HeatMap{.x = "x", .y = "y", .value = "v", .best = best, .best_of_each_x = each};
  };
  using Rows = std::vector<std::size_t>;
  EXPECT_EQ(best_rows(chart(Best::none, false)), Rows{});
  EXPECT_EQ(best_rows(chart(Best::highest, false)), Rows{3});
  EXPECT_EQ(best_rows(chart(Best::lowest, false)), Rows{2});
  EXPECT_EQ(best_rows(chart(Best::highest, true)), (Rows{1, 3}));
  EXPECT_EQ(best_rows(chart(Best::lowest, true)), (Rows{0, 2}));
}

TEST(Charts, OfNothingButMissingValuesAreStillCharts) {
  const Table empty{{{"x"}, {"y"}, {"v"}}, {{1.0, 1.0, Missing{}}}};
  for (const Chart& chart :
       {Chart(LineChart{.x = "x", .y = "v", .y_scale = Scale::logarithmic, .same_scale = true}),
        Chart(BarChart{.category = "x", .value = "v", .scale = Scale::logarithmic}),
        Chart(HeatMap{.x = "x", .y = "y", .value = "v", .best = Best::highest})})
    EXPECT_EQ(chart_panels({.id = "f", .title = "F", .table = empty, .chart = chart}).size(), 1);
}

TEST(Charts, OfAnEmptyTableAreNone) {
  EXPECT_TRUE(
      chart_panels({.id = "f", .title = "F", .table = {{{"x"}, {"y"}}, {}}, .chart = LineChart{"x", "y"}})
          .empty());
}

TEST(Charts, RefuseColumnsThatAreNotThereAndTextsForNumbers) {
  EXPECT_THROW(chart_panels(figure(LineChart{.x = "epsilon", .y = "ndcg", .wrong = {"ours"}})), Error);
  EXPECT_THROW(
      chart_panels(figure(LineChart{.x = "epsilon", .y = "ndcg", .series = "mechanism", .wrong = {"our"}})),
      Error);
  EXPECT_THROW(chart_panels(figure(LineChart{.x = "epsilon", .y = "recall"})), Error);
  EXPECT_THROW(chart_panels(figure(LineChart{.x = "graph", .y = "ndcg"})), Error);
  EXPECT_THROW(chart_panels(figure(BarChart{.category = "graph", .value = "mechanism"})), Error);
  EXPECT_THROW(chart_panels(figure(HeatMap{.x = "graph", .y = "mechanism", .value = "graph"})), Error);
}

}  // namespace
}  // namespace hushwalk::report
