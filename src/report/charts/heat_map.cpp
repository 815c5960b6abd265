#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/cells.h"
#include "report/charts/parts.h"

namespace hushwalk::report {
namespace {

constexpr std::size_t cell_height = 34, around = 90;  // pixels

struct Fields {
  Field x, y, value;
};

// The steps of an axis: numbers from the smallest to the largest, texts in order of appearance.
std::vector<std::string> steps(const Rows& panel, const Field& field) {
  std::vector<std::pair<double, std::string>> found;
  for (const Row* row : panel.rows) {
    const double place = plottable(field.of(*row)).value_or(static_cast<double>(found.size()));
    if (std::string text = field.text(*row);
        std::ranges::find(found, text, &std::pair<double, std::string>::second) == found.end())
      found.emplace_back(place, std::move(text));
  }
  std::ranges::sort(found);
  std::vector<std::string> texts;
  texts.reserve(found.size());
  for (auto& [place, text] : found) texts.push_back(std::move(text));
  return texts;
}

// The best rows of a panel. Of equals, the first.
std::vector<const Row*> best_rows(const Rows& panel, const Fields& fields, const HeatMap& chart) {
  if (chart.best == Best::none) return {};
  std::map<std::string, std::pair<double, const Row*>> best;  // by what they compete in
  for (const Row* row : panel.rows) {
    const auto value = fields.value.number(*row);
    if (!value) continue;
    const double merit = chart.best == Best::highest ? *value : -*value;
    const auto [place, first] = best.try_emplace(chart.best_of_each_x ? fields.x.text(*row) : "", merit, row);
    if (!first && merit > place->second.first) place->second = {merit, row};
  }
  std::vector<const Row*> rows;
  rows.reserve(best.size());
  for (const auto& [key, found] : best) rows.push_back(found.second);
  return rows;
}

Json data_of(const Rows& panel, const Fields& fields, const HeatMap& chart, const Range& range) {
  const std::vector<const Row*> best = best_rows(panel, fields, chart);
  Json data = Json::array();
  for (const Row* row : panel.rows) {
    const auto value = fields.value.number(*row);
    // Text on light colours is dark: on the upper half, or about the middle where colours part.
    const bool light = value && (chart.diverging ? std::abs(*value) < 0.6 * *range.high
                                                 : *value > (*range.low + *range.high) / 2);
    data.push_back({{"x", fields.x.text(*row)},
                    {"y", fields.y.text(*row)},
                    {"value", optional_number(value)},
                    {"text", value ? cell_text(*value, 3) : placeholder(fields.value.of(*row))},
                    {"value_text", fields.value.text(*row)},
                    {"number", value.has_value()},
                    {"light", light},
                    {"best", std::ranges::find(best, row) != best.end()}});
  }
  return data;
}

Range range_of(const Rows& panel, const Field& value) {
  Range range;
  for (const Row* row : panel.rows) range.include(value.number(*row));
  return range;
}

// The smallest range with 0 in its middle that holds all of `range`.
Range about_zero(const Range& range) {
  const double most = std::max(std::abs(range.low.value_or(0)), std::abs(range.high.value_or(0)));
  return {-most, most};
}

Json axis(const char* field, const std::string& title, std::vector<std::string> steps) {
  return {{"field", field}, {"type", "ordinal"}, {"title", title}, {"scale", {{"domain", std::move(steps)}}}};
}

Json layer(Json mark, Json encoding, const char* field, bool value) {
  return {{"transform", Json::array({filter(field, value)})},
          {"mark", std::move(mark)},
          {"encoding", std::move(encoding)}};
}

// A layer without marks would be an element without a name for those who listen to the page.
bool any(const Json& data, const char* what, bool value) {
  return std::ranges::any_of(data, [&](const Json& datum) { return datum.at(what) == value; });
}

Json layers(const Fields& fields, const HeatMap& chart, const Range& range, std::size_t columns,
            const Json& data) {
  const Json tips = {tooltip("x", fields.x.title()), tooltip("y", fields.y.title()),
                     tooltip("value_text", fields.value.title())};
  // As large as a column has room for; nothing rather than something illegible.
  const std::string size = fmt::format("width < {} ? 0 : min(12, width / {})", columns * 26, columns * 4);
  const Json text = {{"type", "text"}, {"fontSize", {{"expr", size}}}};
  Json colour = {{"field", "value"},
                 {"type", "quantitative"},
                 {"title", fields.value.title()},
                 {"legend", {{"format", "~g"}}}};
  if (range.low) colour["scale"]["domain"] = range.json();
  if (chart.diverging) {
    colour["scale"]["scheme"] = "blueorange";
    colour["legend"]["values"] = {*range.low, 0, *range.high};
    colour["legend"]["format"] = ".2~f";
  }
  Json layers = Json::array();
  const Json shade = {{"condition", {{"test", {{"field", "light"}, {"equal", true}}}, {"value", "#111"}}},
                      {"value", "#fff"}};
  if (any(data, "number", true)) {
    layers.push_back(
        layer({{"type", "rect"}, {"style", "cell"}}, {{"color", colour}, {"tooltip", tips}}, "number", true));
    layers.push_back(layer(text, {{"text", {{"field", "text"}}}, {"color", shade}}, "number", true));
  }
  if (any(data, "number", false)) {
    layers.push_back(layer({{"type", "rect"}, {"style", "missing"}, {"fillOpacity", 0}}, {{"tooltip", tips}},
                           "number", false));
    layers.push_back(
        layer({{"type", "text"}, {"fontSize", 13}}, {{"text", {{"field", "text"}}}}, "number", false));
  }
  if (any(data, "best", true))
    layers.push_back(
        layer({{"type", "rect"}, {"style", "best"}, {"fillOpacity", 0}}, Json::object(), "best", true));
  return layers;
}

}  // namespace

std::vector<Panel> heat_map_panels(const Table& table, const HeatMap& chart) {
  const Fields fields{{table, chart.x}, {table, chart.y}, {table, chart.value}};
  const std::vector<Rows> split_rows = split(table, Field(table, chart.facet));
  Range all;
  for (const Rows& panel : split_rows) all.include(range_of(panel, fields.value));
  std::vector<Panel> panels;
  for (const Rows& panel : split_rows) {
    Range range = chart.same_scale ? all : range_of(panel, fields.value);
    if (chart.diverging) range = about_zero(range);
    const std::vector<std::string> columns = steps(panel, fields.x);
    std::vector<std::string> rows = steps(panel, fields.y);
    std::ranges::reverse(rows);  // upwards
    const Json data = data_of(panel, fields, chart, range);
    Json spec = frame(panel.title, around + cell_height * rows.size(), data);
    spec["encoding"] = {{"x", axis("x", fields.x.title(), columns)},
                        {"y", axis("y", fields.y.title(), rows)}};
    spec["layer"] = layers(fields, chart, range, columns.size(), data);
    panels.push_back({panel.title, std::move(spec)});
  }
  return panels;
}

}  // namespace hushwalk::report
