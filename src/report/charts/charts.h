// A figure's chart as Vega-Lite specifications, its data inlined. Fields have names of our own (x, y, series,
// …), so that no column's name is ever read as an expression. Colours and fonts are the page's (web/main.js).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hushwalk/report.h"

namespace hushwalk::report {

using Json = nlohmann::ordered_json;

// One plot: the whole chart, or one value of its facet.
struct Panel {
  std::string title;  // empty: the whole chart
  Json spec;
  std::string note = {};  // what the plot cannot show
};

// None without a chart, or where there is nothing to plot. Errors as in page_html.
std::vector<Panel> chart_panels(const Figure& figure);

std::vector<Panel> line_panels(const Table& table, const LineChart& chart);
std::vector<Panel> bar_panels(const Table& table, const BarChart& chart);
std::vector<Panel> heat_map_panels(const Table& table, const HeatMap& chart);
std::vector<Panel> network_panels(const Table& table, const NetworkChart& chart);

}  // namespace hushwalk::report
