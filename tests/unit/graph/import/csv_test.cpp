// Edge lists as spreadsheets and databases write them.
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "graph/import/edge_line.h"
#include "hushwalk/csv.h"
#include "hushwalk/error.h"
#include "hushwalk/import.h"
#include "support/files.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;
using testing::write_all;
using Columns = std::pair<std::string, std::string>;

class ImportCsv : public ::testing::Test {
 protected:
  Import read(const std::string& text, const ImportOptions& options = {}) {
    return import_graph(write_all(folder_ / "g.csv", text), options);
  }
  std::string error(const std::string& text, const ImportOptions& options = {}) {
    try {
      read(text, options);
    } catch (const Error& e) {
      return e.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }
  std::vector<std::string> names(const std::string& text, const ImportOptions& options = {}) {
    const Graph graph = read(text, options).graph;
    std::vector<std::string> result;
    for (Node v = 0; v < graph.nodes(); ++v) result.push_back(graph.node_list().name(v));
    return result;
  }
  std::vector<std::string> notices(const std::string& text, const ImportOptions& options = {}) {
    return read(text, options).report.notices;
  }
  TemporaryFolder folder_;
};

TEST_F(ImportCsv, AQuotedFieldMayHoldSeparatorsAndDoubledQuotes) {
  EXPECT_THAT(names("\"Smith, Ann\",\"Bob \"\"Bobby\"\" Ray\"\r\nEve,\"Smith, Ann\"\r\n"),
              ElementsAre("Bob \"Bobby\" Ray", "Eve", "Smith, Ann"));
}

TEST_F(ImportCsv, QuotesDoNotMakeANumberAName) {
  const Graph graph = read("\"1\",\"2\"\n2,\"10\"\n").graph;
  EXPECT_TRUE(graph.node_list().are_integers());
  EXPECT_EQ(graph.secret_edges(), 2U);
}

TEST_F(ImportCsv, ABrokenQuoteNamesTheLine) {
  EXPECT_THAT(error("a,b\n\"Smith, Ann,Bob\n"), AllOf(HasSubstr(":2: "), HasSubstr("a quote is not closed")));
  EXPECT_THAT(error("\"a\"x,b\n"), HasSubstr("text follows a closing quote"));
  EXPECT_THAT(error("\"\",b\n"), HasSubstr("an id is empty"));
}

TEST_F(ImportCsv, AQuoteInsideAFieldIsAnOrdinaryCharacter) {
  EXPECT_THAT(names("6\" pipe,bolt\n"), ElementsAre("6\" pipe", "bolt"));
}

TEST_F(ImportCsv, TakesTheDelimiterItIsTold) {
  EXPECT_THAT(names("Ann, Dr;Bob\nBob;Eve\n", {.delimiter = ';'}), ElementsAre("Ann, Dr", "Bob", "Eve"));
  EXPECT_THAT(names("a b\tc\n", {.delimiter = '\t'}), ElementsAre("a b", "c"));
  EXPECT_THAT(names("a   b\n", {.delimiter = ' '}), ElementsAre("a", "b"));
  EXPECT_EQ(read("1;2;9\n2;3;9\n", {.delimiter = ';'}).graph.secret_edges(), 2U);
  EXPECT_THAT(error("\tb\n", {.delimiter = '\t'}), HasSubstr("an id is empty")) << "an empty column counts";
}

TEST_F(ImportCsv, OtherSeparatorsGetTheRemedy) {
  EXPECT_THAT(error("a;b\n"), HasSubstr("`delimiter semicolon`"));
  EXPECT_THAT(error("1;2\n"), HasSubstr("`delimiter semicolon`"));
  EXPECT_THAT(error("a|b\n"), HasSubstr("`delimiter bar`"));
}

TEST_F(ImportCsv, FindsColumnsByNameOrNumber) {
  const std::string text = "id,target,weight,source\n1,ann,0.5,bob\n2,bob,0.7,\"eve, x\"\n";
  EXPECT_THAT(names(text, {.columns = Columns("source", "target")}), ElementsAre("ann", "bob", "eve, x"));
  EXPECT_THAT(notices(text, {.columns = Columns("source", "target")}), IsEmpty());
  EXPECT_THAT(names(text, {.header = true, .columns = Columns("4", "2")}),
              ElementsAre("ann", "bob", "eve, x"));
  EXPECT_THAT(names("a;b;c\n1;x;y\n", {.columns = Columns("b", "c")}), ElementsAre("x", "y"));
  EXPECT_EQ(read("9 1 2\n9 2 3\n", {.columns = Columns("2", "3")}).graph.nodes(), 3U);
}

TEST_F(ImportCsv, MissingColumnsAreNamed) {
  EXPECT_THAT(error("a,b\n1,2\n", {.columns = Columns("a", "to")}),
              AllOf(HasSubstr(":1: there is no column 'to'"), HasSubstr("a, b")));
  EXPECT_THAT(error("a,a,b\n1,2,3\n", {.columns = Columns("a", "b")}), HasSubstr("more than one column 'a'"));
  EXPECT_THAT(error("1,2,3\n1,2\n", {.columns = Columns("1", "3")}), HasSubstr(":2: it has too few columns"));
  EXPECT_THAT(error("1,2\n", {.columns = Columns("1", "1")}), HasSubstr("two different columns"));
  EXPECT_THAT(error("1,2\n", {.columns = Columns("0", "1")}), HasSubstr("counted from 1"));
}

TEST_F(ImportCsv, ALikelyHeaderAboveNamesIsReadAsAnEdgeAndSaidSo) {
  for (const char* header :
       {"source,target", "from to", "User,Friend", "user_id,friend_id", "FromNode\tToNode"}) {
    const auto [graph, report] = read(std::string(header) + "\nann,bob\nbob,eve\n");
    EXPECT_EQ(graph.secret_edges(), 3U) << header;
    EXPECT_THAT(report.notices, ElementsAre(AllOf(HasSubstr("line 1 "), HasSubstr("was read as an edge"),
                                                  HasSubstr("`header`"))))
        << header;
  }
  for (const char* edge : {"ann,bob", "a b", "u v", "source,ann", "tom,ida"})
    EXPECT_THAT(notices(std::string(edge) + "\nann,bob\n"), IsEmpty()) << edge;
}

TEST_F(ImportCsv, ColumnsThatAreNotTheFirstGetTheRemedy) {
  EXPECT_THAT(notices("id,source,target\n1,7,8\n2,8,9\n"),
              ::testing::Contains(HasSubstr("`columns source,target`")));
  EXPECT_THAT(notices("id,source,target\n1,ann,bob\n", {.header = true}),
              ::testing::Contains(HasSubstr("`columns source,target`")));
  for (const char* first : {"id", "", "Index", "row_id", "Unnamed: 0"})
    EXPECT_THAT(notices(std::string(first) + ",buyer,seller\n3,ann,bob\n", {.header = true}),
                ::testing::Contains(HasSubstr("`columns buyer,seller`")))
        << first;
  EXPECT_THAT(notices("source,target,id\n1,7,8\n", {.header = true}),
              ::testing::Not(::testing::Contains(HasSubstr("`columns"))));
}

// As pandas writes a frame with its index.
TEST_F(ImportCsv, AHeaderThatIsABadLineGetsTheRemedy) {
  const std::string text = ",source,target\n0,ann,bob\n1,bob,eve\n";
  EXPECT_THAT(error(text), AllOf(HasSubstr(":1: an id is empty"), HasSubstr("`columns source,target`")));
  EXPECT_THAT(names(text, {.columns = Columns("source", "target")}), ElementsAre("ann", "bob", "eve"));
}

TEST_F(ImportCsv, AKeyBesideNamesGetsTheRemedy) {
  const std::string key = "3,ann,bob\n7,bob,eve\n8,eve,ann\n20,ann,joe\n21,joe,eve\n";
  EXPECT_THAT(notices(key), ::testing::Contains(HasSubstr("`columns 2,3`")));
  EXPECT_THAT(notices(key + "21,eve,bob\n"), ::testing::Not(::testing::Contains(HasSubstr("`columns"))));
  EXPECT_THAT(notices("3,9,1\n7,8,1\n8,7,1\n20,3,1\n21,9,1\n"),
              ::testing::Not(::testing::Contains(HasSubstr("`columns"))))
      << "sorted ids with weights";
}

TEST_F(ImportCsv, AColumnThatCountsTheLinesGetsTheRemedy) {
  const std::string counted = "0,7,8\n1,8,9\n2,9,7\n3,7,5\n4,5,8\n";
  EXPECT_THAT(notices(counted), ::testing::Contains(HasSubstr("`columns 2,3`")));
  EXPECT_THAT(notices(counted, {.columns = Columns("2", "3")}), IsEmpty());
  EXPECT_THAT(notices("1 7\n2 8\n3 9\n4 7\n5 5\n"), IsEmpty()) << "two columns";
  EXPECT_THAT(notices("1,7,8\n2,8,9\n2,9,7\n3,7,5\n4,5,8\n"),
              ::testing::Not(::testing::Contains(HasSubstr("`columns"))));
}

TEST_F(ImportCsv, OwnFilesInTheWrongPlaceAreNamed) {
  EXPECT_THAT(error(R"({"kind":"hushwalk shared artefact","format":2})"),
              HasSubstr("is a shared artefact, not a graph"));
  EXPECT_THAT(error("{\n  \"private\": true,\n  \"certificate\": {"),
              HasSubstr("an answer with its certificate"));
  EXPECT_THAT(error("{\"format\": 2, \"privacy_unit\": \"\"}"), HasSubstr("is a certificate"));
  std::string ledger("SQLite format 3\0", 16);
  ledger.resize(68);
  EXPECT_THAT(error(ledger + "Hush"), AllOf(HasSubstr("is a ledger"), HasSubstr("`ledger`")));
}

// What we write as a field, we read as the same field.
RC_GTEST_PROP(EdgeLineReader, ReadsWhatCsvFieldWrites, ()) {
  const auto letter = rc::gen::element('a', 'b', '"', ',', ' ', ';', '|', '1');
  const auto id = rc::gen::map(rc::gen::container<std::string>(letter), [](const std::string& text) {
    return "x" + text + "y";  // blanks at the ends are not part of an id, nor are formulas
  });
  const std::string first = *id, second = *id;
  const std::string line = csv_field(first) + "," + csv_field(second) + ",7";
  EdgeLineReader reader({.separator = ','});
  const EdgeLine read = reader.read(line);
  RC_ASSERT(read.kind == EdgeLine::edge);
  RC_ASSERT(std::string(read.first) == first && std::string(read.second) == second && read.more);
  RC_ASSERT(fields_of(line, ',') == (std::vector<std::string>{first, second, "7"}));
}

}  // namespace
}  // namespace hushwalk
