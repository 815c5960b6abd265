#include "hushwalk/import.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/fail.h"
#include "hushwalk/threads.h"
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

class ImportText : public ::testing::Test {
 protected:
  Import read(const std::string& text, const ImportOptions& options = {}, const std::string& name = "g.txt") {
    return import_graph(write_all(folder_ / name, text), options);
  }

  // The message of the error that reading must end in.
  std::string error(const std::string& text, const ImportOptions& options = {},
                    ErrorCode code = ErrorCode::failed, const std::string& name = "g.txt") {
    try {
      read(text, options, name);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), code) << e.what();
      return std::string(e.what()) + "; " + e.for_custodian();
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  std::vector<std::string> names(const Graph& graph) {
    std::vector<std::string> result;
    for (Node v = 0; v < graph.nodes(); ++v) result.push_back(graph.node_list().name(v));
    return result;
  }

  TemporaryFolder folder_;
};

TEST_F(ImportText, CountsEdgesLoopsAndDuplicates) {
  const auto [graph, report] = read("1 2\n2 1\n2 3\n4 4\n1 2\n");
  EXPECT_EQ(report.lines, 5U);
  EXPECT_EQ(report.edges, 2U);
  EXPECT_EQ(report.self_loops, 1U);
  EXPECT_EQ(report.duplicates, 2U);
  EXPECT_EQ(graph.nodes(), 4U) << "a node seen only in a self-loop stays";
  EXPECT_EQ(graph.degree(3), 0U);
}

TEST_F(ImportText, TakesEverySeparatorCommentsAndLineEnd) {
  const auto [graph, report] =
      read("\xEF\xBB\xBF# comment\n% another\n\n  \n1 2\n2\t3\n3,4\n4 , 5\r\n  5   6  \n6,\t7\n#8 9\n7 8");
  EXPECT_EQ(graph.nodes(), 8U);
  EXPECT_EQ(graph.secret_edges(), 7U);
  EXPECT_THAT(report.notices, IsEmpty());
}

TEST_F(ImportText, IgnoresFurtherColumnsWithANotice) {
  const auto [graph, report] = read("1 2 0.5\n2,3,7\nann\tbob\t2020\n");
  EXPECT_EQ(graph.secret_edges(), 3U);
  EXPECT_THAT(report.notices, ElementsAre(HasSubstr("on 3 lines")));
}

TEST_F(ImportText, KeepsIntegerIdsInNumericOrder) {
  const Graph graph = read("10 9\n-3 9\n9223372036854775807 -9223372036854775808\n").graph;
  EXPECT_TRUE(graph.node_list().are_integers());
  EXPECT_THAT(names(graph), ElementsAre("-9223372036854775808", "-3", "9", "10", "9223372036854775807"));
  EXPECT_TRUE(graph.adjacent(0, 4));
}

TEST_F(ImportText, KeepsSparseSmallIntegers) {
  const Graph graph = read("4294967295 0\n4294967296 7\n").graph;
  EXPECT_THAT(names(graph), ElementsAre("0", "7", "4294967295", "4294967296"));
  EXPECT_THAT(names(read("4000000000 5\n").graph), ElementsAre("5", "4000000000"));
}

TEST_F(ImportText, KeepsNamesWithBlanksBetweenTabsOrCommas) {
  EXPECT_THAT(names(read("Zoë Z\tAda Lovelace\nAda Lovelace\tbob\n").graph),
              ElementsAre("Ada Lovelace", "Zoë Z", "bob"));
  EXPECT_THAT(names(read("Zoë Z, Ada Lovelace\n").graph), ElementsAre("Ada Lovelace", "Zoë Z"));
}

TEST_F(ImportText, LeadingZerosMakeIdsText) {
  EXPECT_THAT(names(read("007 7\n7 12\n").graph), ElementsAre("007", "12", "7"));
}

TEST_F(ImportText, StringIdsOnRequest) {
  ImportOptions options;
  options.string_ids = true;
  const Graph graph = read("10 9\n9 99999999999999999999\n", options).graph;
  EXPECT_FALSE(graph.node_list().are_integers());
  EXPECT_THAT(names(graph), ElementsAre("10", "9", "99999999999999999999"));
}

