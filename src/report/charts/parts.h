// What the kinds of charts share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/charts/charts.h"

namespace hushwalk::report {

using Row = std::vector<Cell>;

// A column of a table by its name; the empty name is no column.
class Field {
 public:
  Field(const Table& table, const std::string& name);
  explicit operator bool() const noexcept { return column_ != nullptr; }
  const Cell& of(const Row& row) const { return row[index_]; }
  std::string text(const Row& row) const;  // empty for no column
  // No value where there is none to plot, or none on a logarithmic scale. Error{usage} for a text.
  std::optional<double> number(const Row& row, Scale scale = Scale::linear) const;
  std::string title() const;

 private:
  const Column* column_ = nullptr;
  std::size_t index_ = 0;
};

struct Rows {
  std::string title;  // the value of the facet
  std::vector<const Row*> rows;
};

// The rows of each panel, in order of appearance.
std::vector<Rows> split(const Table& table, const Field& facet);

// Different texts of a column, in order of appearance.
std::vector<std::string> distinct(const Table& table, const Field& field);

// Smallest and largest number so far.
struct Range {
  std::optional<double> low, high;
  void include(std::optional<double> value);
  void include(const Range& other);
  Json json() const;  // [low, high]; null when empty
};

// Series and their names in the plot, wrong ones marked as such.
class Series {
 public:
  Series(const Table& table, const std::string& column, const std::vector<std::string>& wrong);
  explicit operator bool() const noexcept { return static_cast<bool>(field_); }
  bool is_wrong(const Row& row) const;
  bool any_wrong() const noexcept { return !wrong_.empty(); }
  std::size_t count() const noexcept { return names_.size(); }
  // Adds `series`, and `wrong` where some are, to a row of data.
  void add_to(Json& datum, const Row& row) const;
  Json offset() const;  // encodings
  Json colour() const;
  Json shape() const;
  Json tooltip() const;
  // Which colour and mark each series has, for the page's script: a mechanism has the same in every figure.
  Json places() const;

 private:
  std::string name(const std::string& text) const;
  Field field_;
  std::vector<std::string> wrong_, names_;
  std::vector<std::size_t> places_;
};

// [value - error, value + error]; as far as the scale goes when it is logarithmic. Null without an error.
Json error_low(std::optional<double> value, std::optional<double> error, Scale scale, const Range& all);
Json error_high(std::optional<double> value, std::optional<double> error);

Json optional_number(std::optional<double> value);
// An axis. What it covers decides the ticks of a logarithmic one: whole decades if there are many, else also
// numbers between them.
Json quantitative(const std::string& field, const std::string& title, Scale scale, const Range& covers);
Json tooltip(const std::string& field, const std::string& title);
Json filter(const char* field, bool value);

// The frame of every plot: as wide as its place on the page.
Json frame(const std::string& title, std::size_t height, Json data);

}  // namespace hushwalk::report
