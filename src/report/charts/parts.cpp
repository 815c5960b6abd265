#include "report/charts/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/fail.h"
#include "report/cells.h"

namespace hushwalk::report {

Field::Field(const Table& table, const std::string& name) {
  if (name.empty()) return;
  index_ = column_index(table, name);
  column_ = &table.columns[index_];
}

std::string Field::text(const Row& row) const { return column_ ? cell_text(of(row), column_->digits) : ""; }

std::optional<double> Field::number(const Row& row, Scale scale) const {
  if (!column_) return {};
  if (std::holds_alternative<std::string>(of(row)))
    fail_usage("the column '{}' has the text '{}' where its chart needs a number", column_->name,
               std::get<std::string>(of(row)));
  const auto value = plottable(of(row));
  return value && scale == Scale::logarithmic && *value <= 0 ? std::nullopt : value;
}

std::string Field::title() const { return column_ ? heading(*column_) : ""; }

std::vector<std::string> distinct(const Table& table, const Field& field) {
  std::vector<std::string> texts;
  for (const Row& row : table.rows)
    if (std::string text = field.text(row); std::ranges::find(texts, text) == texts.end())
      texts.push_back(std::move(text));
  return texts;
}

std::vector<Rows> split(const Table& table, const Field& facet) {
  std::vector<Rows> panels;
  for (const std::string& text : distinct(table, facet)) panels.push_back({text, {}});
  for (const Row& row : table.rows)
    std::ranges::find(panels, facet.text(row), &Rows::title)->rows.push_back(&row);
  return panels;
}

void Range::include(std::optional<double> value) {
  if (!value) return;
  low = std::min(low.value_or(*value), *value);
  high = std::max(high.value_or(*value), *value);
}

void Range::include(const Range& other) {
  include(other.low);
  include(other.high);
}

Json Range::json() const { return low ? Json{*low, *high} : Json(nullptr); }

namespace {

// These have a place of their own, whatever else is in a figure.
constexpr std::array<std::string_view, 13> known = {
    "twohop", "paper",    "shared",       "output",       "circles", "pushflow", "free",
    "exact",  "edgeflip", "pushflow+own", "edgeflip+own", "auto",    "frontier"};

// Marks of the places; colours are in web/main.js.
constexpr std::array<const char*, 13> marks = {
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "triangle-right",
    "cross",
    "M0,.5L.6,.8L.5,.1L1,-.3L.3,-.4L0,-1L-.3,-.4L-1,-.3L-.5,.1L-.6,.8Z",  // a star
    "triangle-left",
    "M-1,-.35L1,-.35L1,.35L-1,.35Z",  // a bar
    "M-.35,-1L.35,-1L.35,1L-.35,1Z",  // upright
    "M0,-1L.3,0L0,1L-.3,0Z",          // a needle
    "M-1,0L0,-.3L1,0L0,.3Z"};         // lying

// A known series has its own place, any other the first that is left.
std::vector<std::size_t> places_of(const std::vector<std::string>& texts) {
  std::vector<std::size_t> places;
  std::set<std::size_t> taken;
  const auto own = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::find(known, text) - known.begin());
  };
  for (const std::string& text : texts)
    if (own(text) < known.size()) taken.insert(own(text));
  for (const std::string& text : texts) {
    std::size_t place = own(text);
    if (place == known.size())
      for (place = 0; place + 1 < marks.size() && taken.contains(place);) ++place;
    taken.insert(place);
    places.push_back(place);
  }
  return places;
}

}  // namespace

Series::Series(const Table& table, const std::string& column, const std::vector<std::string>& wrong)
    : field_(table, column), wrong_(wrong) {
  const std::vector<std::string> texts = field_ ? distinct(table, field_) : std::vector<std::string>();
  for (const std::string& text : texts) names_.push_back(name(text));
  places_ = places_of(texts);
  for (const std::string& text : wrong)  // a typing error must not make it look right
    if (std::ranges::find(texts, text) == texts.end())
      fail_usage("there is no series '{}' to be wrong", text);
}

