#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "hushwalk/version.h"
#include "report/cells.h"
#include "report/charts/charts.h"
#include "report/html.h"

namespace hushwalk::report {
namespace {

bool is_id(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::string section_id(std::size_t number) { return fmt::format("section-{}", number); }

void check(const Page& page) {
  std::set<std::string> ids;
  for (std::size_t i = 1; i <= page.sections.size(); ++i) ids.insert(section_id(i));
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) {
      if (!is_id(figure.id))
        fail_usage("'{}' cannot be the id of a figure: small letters, digits and hyphens only", figure.id);
      if (!ids.insert(figure.id).second) fail_usage("the id '{}' is used twice", figure.id);
      for (const auto& row : figure.table.rows)
        if (row.size() != figure.table.columns.size())
          fail_usage("figure '{}': a row has {} cells for {} columns", figure.id, row.size(),
                     figure.table.columns.size());
    }
}

std::string paragraphs(const std::vector<std::string>& texts) {
  std::string html;
  for (const std::string& text : texts) html += fmt::format("<p>{}</p>\n", prose(text));
  return html;
}

// An entry of a list of facts; none for an empty text.
std::string fact(std::string_view name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
}

std::string code(const std::string& text) {
  return text.empty() ? "" : fmt::format("<code>{}</code>", escaped(text));
}

std::string cell_html(const Cell& cell, const Column& column) {
  const std::string plain = cell_text(cell, column.digits), text = escaped(plain);
  const bool is_long = plain.size() > 40;  // may be broken into lines
  if (std::holds_alternative<std::string>(cell))
    return fmt::format("<td{}>{}</td>", is_long ? " class=\"long\"" : "", text);
  if (std::holds_alternative<Missing>(cell))
    return fmt::format("<td class=\"missing{}\">{}</td>", is_long ? " long" : "", text);
  return fmt::format("<td class=\"number\">{}</td>", text);
}

// The head of a column stands above its values: numbers are at the right.
bool is_numeric(const Table& table, std::size_t column) {
  return std::ranges::none_of(
      table.rows, [&](const auto& row) { return std::holds_alternative<std::string>(row[column]); });
}

std::string table_html(const Figure& figure) {
  const Table& table = figure.table;
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n<thead><tr>",
      escaped("Data of: " + figure.title));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    html += fmt::format("<th scope=\"col\"{}>{}</th>", is_numeric(table, i) ? " class=\"number\"" : "",
                        escaped(heading(table.columns[i])));
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) html += cell_html(row[i], table.columns[i]);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n" +
         fmt::format("<p class=\"save\"><a download=\"{}.csv\" href=\"{}\">Save as CSV</a></p>\n", figure.id,
                     data_address("text/csv", table_csv(table)));
}

// An open drawer, which the script closes once the plot is there.
std::string table_drawer(const Figure& figure) {
  return fmt::format("<details class=\"data\" open><summary>The data ({} rows)</summary>\n{}</details>\n",
                     figure.table.rows.size(), table_html(figure));
}

std::string legend_of_placeholders(const std::vector<Panel>& panels) {
  bool missing = false, infinite = false;
  for (const Panel& panel : panels)
    for (const Json& datum : panel.spec["data"]["values"])
      for (const auto& [key, value] : datum.items()) {
        if (key != "placeholder" && key != "text") continue;
        missing |= value == "×";
        infinite |= value == "∞" || value == "−∞";
      }
  std::string text;
  if (missing) text += " × marks a missing value: the table says why.";
  if (infinite) text += " ∞ is infinite.";
  return text.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", text.substr(1));
}

// Places that the script fills, hidden until then, and what it needs to know.
std::string plots_html(const Figure& figure, const std::vector<Panel>& panels) {
  std::string html = "<div class=\"plots\" hidden>\n", notes;
  for (const Panel& panel : panels) {
    const std::string name = panel.title.empty() ? figure.title : figure.title + ": " + panel.title;
    html += fmt::format(
        "<div class=\"plot\" data-name=\"{}\" data-file=\"{}\"><script type=\"application/json\">{}</script></div>\n",
        escaped(name), figure.id, script_json(panel.spec));
    if (!panel.note.empty())
      notes += fmt::format("<p class=\"note\">{}{}</p>\n",
                           panel.title.empty() ? "" : escaped(panel.title) + ": ", escaped(panel.note));
  }
  return html + "</div>\n" + notes;
}