TEST_F(ImportText, RefusesIntegersBeyond64Bits) {
  EXPECT_THAT(error("1 2\n3 99999999999999999999\n"),
              AllOf(HasSubstr("g.txt':2: "), HasSubstr("`string_ids`")));
  EXPECT_THAT(names(read("a 2\n3 99999999999999999999\n").graph),
              ElementsAre("2", "3", "99999999999999999999", "a"))
      << "among names it is a name";
}

TEST_F(ImportText, SkipsAHeaderAboveIntegers) {
  const auto [graph, report] = read("# made today\nsource,target\n1,2\n2,3\n");
  EXPECT_EQ(graph.secret_edges(), 2U);
  EXPECT_TRUE(graph.node_list().are_integers());
  EXPECT_THAT(report.notices, ElementsAre(HasSubstr("skipped the header 'source,target'")));
}

TEST_F(ImportText, TakesTheFirstLineAsAnEdgeAboveNames) {
  EXPECT_EQ(read("source,target\n1,bob\n").graph.secret_edges(), 2U);
  EXPECT_EQ(read("ann bob\n").graph.secret_edges(), 1U);
  EXPECT_EQ(read("a 1\n1 2\n").graph.secret_edges(), 2U) << "half a header is none";
}

TEST_F(ImportText, SkipsTheFirstLineWhenTold) {
  ImportOptions options;
  options.header = true;
  EXPECT_THAT(names(read("# c\nsource target\nann bob\n", options).graph), ElementsAre("ann", "bob"));
  EXPECT_EQ(read("1 2\n2 3\n", options).graph.secret_edges(), 1U);
}

TEST_F(ImportText, NamesFileLineAndTextOfAMalformedLine) {
  EXPECT_THAT(error("1 2\n# c\nlonely\n2 3\n"),
              AllOf(HasSubstr("g.txt':3: it has one id"), HasSubstr("'lonely'")));
  EXPECT_THAT(error("1 2\n5\n"), HasSubstr(":2: "));
  EXPECT_THAT(error("1,,2\n"), HasSubstr("an id is empty"));
  EXPECT_THAT(error(",2\n"), HasSubstr("an id is empty"));
  EXPECT_THAT(error("a\xFF b\n"), AllOf(HasSubstr("not UTF-8"), HasSubstr("a\\xff b")));
  EXPECT_THAT(error(std::string("1 2\n3 \0 4\n", 10)), HasSubstr(":2: an id is not UTF-8"));
}

TEST_F(ImportText, SkipsAsManyBadLinesAsAllowed) {
  ImportOptions options;
  options.skip_bad_lines = 2;
  const auto [graph, report] = read("1 2\nx\ny\n", options);
  EXPECT_EQ(report.bad_lines, 2U);
  EXPECT_THAT(report.notices, ElementsAre(HasSubstr("skipped 2 malformed lines, the first at line 2")));
  EXPECT_THAT(error("1 2\nx\ny\nz\n", options), HasSubstr("the first of 3 malformed lines"));
}

TEST_F(ImportText, RefusesATextWithoutEdges) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "1 1\n", "\xEF\xBB\xBF"})
    EXPECT_THAT(error(text), HasSubstr("has no edge")) << text;
  ImportOptions options;
  options.header = true;
  EXPECT_THAT(error("1 2\n", options), HasSubstr("has no edge"));
}

TEST_F(ImportText, RefusesWhatIsNotText) {
  EXPECT_THAT(error(std::string("\xFF\xFE", 2) + "1"), HasSubstr("UTF-16"));
  EXPECT_THAT(error("BZh91AY"), HasSubstr("bzip2"));
  EXPECT_THAT(error("PK\x03\x04zip"), HasSubstr("zip archive"));
  read("1 2\n").graph.save(folder_ / "g.hwg");
  EXPECT_THAT(error(testing::read_all(folder_ / "g.hwg"), {}, ErrorCode::usage),
              HasSubstr("graph file of the current version already"));
  EXPECT_THROW(import_graph(folder_ / "missing"), Error);
  EXPECT_THROW(import_graph(folder_.path()), Error);
}

