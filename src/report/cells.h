// Cells of a table as numbers and as text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hushwalk/report.h"

namespace hushwalk::report {

// The finite number in a cell, if there is one.
std::optional<double> plottable(const Cell& cell);

// For people: as many digits as its column has, "∞", or why it is missing.
std::string cell_text(const Cell& cell, int digits);

// What stands in a plot in place of a number: "×" for missing, "∞", "−∞"; empty for a number.
std::string placeholder(const Cell& cell);

// "NDCG at 100 (%)"
std::string heading(const Column& column);

// Error{usage} when there is no such column.
std::size_t column_index(const Table& table, std::string_view name);

}  // namespace hushwalk::report
