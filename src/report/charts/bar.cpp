#include <algorithm>

#include "report/cells.h"
#include "report/charts/parts.h"

namespace hushwalk::report {
namespace {

constexpr std::size_t bar_height = 15, group_gap = 9, around = 70;  // pixels

struct Fields {
  Field category, value, error;
  Series series;
};

Range range_of(const Rows& panel, const Fields& fields, Scale scale) {
  Range range;
  for (const Row* row : panel.rows) {
    const auto value = fields.value.number(*row, scale);
    range.include(value);
    if (const auto error = fields.error.number(*row); value && error) range.include(*value + *error);
  }
  return range;
}

Json data_of(const Rows& panel, const Fields& fields, const BarChart& chart, const Range& all) {
  Json data = Json::array();
  for (const Row* row : panel.rows) {
    const auto value = fields.value.number(*row, chart.scale), error = fields.error.number(*row);
    Json datum = {{"category", fields.category.text(*row)}, {"value", optional_number(value)}};
    if (fields.error) {
      datum["low"] = error_low(value, error, chart.scale, all);
      datum["high"] = error_high(value, error);
    }
    fields.series.add_to(datum, *row);
    datum["value_text"] = fields.value.text(*row) + (value && error ? " ± " + fields.error.text(*row) : "");
    datum["placeholder"] = placeholder(fields.value.of(*row));
    data.push_back(std::move(datum));
  }
  return data;
}

std::size_t height(const Json& data, const Fields& fields) {
  std::vector<std::string> categories;
  for (const Json& datum : data) categories.push_back(datum["category"]);
  std::ranges::sort(categories);
  const auto count = static_cast<std::size_t>(std::ranges::unique(categories).begin() - categories.begin());
  return around + count * (bar_height * std::max<std::size_t>(fields.series.count(), 1) + group_gap);
}

// Bars, or points where there is no zero to start from.
Json values(const Fields& fields, Scale scale) {
  const bool points = scale == Scale::logarithmic;
  Json layer;
  layer["mark"] = points ? Json{{"type", "point"}, {"filled", true}, {"opacity", 1}} : Json{{"type", "bar"}};
  Json& encoding = layer["encoding"];
  encoding["tooltip"] = {tooltip("category", fields.category.title()),
                         tooltip("value_text", fields.value.title())};
  if (fields.series) {
    encoding["color"] = fields.series.colour();
    if (points) encoding["shape"] = fields.series.shape();
    encoding["tooltip"].push_back(fields.series.tooltip());
  }
  return layer;
}

Json layers(const Fields& fields, Scale scale) {
  Json layers = Json::array();
  Json sound = values(fields, scale);
  if (fields.series.any_wrong()) {
    Json wrong = sound;
    wrong["mark"].update({{"filled", false}, {"strokeDash", {4, 3}}, {"strokeWidth", 1.5}});
    sound["transform"] = Json::array({filter("wrong", false)});
    wrong["transform"] = Json::array({filter("wrong", true)});
    layers.push_back(std::move(wrong));
  }
  layers.push_back(std::move(sound));
  if (fields.error)
    layers.push_back(
        {{"mark", {{"type", "rule"}}},
         {"encoding", {{"x", {{"field", "low"}, {"type", "quantitative"}}}, {"x2", {{"field", "high"}}}}}});
  layers.push_back({{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 4}}},
                    {"encoding", {{"x", {{"value", 0}}}, {"text", {{"field", "placeholder"}}}}}});
  return layers;
}

}  // namespace

std::vector<Panel> bar_panels(const Table& table, const BarChart& chart) {
  const Fields fields{{table, chart.category},
                      {table, chart.value},
                      {table, chart.error},
                      {table, chart.series, chart.wrong}};
  const std::vector<Rows> split_rows = split(table, Field(table, chart.facet));
  Range all;
  for (const Rows& panel : split_rows) all.include(range_of(panel, fields, chart.scale));
  std::vector<Panel> panels;
  for (const Rows& panel : split_rows) {
    Json data = data_of(panel, fields, chart, all);
    const std::size_t pixels = height(data, fields);
    Json spec = frame(panel.title, pixels, std::move(data));
    Json x = quantitative("value", fields.value.title(), chart.scale, all);
    if (chart.same_scale && all.high) x["scale"]["domainMax"] = *all.high;
    Json encoding = {{"x", x},
                     {"y",
                      {{"field", "category"},
                       {"type", "nominal"},
                       {"title", fields.category.title()},
                       {"sort", nullptr}}}};
    if (fields.series) encoding["yOffset"] = fields.series.offset();
    spec["encoding"] = std::move(encoding);
    spec["layer"] = layers(fields, chart.scale);
    if (fields.series) spec["usermeta"] = fields.series.places();
    panels.push_back({panel.title, std::move(spec)});
  }
  return panels;
}

}  // namespace hushwalk::report
