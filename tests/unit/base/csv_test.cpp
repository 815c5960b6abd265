#include "hushwalk/csv.h"

#include <gtest/gtest.h>

#include <string>

namespace hushwalk {
namespace {

TEST(CsvField, IsQuotedOnlyWhereItMustBe) {
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("plain words, no"), "\"plain words, no\"");
  EXPECT_EQ(csv_field("plain words"), "plain words");
  EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("old\rline"), "\"old\rline\"");
}

TEST(CsvField, IsNeverAFormula) {
  EXPECT_EQ(csv_field("=1+2"), "\"'=1+2\"");
  EXPECT_EQ(csv_field("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
  for (const std::string text :
       {"=", "@SUM(A1)", "+A1", "-A1", "-", "+", "-1-2", "+1+1", "-inf", "\t=1", "\r=1"})
    EXPECT_EQ(csv_field(text), "\"'" + text + "\"");
}

TEST(CsvField, LeavesNumbersAlone) {
  for (const char* text : {"-5", "+5", "-0.25", "-1e-9", "-.5", "17", "-9223372036854775808", "-1e999"})
    EXPECT_EQ(csv_field(text), text);
}

// An apostrophe in front always is ours, so a reader drops one and has the text.
TEST(CsvField, MarksAnApostropheToo) {
  EXPECT_EQ(csv_field("'=1"), "\"''=1\"");
  EXPECT_EQ(csv_field("'tis"), "\"''tis\"");
  EXPECT_EQ(csv_field("it's"), "it's");
}

}  // namespace
}  // namespace hushwalk