bool has_wrong_series(const Figure& figure) {
  const auto* line = figure.chart ? std::get_if<LineChart>(&*figure.chart) : nullptr;
  const auto* bars = figure.chart ? std::get_if<BarChart>(&*figure.chart) : nullptr;
  return (line && !line->wrong.empty()) || (bars && !bars->wrong.empty());
}

std::string badge(const Figure& figure) {
  if (figure.warning.empty()) return "";
  return fmt::format(" <span class=\"badge\">{}</span>",
                     has_wrong_series(figure) ? "Not a valid claim" : "Read with care");
}

std::string figure_html(const Figure& figure, bool plots) {
  const std::vector<Panel> panels = chart_panels(figure);  // checks the chart even if it is not drawn
  std::string html =
      fmt::format("<figure id=\"{0}\"{1}>\n<h3><a href=\"#{0}\">{2}</a>{3}</h3>\n", figure.id,
                  figure.warning.empty() ? "" : " class=\"wrong\"", escaped(figure.title), badge(figure));
  if (!figure.warning.empty())
    html += fmt::format("<p class=\"warning\" role=\"note\"><strong>Warning.</strong> {}</p>\n",
                        prose(figure.warning));
  if (plots && !panels.empty()) html += plots_html(figure, panels) + legend_of_placeholders(panels);
  if (!figure.caption.empty()) html += fmt::format("<figcaption>{}</figcaption>\n", prose(figure.caption));
  if (const std::string facts = fact("Graph", escaped(figure.graph)) + fact("Command", code(figure.command));
      !facts.empty())
    html += fmt::format("<dl class=\"facts\">\n{}</dl>\n", facts);
  return html + (panels.empty() ? table_html(figure) : table_drawer(figure)) + "</figure>\n";
}

std::string contents(const Page& page) {
  std::string html = "<nav class=\"contents\" aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n";
  std::size_t number = 0;
  for (const Section& section : page.sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a>\n<ol>\n", section_id(++number), escaped(section.title));
    for (const Figure& figure : section.figures)
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", figure.id, escaped(figure.title));
    html += "</ol></li>\n";
  }
  return html + "</ol>\n</nav>\n";
}

std::string sections(const Page& page, bool plots) {
  std::string html;
  std::size_t number = 0;
  for (const Section& section : page.sections) {
    html += fmt::format("<section>\n<h2 id=\"{}\">{}</h2>\n{}", section_id(++number), escaped(section.title),
                        paragraphs(section.paragraphs));
    for (const Figure& figure : section.figures) html += figure_html(figure, plots);
    html += "</section>\n";
  }
  return html;
}

std::string policy(const Script& script) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
      script.text.empty() ? "'none'" : fmt::format("'{}'", script.hash));
}

}  // namespace

std::string page_with(const Page& page, const Script& script) {
  check(page);
  const bool plots = !script.text.empty();
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"hushwalk {}\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      policy(script), version(), escaped(page.title), style_sheet);
  html += fmt::format("<header>\n<h1>{}</h1>\n{}<dl class=\"facts\">\n{}{}{}</dl>\n</header>\n",
                      escaped(page.title), paragraphs(page.paragraphs),
                      fact("Made by", fmt::format("hushwalk {}", version())),
                      fact("Command", code(page.command)), fact("Date", escaped(page.date)));
  html += contents(page) + "<main>\n" + sections(page, plots) + "</main>\n";
  if (plots) html += fmt::format("<script>{}</script>\n", script.text);
  return html + "</body>\n</html>\n";
}

bool has_plots() noexcept { return !plot_script.text.empty(); }

namespace {

bool has_chart(const Page& page) {
  return std::ranges::any_of(page.sections, [](const Section& section) {
    return std::ranges::any_of(section.figures,
                               [](const Figure& figure) { return figure.chart.has_value(); });
  });
}

}  // namespace

// Pages that draw nothing need no script.
std::string page_html(const Page& page) { return page_with(page, has_chart(page) ? plot_script : Script{}); }

}  // namespace hushwalk::report