TEST_F(ImportText, ChecksEdgesAgainstThePublicNodeList) {
  ImportOptions options;
  options.nodes = NodeList::integers({1, 2, 3, 40});
  const Graph graph = read("1 2\n3 3\n", options).graph;
  EXPECT_EQ(graph.nodes(), 4U);
  EXPECT_TRUE(graph.facts().nodes_declared);
  EXPECT_THAT(error("1 2\n2 5\n", options),
              AllOf(HasSubstr(":2: "), HasSubstr("second id is not in the node list")));
  EXPECT_THAT(error("1 2\nx 2\n", options), HasSubstr("first id is not in the node list"));
  EXPECT_EQ(read("from to\n1 2\n", options).graph.secret_edges(), 1U);
  options.nodes = NodeList::names({"1", "ann", "bob"});
  EXPECT_EQ(read("ann bob\n1 bob\n", options).graph.secret_edges(), 2U);
  EXPECT_THAT(error("ann eve\n1 bob\n", options), HasSubstr("`header`"));
}

TEST_F(ImportText, ThePublicListAloneDecidesAboutAHeader) {
  ImportOptions options;
  options.nodes = NodeList::names({"1", "2", "3", "ann", "bob"});
  EXPECT_EQ(read("ann bob\n1 2\n2 3\n", options).graph.secret_edges(), 3U) << "whatever the other edges are";
  EXPECT_EQ(read("ann bob\n1 2\n2 3\nann 1\n", options).graph.secret_edges(), 4U);
  EXPECT_THAT(error("from to\n1 2\n", options), HasSubstr("`header`"));
  options.nodes = NodeList::integers({1, 2, 3});
  EXPECT_EQ(read("from to\n1 2\n", options).graph.secret_edges(), 1U);
  EXPECT_THAT(error("007 2\n", options), HasSubstr("first id is not in the node list"));
  EXPECT_FALSE(read("1 2\n").graph.facts().nodes_declared);
}

TEST_F(ImportText, ACarriageReturnInsideALineIsMalformed) {
  EXPECT_THAT(error("1 2\r3 4\r5 6\r"), HasSubstr("carriage return"));
  EXPECT_THAT(error("1 2 x\r3 4\n"), HasSubstr("carriage return"));
  EXPECT_THAT(error("ann bob\reve joe\n"), HasSubstr("carriage return"));
}

TEST_F(ImportText, ChecksThePublicBoundOnEdges) {
  ImportOptions options;
  options.max_edges = 2;
  EXPECT_EQ(read("1 2\n2 3\n3 2\n", options).graph.facts().max_edges, 2U) << "duplicates do not count";
  EXPECT_THAT(error("1 2\n2 3\n3 1\n", options, ErrorCode::refused),
              HasSubstr("more edges than the public bound of 2"));
}

TEST_F(ImportText, ReadsMatrixMarket) {
  const auto [graph, report] = read(
      "%%MatrixMarket matrix coordinate real general\n% comment\n\n4 4 4\n1 2 0.5\n2 1 1e3\n3 3 1\n2 3 -1\n");
  EXPECT_EQ(graph.nodes(), 4U) << "node 4 is isolated";
  EXPECT_EQ(report.lines, 4U);
  EXPECT_EQ(report.edges, 2U);
  EXPECT_EQ(report.self_loops, 1U);
  EXPECT_EQ(report.duplicates, 1U);
  EXPECT_THAT(report.notices, ElementsAre(HasSubstr("weights")));
  EXPECT_EQ(read("%%matrixmarket MATRIX coordinate pattern symmetric\n2 2 1\n2 1\n").graph.secret_edges(),
            1U);
}

TEST_F(ImportText, RefusesMatrixMarketThatIsNoGraph) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_THAT(error("%%MatrixMarket matrix array real general\n2 2\n"), HasSubstr("matrix coordinate"));
  EXPECT_THAT(error("%%MatrixMarket matrix coordinate complex general\n"),
              HasSubstr("pattern, real or integer"));
  EXPECT_THAT(error("%%MatrixMarket matrix coordinate real hermitian\n"), HasSubstr("general or symmetric"));
  EXPECT_THAT(error(banner), HasSubstr("ends before the size line"));
  EXPECT_THAT(error(banner + "2 3 1\n1 2\n"), HasSubstr("square"));
  EXPECT_THAT(error(banner + "2 x 1\n"), HasSubstr("size line"));
  EXPECT_THAT(error(banner + "5000000000 5000000000 1\n1 2\n"), HasSubstr("at most"));
  EXPECT_THAT(error(banner + "2 2 2\n1 2\n"), HasSubstr("promises 2"));
  EXPECT_THAT(error(banner + "2 2 1\n1 3\n"), AllOf(HasSubstr(":3: "), HasSubstr("1..2")));
  EXPECT_THAT(error(banner + "2 2 1\n1 -2\n"), HasSubstr("two integers"));
  ImportOptions options;
  options.header = true;
  EXPECT_THAT(error(banner + "2 2 1\n1 2\n", options, ErrorCode::usage), HasSubstr("`header`"));
}

