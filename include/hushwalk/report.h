// Rows in, one self-contained HTML page out: plots that need no network, and tables that need no script.
//
//   using namespace hushwalk::report;
//   Figure figure{.id = "utility", .title = "Utility", .caption = "Higher is better.", .table = table,
//                 .chart = LineChart{.x = "epsilon", .y = "ndcg", .series = "mechanism"}};
//   page_html({.title = "A report", .sections = {{.title = "Results", .figures = {figure}}}});
//
// All texts are plain; in captions, paragraphs and warnings, `code` between backticks is set as code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hushwalk::report {

// A value that there is none of. Tables show the reason, lines have a gap, other plots a mark.
struct Missing {
  std::string reason = "refused";
  friend bool operator==(const Missing&, const Missing&) = default;
};

// Infinities are shown, and are "inf" in CSV; no plot has a place for them. A NaN counts as
// Missing{"undefined"}.
using Cell = std::variant<double, std::int64_t, std::string, Missing>;

struct Column {
  std::string name;        // of the CSV, and how charts refer to it
  std::string title = {};  // for people: table heads and axes; empty: the name
  std::string unit = {};   // behind the title, in parentheses
  int digits = 4;          // significant digits in the HTML table; the CSV has them all
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

enum class Scale { linear, logarithmic };  // a logarithmic axis leaves out what is not positive

// Charts name columns of the figure's table. With `facet`, each value of that column has a panel of its own,
// in order of appearance, and `same_scale` gives all panels the same range of values. Series keep their order
// of appearance, which is also the order of colours; up to nine can be told apart.

// y over x, a line with points for each value of `series`.
struct LineChart {
  std::string x, y;
  std::string series = {};
  std::string error = {};  // the half-width of a band around y
  std::string facet = {};
  std::string other_y = {}, other_error = {};  // another value over the same x, in panels of its own
  Scale x_scale = Scale::linear, y_scale = Scale::linear;
  bool same_scale = false;
  bool y_from_zero = false;
  bool steps = false;                   // a value holds until the next: there is nothing between
  std::optional<double> y_from = {};    // what is below is in the table only
  std::optional<double> y_to = {};      // where the axis ends: nothing can be above, though a band might
  std::vector<std::string> wrong = {};  // series whose claim does not hold: dashed, and named "… (wrong)"
};

// Horizontal bars, grouped by category; on a logarithmic scale, which has no zero, points instead.
struct BarChart {
  std::string category, value;
  std::string series = {};
  std::string error = {};  // the half-width of a whisker
  std::string facet = {};
  Scale scale = Scale::linear;
  bool same_scale = false;
  std::vector<std::string> wrong = {};  // series in outline
};

enum class Best { none, highest, lowest };

// A cell for each pair of x and y. The axes are steps from the smallest value to the largest, all equally
// wide: a grid of decades has logarithmic axes.
struct HeatMap {
  std::string x, y, value;
  std::string facet = {};
  bool same_scale = false;
  bool diverging = false;       // a difference: colours part at zero, which is in their middle
  Best best = Best::none;       // marked
  bool best_of_each_x = false;  // in every column of cells, instead of once in a panel
};

// A small graph as a picture: a point for each row, coloured by its value, with a mark for each kind.
struct NetworkChart {
  std::string x, y, label, value, kind;
  std::string facet = {};
  std::vector<std::pair<std::size_t, std::size_t>> links = {};  // by the rows of a panel
};

using Chart = std::variant<LineChart, BarChart, HeatMap, NetworkChart>;

struct Figure {
  std::string id;  // small letters, digits and hyphens: the anchor, unique on the page
  std::string title;
  std::string caption = {};  // what to see
  std::string warning =
      {};  // not empty: a badge, and this text; with wrong series, that the claim is not valid
  std::string graph = {};    // what was measured on
  std::string command = {};  // what made it
  Table table;
  std::optional<Chart> chart = {};  // none: the table is the figure
};

struct Section {
  std::string title;
  std::vector<std::string> paragraphs = {};
  std::vector<Figure> figures;
};

struct Page {
  std::string title;
  std::vector<std::string> paragraphs = {};
  std::string command = {}, date = {};
  std::vector<Section> sections;
};

// Whether this library was built with the scripts that draw plots. Without them a page has the tables only.
bool has_plots() noexcept;

// Error{usage} when an id is used twice or is none, a row has not one cell for each column, or a chart names
// a column or a wrong series that is not there or plots what is no number.
std::string page_html(const Page& page);

// RFC 4180 with a line feed after each row. The head has the columns' names; missing values are empty.
std::string table_csv(const Table& table);

}  // namespace hushwalk::report