std::string Series::name(const std::string& text) const {
  return std::ranges::find(wrong_, text) == wrong_.end() ? text : text + " (wrong)";
}

bool Series::is_wrong(const Row& row) const {
  return field_ && std::ranges::find(wrong_, field_.text(row)) != wrong_.end();
}

void Series::add_to(Json& datum, const Row& row) const {
  if (field_) datum["series"] = name(field_.text(row));
  if (any_wrong()) datum["wrong"] = is_wrong(row);
}

Json Series::offset() const {
  return {{"field", "series"}, {"type", "nominal"}, {"scale", {{"domain", names_}}}};
}

Json Series::colour() const {
  Json colour = offset();
  colour["title"] = nullptr;
  colour["legend"]["symbolOpacity"] = 1;  // not that of a band
  return colour;
}

Json Series::shape() const {
  Json shape = colour();
  for (const std::size_t place : places_) shape["scale"]["range"].push_back(marks[place]);
  return shape;
}

Json Series::places() const { return {{"places", places_}}; }

Json Series::tooltip() const { return report::tooltip("series", field_.title()); }

Json error_low(std::optional<double> value, std::optional<double> error, Scale scale, const Range& all) {
  if (!value || !error) return nullptr;
  const double low = *value - *error;
  return scale == Scale::logarithmic && low <= 0 ? *all.low : low;
}

Json error_high(std::optional<double> value, std::optional<double> error) {
  return value && error ? Json(*value + *error) : Json(nullptr);
}

Json optional_number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

namespace {

Json logarithmic_ticks(const Range& covers) {
  Json ticks = Json::array();
  if (!covers.low) return ticks;
  const int first = static_cast<int>(std::floor(std::log10(*covers.low))),
            last = static_cast<int>(std::ceil(std::log10(*covers.high)));
  const int decades = last - first, every = decades / 10 + 1;
  std::vector<double> digits = {1};
  if (decades <= 1) digits = {1, 2, 5};
  if (decades > 1 && decades <= 3) digits = {1, 3};
  for (int decade = first; decade <= last; decade += every)
    for (const double digit : digits) ticks.push_back(digit * std::pow(10, decade));
  return ticks;
}

// Some ticks would be written as powers and others with many zeros: then all are powers.
bool needs_powers(const Range& covers) { return covers.low && (*covers.low < 1e-4 || *covers.high >= 1e6); }

}  // namespace

Json quantitative(const std::string& field, const std::string& title, Scale scale, const Range& covers) {
  Json encoding = {
      {"field", field}, {"type", "quantitative"}, {"title", title}, {"axis", {{"format", "~g"}}}};
  if (scale == Scale::logarithmic) {
    encoding["scale"]["type"] = "log";
    encoding["axis"]["values"] = logarithmic_ticks(covers);
    if (needs_powers(covers)) encoding["axis"]["format"] = "~e";
  }
  return encoding;
}

Json tooltip(const std::string& field, const std::string& title) {
  return {{"field", field}, {"type", "nominal"}, {"title", title}};
}

Json filter(const char* field, bool value) { return {{"filter", {{"field", field}, {"equal", value}}}}; }

Json frame(const std::string& title, std::size_t height, Json data) {
  Json spec = {{"width", "container"},
               {"height", height},
               {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
               {"data", {{"values", std::move(data)}}}};
  if (!title.empty()) spec["title"] = title;
  return spec;
}

std::vector<Panel> chart_panels(const Figure& figure) {
  if (!figure.chart) return {};
  const Table& table = figure.table;
  if (const auto* line = std::get_if<LineChart>(&*figure.chart)) return line_panels(table, *line);
  if (const auto* bars = std::get_if<BarChart>(&*figure.chart)) return bar_panels(table, *bars);
  if (const auto* map = std::get_if<HeatMap>(&*figure.chart)) return heat_map_panels(table, *map);
  return network_panels(table, std::get<NetworkChart>(*figure.chart));
}

}  // namespace hushwalk::report
