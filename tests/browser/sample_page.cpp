// Writes a page with every kind of chart and every kind of trouble into FILE, and the same without a script
// into BARE, for the tests in Chromium.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "hushwalk/output_file.h"
#include "report/page.h"

namespace hushwalk::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::string markup = "<b onclick=alert(1)>bold</b> & \"quoted\" </script><script>alert(2)</script>";
const std::string long_name =
    "a mechanism with a name that is much longer than anything a phone could show on one line";

Table utility() {
  Table table{{{"graph"},
               {"mechanism"},
               {"epsilon", "ε", "privacy budget"},
               {"ndcg", "NDCG@100"},
               {"ndcg_ci", "± 95 %"}},
              {}};
  const std::vector<std::string> names = {"twohop",   "shared", "paper",   "output",
                                          "pushflow", markup,   long_name, "free"};
  for (const char* graph : {"BlogCatalog", "Flickr", "TheMarker"})
    for (std::size_t i = 0; i < names.size(); ++i)
      for (const double epsilon : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
        const double ndcg =
            0.98 - 0.05 * static_cast<double>(i) - 0.3 / (1 + 12 * epsilon) * (i == 7 ? 0.0 : 1.0);
        Cell value = ndcg;
        if (names[i] == "paper" && epsilon == 0.3) value = Missing{"refused: the slack is above 5 %"};
        if (names[i] == "output" && epsilon == 10) value = infinity;
        table.rows.push_back({graph, names[i], epsilon, value, 0.004 + 0.01 / (1 + 10 * epsilon)});
      }
  return table;
}

Table bound() {
  Table table{{{"steps", "Diffusion steps K"}, {"accountant"}, {"epsilon", "ε(α = 2)", "nats"}}, {}};
  for (int steps = 1; steps <= 40; ++steps) {
    table.rows.push_back({std::int64_t{steps}, "Theorem 2 as printed", steps < 3 ? 0.0 : 0.02});
    table.rows.push_back(
        {std::int64_t{steps}, "Theorem 2 corrected", 0.05 + 0.5 * (1 - std::pow(0.8, steps))});
    table.rows.push_back({std::int64_t{steps}, "plain composition", 0.1 * steps});
    table.rows.push_back({std::int64_t{steps}, "its twin", 0.1001 * steps});
  }
  return table;
}

Table grid() {
  Table table{{{"graph"}, {"epsilon", "ε"}, {"eta", "Clip η"}, {"ndcg", "NDCG@100"}}, {}};
  for (const char* graph : {"BlogCatalog", "Flickr"})
    for (int e = -10; e <= -2; ++e)
      for (const double epsilon : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
        const double distance = e + 6 + 0.8 * std::log10(epsilon);
        Cell value = 0.99 * std::exp(-0.06 * distance * distance);
        if (e == -10 && epsilon < 0.1) value = Missing{"refused: the slack is above 5 %"};
        if (e == -2 && epsilon == 10) value = infinity;
        table.rows.push_back({graph, epsilon, std::pow(10.0, e), value});
      }
  return table;
}

Table times() {
  Table table{{{"mechanism", "Mechanism"}, {"graph"}, {"seconds", "Time per ranking", "s"}, {"ci"}}, {}};
  double seconds = 0.004;
  for (const std::string& name : {std::string("twohop"), std::string("paper"), markup, long_name})
    for (const char* graph : {"BlogCatalog", "Flickr", "the paper's own"}) {
      Cell value = seconds *= 1.7;
      if (name == "paper" && graph == std::string("Flickr")) value = Missing{"not run"};
      if (name == markup && graph == std::string("Flickr")) value = infinity;
      table.rows.push_back({name, graph, value, seconds / 8});
    }
  return table;
}

