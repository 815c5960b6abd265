#include "hushwalk/csv.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hushwalk
