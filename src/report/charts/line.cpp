#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/cells.h"
#include "report/charts/parts.h"

namespace hushwalk::report {
namespace {

struct Fields {
  Field x, y, error;
  Series series;
};

std::optional<double> shown_y(const Row& row, const Fields& fields, const LineChart& chart) {
  const auto y = fields.y.number(row, chart.y_scale);
  return y && chart.y_from && *y < *chart.y_from ? std::nullopt : y;
}

Json data_of(const Rows& panel, const Fields& fields, const LineChart& chart, const Range& all) {
  Json data = Json::array();
  for (const Row* row : panel.rows) {
    const auto x = fields.x.number(*row, chart.x_scale);
    if (!x) continue;
    const auto y = shown_y(*row, fields, chart), error = fields.error.number(*row);
    Json datum = {{"x", *x}, {"y", optional_number(y)}};
    if (fields.error) {
      datum["low"] = error_low(y, error, chart.y_scale, all);
      datum["high"] = error_high(y, error);
      if (chart.y_to && datum["high"].is_number()) datum["high"] = std::min(*chart.y_to, *y + *error);
    }
    fields.series.add_to(datum, *row);
    datum["y_text"] = fields.y.text(*row) + (y && error ? " ± " + fields.error.text(*row) : "");
    data.push_back(std::move(datum));
  }
  return data;
}

// Shapes would hide a line of many points, and its dashes: one in `every` is shown.
void thin_out(Json& data) {
  std::map<std::string, std::vector<Json*>> series;
  for (Json& datum : data) series[datum.value("series", "")].push_back(&datum);
  for (auto& [name, points] : series) {
    std::ranges::sort(points, {}, [](const Json* datum) { return (*datum)["x"].get<double>(); });
    const std::size_t every = points.size() > 15 ? points.size() / 8 : 1;
    for (std::size_t i = 0; i < points.size(); ++i) (*points[i])["shown"] = i % every == every / 2;
  }
}

using Curve = std::map<double, double>;

bool lie_on_each_other(const Curve& a, const Curve& b, double unit) {
  constexpr double thickness = 0.005;  // of the plot's height, about that of a line
  return a.size() > 1 && std::ranges::equal(a, b, [&](const auto& p, const auto& q) {
           return p.first == q.first && std::abs(p.second - q.second) <= thickness * unit;
         });
}

// Of curves that lie on each other only one is seen: the others are named.
std::string hidden_curves(const Json& data, Scale scale) {
  std::map<std::string, Curve> curves;
  Range range;
  for (const Json& datum : data) {
    if (!datum.contains("series") || !datum["y"].is_number()) continue;
    const double y = datum["y"], height = scale == Scale::logarithmic ? std::log(y) : y;
    curves[datum["series"]][datum["x"]] = height;
    range.include(height);
  }
  const double unit = range.low ? *range.high - *range.low : 0;
  std::string note;
  for (auto a = curves.begin(); a != curves.end(); ++a)
    for (auto b = std::next(a); b != curves.end(); ++b)
      if (lie_on_each_other(a->second, b->second, unit))
        note += fmt::format("{}{} and {} lie on each other.", note.empty() ? "" : " ", a->first, b->first);
  return note;
}

struct Ranges {
  Range x, y;
};

Ranges ranges_of(const Rows& panel, const Fields& fields, const LineChart& chart) {
  Ranges ranges;
  for (const Row* row : panel.rows) {
    ranges.x.include(fields.x.number(*row, chart.x_scale));
    const auto y = shown_y(*row, fields, chart);
    ranges.y.include(y);
    if (const auto error = fields.error.number(*row); y && error) {
      ranges.y.include(*y + *error);
      if (chart.y_scale == Scale::linear) ranges.y.include(*y - *error);
    }
  }
  return ranges;
}

Json lines(const Fields& fields, bool steps) {
  const auto line = [&](Json mark) {
    if (steps) mark["interpolate"] = "step-after";
    return Json{{"mark", std::move(mark)}};
  };
  Json sound = line({{"type", "line"}}), wrong = line({{"type", "line"}, {"strokeDash", {6, 4}}});
  if (!fields.series.any_wrong()) return Json::array({sound});
  sound["transform"] = Json::array({filter("wrong", false)});
  wrong["transform"] = Json::array({filter("wrong", true)});
  return Json::array({sound, wrong});
}

Json layers(const Fields& fields, bool steps) {
  Json layers = Json::array();
  if (fields.error)
    layers.push_back(
        {{"mark", {{"type", "area"}, {"opacity", 0.16}}},
         {"encoding", {{"y", {{"field", "low"}, {"type", "quantitative"}}}, {"y2", {{"field", "high"}}}}}});
  for (Json& layer : lines(fields, steps)) layers.push_back(std::move(layer));
  Json points = {{"mark", {{"type", "point"}, {"filled", true}}}};
  points["encoding"]["opacity"] = {
      {"condition", {{"test", {{"field", "shown"}, {"equal", true}}}, {"value", 1}}},
      {"value", 0}};  // still there for the pointer
  points["encoding"]["tooltip"] = {tooltip("x", fields.x.title()), tooltip("y_text", fields.y.title())};
  if (fields.series) {
    points["encoding"]["shape"] = fields.series.shape();
    points["encoding"]["tooltip"].push_back(fields.series.tooltip());
  }
  layers.push_back(std::move(points));
  return layers;
}

Json encoding(const Fields& fields, const LineChart& chart, const Ranges& ranges) {
  Json x = quantitative("x", fields.x.title(), chart.x_scale, ranges.x),
       y = quantitative("y", fields.y.title(), chart.y_scale, ranges.y);
  if (chart.x_scale == Scale::linear) x["scale"]["zero"] = false;
  x["scale"]["nice"] = false;
  if (chart.y_scale == Scale::linear) y["scale"]["zero"] = chart.y_from_zero;
  if (chart.same_scale && ranges.y.low) {
    y["scale"]["domain"] = ranges.y.json();
    y["scale"]["nice"] = true;
  }
  if (chart.y_to) {
    y["scale"]["domainMax"] = *chart.y_to;
    y["scale"]["nice"] = false;
    y["scale"].erase("domain");
    if (ranges.y.low && !chart.y_from_zero) y["scale"]["domainMin"] = *ranges.y.low;
  }
  Json encoding = {{"x", x}, {"y", y}};
  if (fields.series) encoding["color"] = fields.series.colour();
  return encoding;
}

// Panels of two values are told apart by their titles.
std::string title_of(const Rows& panel, const Fields& fields, const LineChart& chart) {
  if (chart.other_y.empty()) return panel.title;
  return panel.title + (panel.title.empty() ? "" : ", ") + fields.y.title();
}

std::vector<Panel> panels_of_y(const Table& table, const LineChart& chart) {
  const Fields fields{
      {table, chart.x}, {table, chart.y}, {table, chart.error}, {table, chart.series, chart.wrong}};
  const std::vector<Rows> split_rows = split(table, Field(table, chart.facet));
  Ranges all;
  for (const Rows& panel : split_rows) {
    const Ranges ranges = ranges_of(panel, fields, chart);
    all.x.include(ranges.x);
    all.y.include(ranges.y);
  }
  if (chart.y_from_zero && chart.y_scale == Scale::linear) all.y.include(0);
  std::vector<Panel> panels;
  for (const Rows& panel : split_rows) {
    Json data = data_of(panel, fields, chart, all.y);
    thin_out(data);
    std::string note = hidden_curves(data, chart.y_scale);
    std::string title = title_of(panel, fields, chart);
    Json spec = frame(title, 280, std::move(data));
    spec["encoding"] = encoding(fields, chart, chart.same_scale ? all : ranges_of(panel, fields, chart));
    spec["layer"] = layers(fields, chart.steps);
    if (fields.series) spec["usermeta"] = fields.series.places();
    panels.push_back({std::move(title), std::move(spec), std::move(note)});
  }
  return panels;
}

}  // namespace

std::vector<Panel> line_panels(const Table& table, const LineChart& chart) {
  std::vector<Panel> panels = panels_of_y(table, chart);
  if (chart.other_y.empty()) return panels;
  LineChart other = chart;
  other.y = chart.other_y;
  other.error = chart.other_error;
  for (Panel& panel : panels_of_y(table, other)) panels.push_back(std::move(panel));
  return panels;
}

}  // namespace hushwalk::report
