#include "report/cells.h"

#include <gtest/gtest.h>

#include <limits>

#include "hushwalk/error.h"

namespace hushwalk::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(Cells, AreShownWithTheDigitsOfTheirColumn) {
  EXPECT_EQ(cell_text(0.97234567, 3), "0.972");
  EXPECT_EQ(cell_text(0.97234567, 6), "0.972346");
  EXPECT_EQ(cell_text(1e-6, 4), "1e-6");
  EXPECT_EQ(cell_text(-1.234567e-5, 4), "-1.235e-5");
  EXPECT_EQ(cell_text(0.001, 4), "0.001");
  EXPECT_EQ(cell_text(123456.7, 4), "123457");
  EXPECT_EQ(cell_text(9999.9999, 4), "10000");
  EXPECT_EQ(cell_text(2e9, 4), "2e9");
  EXPECT_EQ(cell_text(0.0, 4), "0");
  EXPECT_EQ(cell_text(std::int64_t{1234567890}, 2), "1234567890");
  EXPECT_EQ(cell_text("a name", 4), "a name");
}

TEST(Cells, WithoutAFiniteNumberSayWhatTheyAre) {
  EXPECT_EQ(cell_text(infinity, 4), "∞");
  EXPECT_EQ(cell_text(-infinity, 4), "−∞");
  EXPECT_EQ(cell_text(not_a_number, 4), "undefined");
  EXPECT_EQ(cell_text(Missing{}, 4), "refused");
  EXPECT_EQ(cell_text(Missing{"not run"}, 4), "not run");
  EXPECT_EQ(placeholder(infinity), "∞");
  EXPECT_EQ(placeholder(not_a_number), "×");
  EXPECT_EQ(placeholder(Missing{}), "×");
  EXPECT_EQ(placeholder(1.0), "");
  EXPECT_FALSE(plottable(infinity) || plottable(not_a_number) || plottable(Missing{}) || plottable("1"));
  EXPECT_EQ(plottable(std::int64_t{3}), 3);
}

TEST(Cells, HeadingsHaveTheUnit) {
  EXPECT_EQ(heading({"seconds"}), "seconds");
  EXPECT_EQ(heading({"seconds", "Time", "s"}), "Time (s)");
}

TEST(TableCsv, ReadsBackExactly) {
  const Table table{{{"name, or not", "Name"}, {"value", "Value", "s", 2}},
                    {{"a \"b\"", 0.1},
                     {"two\nlines", 1.0 / 3},
                     {"inf", infinity},
                     {"gone", Missing{"refused, of course"}},
                     {"nan", not_a_number},
                     {"whole", std::int64_t{-7}}}};
  EXPECT_EQ(
      table_csv(table),
      "\"name, or not\",value\n\"a \"\"b\"\"\",0.1\n\"two\nlines\",0.3333333333333333\ninf,inf\ngone,\nnan,\n"
      "whole,-7\n");
}

}  // namespace
}  // namespace hushwalk::report