TEST_F(ImportText, ReadsMetis) {
  //  1 - 2 - 3,  4 alone
  const auto [graph, report] = read("% comment\n4 2\n2\n1 3\n% inside\n2\n\n", {}, "g.graph");
  EXPECT_EQ(graph.nodes(), 4U);
  EXPECT_EQ(graph.neighbors(1), (std::vector<Node>{0, 2}));
  EXPECT_EQ(report.lines, 2U);
  EXPECT_EQ(report.duplicates, 0U);
  ImportOptions options;
  options.format = TextFormat::metis;
  EXPECT_EQ(read("2 1 111 2\n5 1 1 2 9\n5 1 1 1 9\n", options).graph.secret_edges(), 1U)
      << "size, two weights, edge weights";
}

TEST_F(ImportText, RefusesBadMetis) {
  const auto metis_error = [&](const std::string& text) {
    return error(text, {}, ErrorCode::failed, "g.metis");
  };
  EXPECT_THAT(metis_error(""), HasSubstr("starts with"));
  EXPECT_THAT(metis_error("2\n"), HasSubstr("starts with"));
  EXPECT_THAT(metis_error("2 1 7\n"), HasSubstr("format"));
  EXPECT_THAT(metis_error("2 1\n2\n1\n1\n"), HasSubstr("more lines"));
  EXPECT_THAT(metis_error("2 1\n3\n1\n"), AllOf(HasSubstr(":2: "), HasSubstr("1..n")));
  EXPECT_THAT(metis_error("3 1\n2 3\n1\n1\n"), HasSubstr("promises 1"));
  EXPECT_THAT(metis_error("3 2\n2\n1\n"), HasSubstr("promises 2"));
  EXPECT_THAT(metis_error("3 2\n2\n1 3\n\n"), HasSubstr("not symmetric"));
  EXPECT_THAT(metis_error("2 1 1\n2\n1\n"), HasSubstr("weight"));
  EXPECT_THAT(metis_error("4 2\n2 2 2\n\n4\n\n"), HasSubstr("not symmetric"));
  EXPECT_THAT(error("1 2\n", {}, ErrorCode::failed, "g.mtx"), HasSubstr("MatrixMarket"));
}

