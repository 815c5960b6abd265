#include "report/cells.h"
#include "report/charts/parts.h"

namespace hushwalk::report {
namespace {

struct Fields {
  Field x, y, label, value, kind;
};

// A place on the picture, whose axes mean nothing.
Json place(const char* field) {
  return {{"field", field}, {"type", "quantitative"}, {"axis", nullptr}, {"scale", {{"zero", false}}}};
}

Json points_of(const Rows& panel, const Fields& fields) {
  Json data = Json::array();
  for (const Row* row : panel.rows)
    data.push_back({{"x", optional_number(fields.x.number(*row))},
                    {"y", optional_number(fields.y.number(*row))},
                    {"label", fields.label.text(*row)},
                    {"value", optional_number(fields.value.number(*row))},
                    {"value_text", fields.value.text(*row)},
                    {"kind", fields.kind.text(*row)}});
  return data;
}

Json links_of(const NetworkChart& chart, const Json& points) {
  Json data = Json::array();
  for (const auto& [from, to] : chart.links)
    data.push_back({{"x", points.at(from)["x"]},
                    {"y", points.at(from)["y"]},
                    {"x2", points.at(to)["x"]},
                    {"y2", points.at(to)["y"]}});
  return data;
}

Json layers(const Fields& fields, Json links, const Range& range, const std::vector<std::string>& kinds) {
  Json lines = {{"data", {{"values", std::move(links)}}},
                {"mark", {{"type", "rule"}, {"opacity", 0.25}, {"strokeWidth", 1}}}};
  lines["encoding"] = {
      {"x", place("x")}, {"y", place("y")}, {"x2", {{"field", "x2"}}}, {"y2", {{"field", "y2"}}}};
  Json colour = {{"field", "value"},
                 {"type", "quantitative"},
                 {"title", fields.value.title()},
                 {"legend", {{"format", "~g"}, {"orient", "top"}, {"offset", 24}}}};
  if (range.low) colour["scale"]["domain"] = range.json();
  colour["condition"] = {{"test", {{"field", "value"}, {"valid", false}}}, {"value", "#888"}};
  Json points = {
      {"mark", {{"type", "point"}, {"filled", true}, {"size", 150}, {"opacity", 1}, {"invalid", nullptr}}}};
  points["encoding"] = {
      {"x", place("x")},
      {"y", place("y")},
      {"color", colour},
      {"shape", {{"field", "kind"}, {"type", "nominal"}, {"title", nullptr}, {"scale", {{"domain", kinds}}}}},
      {"tooltip",
       {tooltip("label", fields.label.title()), tooltip("value_text", fields.value.title()),
        tooltip("kind", fields.kind.title())}}};
  Json names = {{"mark", {{"type", "text"}, {"dy", -13}, {"fontSize", 11}}}};
  names["encoding"] = {{"x", place("x")}, {"y", place("y")}, {"text", {{"field", "label"}}}};
  return Json::array({lines, points, names});
}

}  // namespace

std::vector<Panel> network_panels(const Table& table, const NetworkChart& chart) {
  const Fields fields{
      {table, chart.x}, {table, chart.y}, {table, chart.label}, {table, chart.value}, {table, chart.kind}};
  Range all;
  for (const Row& row : table.rows) all.include(fields.value.number(row));
  std::vector<Panel> panels;
  for (const Rows& panel : split(table, Field(table, chart.facet))) {
    Json points = points_of(panel, fields);
    Json links = links_of(chart, points);
    Json spec = frame(panel.title, 360, std::move(points));
    spec["layer"] = layers(fields, std::move(links), all, distinct(table, fields.kind));
    panels.push_back({panel.title, std::move(spec)});
  }
  return panels;
}

}  // namespace hushwalk::report