Page sample() {
  Page page{
      .title = "A sample of everything " + markup,
      .paragraphs =
          {"Every kind of chart, with missing values, infinities, long names and names that look like markup. Made by a test with `sample_page`, and read by Chromium.",
           "The second paragraph says that a private answer is worth its budget only where it beats what costs nothing."},
      .command = "sample_page FILE BARE",
      .date = "2024-12-10",
      .sections = {}};
  const std::string command =
      "hushwalk reproduce utility --quick --data a/rather/long/path/that/has/no/place/to/break -o report";
  const LineChart lines{.x = "epsilon",
                        .y = "ndcg",
                        .series = "mechanism",
                        .error = "ndcg_ci",
                        .facet = "graph",
                        .x_scale = Scale::logarithmic,
                        .same_scale = true};
  const LineChart bounds{.x = "steps",
                         .y = "epsilon",
                         .series = "accountant",
                         .y_scale = Scale::logarithmic,
                         .wrong = {"Theorem 2 as printed"}};
  const HeatMap cells{.x = "epsilon",
                      .y = "eta",
                      .value = "ndcg",
                      .facet = "graph",
                      .best = Best::highest,
                      .best_of_each_x = true};
  page.sections.push_back(
      {.title = "Lines",
       .paragraphs = {"A section may say what its figures are about."},
       .figures = {
           {.id = "utility",
            .title = "Utility of private rankings",
            .caption =
                "Higher is better. All curves rise with ε; those below `free` have spent their budget for nothing. The band is a 95 % interval over 100 seeds.",
            .graph = "BlogCatalog (10,312 nodes), Flickr (80,513), TheMarker (69,413)",
            .command = command,
            .table = utility(),
            .chart = lines},
           {.id = "theorem-2",
            .title = "What Theorem 2 would have claimed",
            .caption = "The dashed curve stays near zero for any number of steps, which no mechanism can do.",
            .warning =
                "Theorem 2 as printed certifies ε = 0 for no noise at all. The dashed curve is not a guarantee.",
            .graph = "any",
            .command = "hushwalk account --steps 40",
            .table = bound(),
            .chart = bounds}}});
  page.sections.push_back({.title = "Cells and bars",
                           .figures = {{.id = "transition",
                                        .title = "The best clip moves with the budget",
                                        .caption = "The outlined cell is the best η of each ε.",
                                        .graph = "BlogCatalog, Flickr",
                                        .command = command,
                                        .table = grid(),
                                        .chart = cells},
                                       {.id = "times",
                                        .title = "Time",
                                        .caption = "Shorter is better.",
                                        .table = times(),
                                        .chart = BarChart{.category = "mechanism",
                                                          .value = "seconds",
                                                          .series = "graph",
                                                          .error = "ci",
                                                          .wrong = {"the paper's own"}}},
                                       {.id = "times-log",
                                        .title = "Time, logarithmic",
                                        .table = times(),
                                        .chart = BarChart{.category = "mechanism",
                                                          .value = "seconds",
                                                          .series = "graph",
                                                          .error = "ci",
                                                          .scale = Scale::logarithmic}}}});
  Table plain{{{"name", "Name"}, {"value", "Value"}}, {{"nodes", std::int64_t{10312}}, {markup, long_name}}};
  for (int i = 0; i < 9; ++i) {
    plain.columns.push_back({fmt::format("column_{}", i), fmt::format("Column number {}", i)});
    for (auto& row : plain.rows) row.emplace_back(1e-7 * i);
  }
  page.sections.push_back(
      {.title = "Only a table", .figures = {{.id = "plain", .title = "A wide table", .table = plain}}});
  return page;
}

void write(const char* path, const std::string& html) {
  OutputFile file(path, FileKind::text);
  file.write(html);
  file.commit();
}

}  // namespace
}  // namespace hushwalk::report

int main(int count, char** arguments) {
  using namespace hushwalk::report;
  if (count != 3) return 2;
  write(arguments[1], page_html(sample()));
  write(arguments[2], page_with(sample(), {}));
}
