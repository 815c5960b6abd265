#include "report/page.h"

#include <gmock/gmock.h>

#include "hushwalk/certificate_page.h"
#include "hushwalk/error.h"
#include "hushwalk/plan.h"
#include "hushwalk/verify.h"
#include "hushwalk/version.h"

namespace hushwalk::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Script script{"draw()", "sha256-abc="};

Page page(Figure figure) {
  return {.title = "A page", .sections = {{.title = "A section", .figures = {std::move(figure)}}}};
}

Figure figure() {
  return {.id = "fig-1",
          .title = "A figure",
          .caption = "See `this`.",
          .graph = "karate",
          .command = "hushwalk demo",
          .table = {{{"x", "", "s"}, {"y"}}, {{1.0, 2.5}, {2.0, Missing{"refused: too much"}}}},
          .chart = LineChart{.x = "x", .y = "y"}};
}

TEST(Page, ShowsEverythingAboutAFigure) {
  const std::string html = page_with(page(figure()), script);
  for (const char* part :
       {"<title>A page</title>", "href=\"#section-1\">A section<", "href=\"#fig-1\">A figure<",
        "<figure id=\"fig-1\">", "See <code>this</code>.", "<dd>karate</dd>", "<code>hushwalk demo</code>",
        "<th scope=\"col\" class=\"number\">x (s)</th>", "<td class=\"number\">2.5</td>",
        "<td class=\"missing\">refused: too much</td>", "<details class=\"data\" open>",
        "download=\"fig-1.csv\"", "data:text/csv;charset=utf-8,x%2Cy%0A1%2C2%2E5%0A2%2C%0A",
        "application/json", "<script>draw()</script>", version()})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(Page, AllowsItsOwnScriptOnly) {
  EXPECT_THAT(page_with(page(figure()), script), HasSubstr("default-src 'none'; script-src 'sha256-abc=';"));
  EXPECT_THAT(page_with(page(figure()), {}), HasSubstr("default-src 'none'; script-src 'none';"));
}

TEST(Page, WithoutAScriptHasTheTables) {
  const std::string html = page_with(page(figure()), {});
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("class=\"plots\"")));
  EXPECT_THAT(html, HasSubstr("<details class=\"data\" open>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">2.5</td>"));
}

TEST(Page, OfATableAloneHasNoDrawer) {
  Figure plain = figure();
  plain.chart.reset();
  const std::string html = page_with(page(plain), script);
  EXPECT_THAT(html, Not(HasSubstr("<details")));
  EXPECT_THAT(html, HasSubstr("<table>"));
}

TEST(Page, WarnsOfAWrongClaim) {
  EXPECT_THAT(page_with(page(figure()), {}), Not(HasSubstr("class=\"badge\"")));
  Figure wrong = figure();
  wrong.warning = "It certifies ε < 0.";
  const std::string html = page_with(page(wrong), {});
  EXPECT_THAT(html, HasSubstr("class=\"badge\""));
  EXPECT_THAT(html, HasSubstr("It certifies ε &lt; 0."));
}

TEST(Page, EscapesEveryText) {
  const std::string evil = "<i>&\"'</script>";
  Figure f{.id = "f",
           .title = evil,
           .caption = evil,
           .warning = evil,
           .graph = evil,
           .command = evil,
           .table = {{{"a", evil, evil}, {"b", evil}, {"c"}}, {{evil, 1.0, Missing{evil}}}},
           .chart = BarChart{.category = "a", .value = "b", .series = "a", .facet = "a", .wrong = {evil}}};
  const std::string html = page_with({.title = evil,
                                      .paragraphs = {evil},
                                      .command = evil,
                                      .date = evil,
                                      .sections = {{.title = evil, .paragraphs = {evil}, .figures = {f}}}},
                                     script);
  EXPECT_THAT(html, Not(HasSubstr("<i>")));
  std::size_t ends = 0;
  for (std::size_t i = html.find("</script>"); i != std::string::npos; i = html.find("</script>", i + 1))
    ++ends;
  EXPECT_EQ(ends, 2);  // one specification, one script
}

TEST(Page, RefusesWhatMakesNoSense) {
  for (const char* id : {"", "Fig", "a b", "a\"b", "ä", "section-1"}) {
    Figure f = figure();
    f.id = id;
    EXPECT_THROW(page_with(page(f), {}), Error) << id;
  }
  Page twice = page(figure());
  twice.sections.push_back(twice.sections[0]);
  EXPECT_THROW(page_with(twice, {}), Error);
  Figure ragged = figure();
  ragged.table.rows.push_back({1.0});
  EXPECT_THROW(page_with(page(ragged), {}), Error);
  Figure nowhere = figure();
  nowhere.chart = LineChart{.x = "x", .y = "nothing"};
  EXPECT_THROW(page_with(page(nowhere), {}), Error);  // even where it is not drawn
}

TEST(Page, HasPlotsAsBuilt) {
  EXPECT_EQ(has_plots(), !plot_script.text.empty());
  EXPECT_EQ(page_html(page(figure())), page_with(page(figure()), plot_script));
}

// exp(epsilon) is beyond all numbers.
TEST(CertificatePage, HasOddsForEveryEpsilon) {
  const auto html_of = [](double epsilon) {
    const Plan plan = make_plan(public_facts(100), {.mechanism = "twohop", .epsilon = Epsilon(epsilon)});
    return page_with(certificate_page(verify_certificate(issue(plan, {}).json), {}), {});
  };
  EXPECT_THAT(html_of(800), HasSubstr("at most 100 %"));
  EXPECT_THAT(html_of(800), Not(HasSubstr("nan")));
  EXPECT_THAT(html_of(1), HasSubstr("at most 73.2 %"));
}

}  // namespace
}  // namespace hushwalk::report
