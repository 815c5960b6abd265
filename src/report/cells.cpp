#include "report/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "hushwalk/csv.h"

namespace hushwalk::report {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

// "1e-4", where C would write "1.000e-04".
std::string scientific(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') != std::string::npos) mantissa.resize(mantissa.find_last_not_of("0.") + 1);
  return fmt::format("{}e{}", mantissa, std::stoi(text.substr(e + 1)));
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "undefined";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e7)) return scientific(value, digits);
  const std::string text = fmt::format("{:.{}g}", value, digits);
  return text.find('e') == std::string::npos ? text : fmt::format("{:.0f}", value);
}

std::string csv_cell(const Cell& cell) {
  return std::visit(Overloaded{[](double v) { return std::isnan(v) ? "" : fmt::format("{}", v); },
                               [](std::int64_t v) { return fmt::format("{}", v); },
                               [](const std::string& v) { return csv_field(v); },
                               [](const Missing&) { return std::string(); }},
                    cell);
}

// `text(i)` for each of `count` columns, as one line.
template <class Text>
std::string csv_line(std::size_t count, const Text& text) {
  std::string line;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) line += ',';
    line += text(i);
  }
  return line + '\n';
}

}  // namespace

std::optional<double> plottable(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  const auto* number = std::get_if<double>(&cell);
  return number && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

std::string cell_text(const Cell& cell, int digits) {
  return std::visit(
      Overloaded{[&](double v) { return number_text(v, digits); },
                 [](std::int64_t v) { return fmt::format("{}", v); }, [](const std::string& v) { return v; },
                 [](const Missing& v) { return v.reason; }},
      cell);
}

std::string placeholder(const Cell& cell) {
  if (plottable(cell)) return "";
  const auto* number = std::get_if<double>(&cell);
  return number && std::isinf(*number) ? number_text(*number, 1) : "×";
}

std::string heading(const Column& column) {
  const std::string& title = column.title.empty() ? column.name : column.title;
  return column.unit.empty() ? title : fmt::format("{} ({})", title, column.unit);
}

std::size_t column_index(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  if (found == table.columns.end()) fail_usage("the table has no column '{}'", name);
  return static_cast<std::size_t>(found - table.columns.begin());
}

std::string table_csv(const Table& table) {
  const std::size_t count = table.columns.size();
  std::string text = csv_line(count, [&](std::size_t i) { return csv_field(table.columns[i].name); });
  for (const auto& row : table.rows)
    text += csv_line(count, [&](std::size_t i) { return csv_cell(row.at(i)); });
  return text;
}

}  // namespace hushwalk::report
