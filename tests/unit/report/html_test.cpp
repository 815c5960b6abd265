#include "report/html.h"

#include <gtest/gtest.h>

namespace hushwalk::report {
namespace {

TEST(Html, EscapesEverythingThatHasAMeaning) {
  EXPECT_EQ(escaped("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escaped("ε ≤ 1"), "ε ≤ 1");
}

TEST(Html, ProseSetsCodeBetweenBackticks) {
  EXPECT_EQ(prose("see `a < b` and `c`."), "see <code>a &lt; b</code> and <code>c</code>.");
  EXPECT_EQ(prose("one ` alone <"), "one ` alone &lt;");
  EXPECT_EQ(prose("``"), "<code></code>");
}

TEST(Html, JsonCannotEndItsScript) {
  const nlohmann::ordered_json json = {{"name", "</script><!-- <script>"}};
  const std::string text = script_json(json);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), json);
}

TEST(Html, JsonSurvivesBytesThatAreNoText) {
  const std::string text = script_json({{"name", "a\xff"}});
  EXPECT_EQ(nlohmann::ordered_json::parse(text)["name"], "a\xEF\xBF\xBD");
}

TEST(Html, DataAddressesHoldAnyText) {
  EXPECT_EQ(data_address("text/csv", "a,\"ε\"\n"), "data:text/csv;charset=utf-8,a%2C%22%CE%B5%22%0A");
}

}  // namespace
}  // namespace hushwalk::report