TEST_F(ImportText, LineNumbersAndResultsSurviveManyBlocks) {
  std::string text;
  for (int i = 1; i < 400'000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  ASSERT_GT(text.size(), 4U << 20);
  const Graph one = [&] {
    const ThreadLimit limit(1);
    return read(text).graph;
  }();
  const Graph two = read(text).graph;
  ASSERT_EQ(one.nodes(), 400'000U);
  for (Node v = 0; v < one.nodes(); v += 997) EXPECT_EQ(one.neighbors(v), two.neighbors(v));
  EXPECT_THAT(error(text + "oops\n"), HasSubstr(":400000: "));
  const Graph mixed = read(text + "ann bob\n").graph;
  EXPECT_EQ(mixed.nodes(), 400'002U);
  EXPECT_EQ(mixed.neighbors(*mixed.node_list().find("399999")).size(), 2U);
}

TEST_F(ImportText, AVeryLongLineIsStillOneLine) {
  const std::string name(3U << 20, 'x');
  EXPECT_EQ(read("a " + name + "\n").graph.node_list().name(1), name);
}

TEST_F(ImportText, ReadsListsOfIds) {
  const auto list = write_all(folder_ / "ids", "# public\n3\n\n1 \n2\n3\n");
  EXPECT_EQ(read_node_list(list).size(), 3U);
  EXPECT_TRUE(read_node_list(list).are_integers());
  EXPECT_FALSE(read_node_list(list, true).are_integers());
  EXPECT_THAT(read_nodes(list, NodeList::integers({1, 2, 3})), ElementsAre(2, 0, 1, 2));
  EXPECT_THROW(read_nodes(list, NodeList::integers({1, 2})), Error);
  EXPECT_THROW(read_node_list(write_all(folder_ / "none", "# nothing\n")), Error);
  const NodeList people = NodeList::names({"Ada Lovelace", "bob", "eve 7"});
  const auto weighted = write_all(folder_ / "w", "Ada Lovelace\nbob 0.5\neve 7\n");
  EXPECT_THAT(read_weighted_nodes(weighted, people),
              ElementsAre(std::pair<Node, double>{0, 1}, std::pair<Node, double>{1, 0.5},
                          std::pair<Node, double>{2, 1}));
  EXPECT_THROW(read_node_list(write_all(folder_ / "header", "id\n1\n2\n")), Error);
  for (const char* bad :
       {"bob -1\n", "bob nan\n", "bob inf\n", "bob 0\n", "bob 1e400\n", "bob x\n", "who\n", "bob\nbob 2\n"})
    EXPECT_THROW(read_weighted_nodes(write_all(folder_ / "bad", bad), people), Error) << bad;
}

// An edge list written in a random mixture of styles reads back as the set of its edges.
RC_GTEST_PROP(ImportProperty, GivesBackTheEdgesThatWereWritten, ()) {
  const auto id = rc::gen::inRange<int>(1, 40);
  const auto pairs =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(rc::gen::pair(id, id)));
  const bool text_ids = *rc::gen::arbitrary<bool>();
  std::string text;
  std::set<std::pair<std::string, std::string>> expected;
  std::set<std::string> nodes;
  for (const auto& [a, b] : pairs) {
    const std::string u = (text_ids ? "n" : "") + std::to_string(a),
                      v = (text_ids ? "n" : "") + std::to_string(b);
    text += u + *rc::gen::element<std::string>(" ", "\t", ",", ", ", "  ") + v +
            *rc::gen::element<std::string>("\n", "\r\n", "\n# c\n", "\n\n");
    nodes.insert({u, v});
    if (a != b) expected.insert(std::minmax(u, v));
  }
  RC_PRE(!expected.empty());
  const TemporaryFolder folder;
  const auto [graph, report] = import_graph(write_all(folder / "g", text));
  RC_ASSERT(report.lines == pairs.size());
  RC_ASSERT(report.lines == report.edges + report.self_loops + report.duplicates);
  RC_ASSERT(graph.nodes() == nodes.size());
  std::set<std::pair<std::string, std::string>> found;
  for (Node v = 0; v < graph.nodes(); ++v)
    for (const Node u : graph.neighbors(v))
      found.insert(std::minmax(graph.node_list().name(u), graph.node_list().name(v)));
  RC_ASSERT(found == expected);
}

TEST(ImportEdges, CountsAsATextOfTheSameEdgesDoes) {
  const std::vector<Node> from = {0, 1, 2, 2, 0}, to = {1, 0, 2, 1, 1};
  const NodeList nodes = NodeList::names({"ann", "bob", "eve"});
  const auto [graph, report] = import_edges(nodes, from, to);
  EXPECT_EQ(report.lines, 5U);
  EXPECT_EQ(report.edges, 2U);
  EXPECT_EQ(report.self_loops, 1U);
  EXPECT_EQ(report.duplicates, 2U);
  EXPECT_THAT(graph.neighbors(1), ElementsAre(0, 2));
  EXPECT_FALSE(graph.facts().nodes_declared);
  EXPECT_TRUE(import_edges(nodes, from, to, {.nodes_declared = true}).graph.facts().nodes_declared);
}

TEST(ImportEdges, RefusesMoreEdgesThanThePublicBound) {
  const std::vector<Node> from = {0, 1}, to = {1, 2};
  const NodeList nodes = NodeList::range(1, 3);
  EXPECT_EQ(import_edges(nodes, from, to, {.max_edges = 2}).graph.facts().max_edges, 2U);
  EXPECT_THROW(import_edges(nodes, from, to, {.max_edges = 1}), Error);
}

TEST(ImportEdges, RefusesEndsThatAreNoNodesAndEdgesWithOneEnd) {
  const std::vector<Node> ends = {0, 1}, beyond = {1, 3}, one = {1};
  EXPECT_THROW(import_edges(NodeList::range(1, 3), ends, beyond), Error);
  EXPECT_THROW(import_edges(NodeList::range(1, 3), beyond, ends), Error);
  EXPECT_THROW(import_edges(NodeList::range(1, 3), ends, one), Error);
}

}  // namespace
}  // namespace hushwalk
