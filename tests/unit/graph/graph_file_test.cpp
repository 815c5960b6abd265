#include "graph/graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/fail.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/hwg.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using ::testing::HasSubstr;
using testing::path4;
using testing::read_all;
using testing::TemporaryFolder;
using testing::write_all;

// Opens the file and uses everything in it; returns the error's message, or "" when all is well.
std::string use(const std::filesystem::path& path) {
  try {
    const Graph graph = Graph::open(path);
    for (Node v = 0; v < graph.nodes(); ++v) {
      for (const Node u : graph.neighbors(v)) EXPECT_LT(u, graph.nodes());
      EXPECT_EQ(graph.node_list().find(graph.node_list().name(v)), v);
    }
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    return std::string(error.what()) + "; " + error.for_custodian();
  }
}

Graph named() { return Graph::from_edges(NodeList::names({"Zoë", "ada", "bob"}), {{0, 1}}, 2); }

TEST(GraphFile, GivesBackWhatWasSaved) {
  const TemporaryFolder folder;
  for (const Graph& graph : {path4(), named(), Graph()}) {
    graph.save(folder / "g.hwg");
    const Graph again = Graph::open(folder / "g.hwg");
    EXPECT_EQ(again.facts().graph_id, graph.facts().graph_id);
    EXPECT_EQ(again.facts().max_edges, graph.facts().max_edges);
    EXPECT_EQ(again.facts().max_edges_declared, graph.facts().max_edges_declared);
    EXPECT_EQ(again.secret_edges(), graph.secret_edges());
    ASSERT_EQ(again.nodes(), graph.nodes());
    for (Node v = 0; v < graph.nodes(); ++v) {
      EXPECT_EQ(again.neighbors(v), graph.neighbors(v));
      EXPECT_EQ(again.node_list().name(v), graph.node_list().name(v));
    }
  }
}

TEST(GraphFile, RefusesForeignAndEmptyFiles) {
  const TemporaryFolder folder;
  write_all(folder / "text", "1 2\n2 3\n");
  EXPECT_THAT(use(folder / "text"), HasSubstr("not a hushwalk graph file"));
  write_all(folder / "empty", "");
  EXPECT_THAT(use(folder / "empty"), HasSubstr("not a hushwalk graph file"));
  EXPECT_THAT(use(folder / "missing"), HasSubstr("No such file"));
  EXPECT_THAT(use(folder.path()), HasSubstr("is a directory"));
}

TEST(GraphFile, RefusesEveryTruncation) {
  const TemporaryFolder folder;
  named().save(folder / "g.hwg");
  const std::string bytes = read_all(folder / "g.hwg");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_all(folder / "cut.hwg", bytes.substr(0, size));
    EXPECT_NE(use(folder / "cut.hwg"), "") << "cut to " << size << " of " << bytes.size();
  }
}

TEST(GraphFile, NoticesAFlippedBitInEveryByte) {
  const TemporaryFolder folder;
  named().save(folder / "g.hwg");
  const std::string bytes = read_all(folder / "g.hwg");
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    std::string flipped = bytes;
    flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << (5 * byte % 8)));
    write_all(folder / "flipped.hwg", flipped);
    EXPECT_NE(use(folder / "flipped.hwg"), "") << "byte " << byte;
  }
}

TEST(GraphFile, RefusesAnotherVersion) {
  const TemporaryFolder folder;
  path4().save(folder / "g.hwg");
  std::string bytes = read_all(folder / "g.hwg");
  bytes[8] = 2;
  write_all(folder / "g.hwg", bytes);
  EXPECT_THAT(use(folder / "g.hwg"), HasSubstr("version 2"));
}

// One file for every statement of docs/formats.md, its checksums right, that breaks only this statement.
class CraftedFile : public ::testing::Test {
 protected:
  // Saves the graph, lets `change` at the bytes, and returns what using the file says.
  template <class Change>
  std::string after(const Graph& graph, const Change& change) {
    graph.save(folder_ / "g.hwg");
    std::string bytes = read_all(folder_ / "g.hwg");
    change(bytes);
    testing::set_checksums(bytes);
    write_all(folder_ / "g.hwg", bytes);
    return use(folder_ / "g.hwg");
  }

  // Writes `value` as element `i` of a section.
  template <class T>
  static auto put(std::size_t section, std::size_t i, T value) {
    return [=](std::string& bytes) {
      testing::store<T>(bytes, testing::hwg_section(bytes, section) + i * sizeof(T), value);
    };
  }

  TemporaryFolder folder_;
};

// Rows of path4: nodes 1, 2 (degree 2), then 0, 3. Row 0 is {1, 2}, row 1 is {0, 3}, row 2 is {0}, row 3 is
// {1}.
constexpr std::size_t offsets = 0, neighbours = 1, row_order = 2, node_order = 3, ids = 4, id_text = 5;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

TEST_F(CraftedFile, IsFineUntouched) {
  EXPECT_EQ(after(path4(), [](std::string&) {}), "");
}

TEST_F(CraftedFile, RowsMustBeWhatTheyClaim) {
  EXPECT_THAT(after(path4(), put<U64>(offsets, 0, 1)), HasSubstr("'row offsets' holds an impossible value"));
  EXPECT_THAT(after(path4(), put<U64>(offsets, 1, 5)), HasSubstr("'row offsets'")) << "decreasing";
  EXPECT_THAT(after(path4(), put<U64>(offsets, 2, ~U64{0})), HasSubstr("'row offsets'"));
  EXPECT_THAT(after(path4(), put<U64>(offsets, 1, 1)), HasSubstr("'row offsets'"))
      << "row 1 longer than row 0";
  EXPECT_THAT(after(path4(), put<U64>(offsets, 4, 5)), HasSubstr("do not hold its edges"));
  EXPECT_THAT(after(path4(), put<U32>(neighbours, 1, 4)), HasSubstr("'neighbours'")) << "beyond the nodes";
  EXPECT_THAT(after(path4(), put<U32>(neighbours, 4, 2)), HasSubstr("'neighbours'")) << "a self-loop";
  EXPECT_THAT(after(path4(), put<U32>(neighbours, 1, 1)), HasSubstr("'neighbours'")) << "a repeat";
  EXPECT_THAT(after(path4(), put<U32>(neighbours, 0, 3)), HasSubstr("'neighbours'")) << "not ascending";
}

// Two crafted files that differ in one entry were told apart in every release, under a certificate that held.
TEST_F(CraftedFile, EdgesMustStandInBothDirections) {
  const std::string said = after(path4(), put<U32>(neighbours, 4, 3));  // row 2 is {3}, row 3 still {1}
  EXPECT_THAT(said, HasSubstr("g.hwg' is not symmetric"));
  EXPECT_THAT(said, HasSubstr("Import it again from the original edges"));
}

// Every check draws its own numbers, so that no file can be made to balance them.
TEST_F(CraftedFile, ACircleOfArrowsIsNeverAGraph) {
  const Graph circles = testing::make_graph(6, {{0, 1}, {2, 3}, {4, 5}});
  const auto turn = [](std::string& bytes) {
    for (const U32 row : {0U, 1U, 2U, 3U, 4U, 5U}) put<U32>(neighbours, row, (row + 1) % 6)(bytes);
  };
  for (int i = 0; i < 100; ++i) ASSERT_THAT(after(circles, turn), HasSubstr("not symmetric"));
}

TEST_F(CraftedFile, OrdersMustBePermutations) {
  EXPECT_THAT(after(path4(), put<U32>(row_order, 0, 4)), HasSubstr("'row order'"));
  EXPECT_THAT(after(path4(), put<U32>(node_order, 0, 4)), HasSubstr("'node order'"));
  EXPECT_THAT(after(path4(), put<U32>(row_order, 0, 2)), HasSubstr("not a permutation"));
  EXPECT_THAT(after(path4(), put<U32>(node_order, 0, 0)), HasSubstr("not a permutation"));
  const auto swap_equal_rows = [](std::string& bytes) {
    put<U32>(row_order, 0, 2)(bytes), put<U32>(row_order, 1, 1)(bytes);
    put<U32>(node_order, 2, 0)(bytes), put<U32>(node_order, 1, 1)(bytes);
  };
  EXPECT_THAT(after(path4(), swap_equal_rows), HasSubstr("rows of equal degree"));
}

TEST_F(CraftedFile, IdsMustBeInOrder) {
  EXPECT_THAT(after(path4(), put<std::int64_t>(ids, 1, 1)), HasSubstr("'node ids'")) << "a repeat";
  EXPECT_THAT(after(path4(), put<std::int64_t>(ids, 3, -5)), HasSubstr("'node ids'"));
  EXPECT_THAT(after(named(), put<U64>(ids, 0, 1)), HasSubstr("'node ids'"));
  EXPECT_THAT(after(named(), put<U64>(ids, 1, 1000)), HasSubstr("'node ids'"));
  EXPECT_THAT(after(named(), put<U64>(ids, 3, 9)), HasSubstr("do not fill their section"));
  EXPECT_THAT(after(named(), put<char>(id_text, 0, 'z')), HasSubstr("not in order"));
  EXPECT_THAT(after(named(), put<char>(id_text, 2, '\xFF')), HasSubstr("not UTF-8"));
}

TEST_F(CraftedFile, HeaderMustFitTheFile) {
  const auto word = [](std::size_t at, U64 value) {
    return [=](std::string& bytes) { testing::store<U64>(bytes, at, value); };
  };
  EXPECT_THAT(after(path4(), word(16, 5'000'000'000)), HasSubstr("claims 5000000000 nodes"));
  EXPECT_THAT(after(path4(), word(24, 7)), HasSubstr("claims 7 edges"));
  EXPECT_THAT(after(path4(), word(32, 7)), HasSubstr("at most 7"));
  EXPECT_THAT(after(path4(), word(24, U64{1} << 61)), HasSubstr("edges"));
  EXPECT_THAT(after(path4(), word(56, 100'000)), HasSubstr("truncated"));
  EXPECT_THAT(after(path4(), word(64, 512)), HasSubstr("not where it must be"));
  EXPECT_THAT(after(path4(), word(72, 48)), HasSubstr("not where it must be"));
  EXPECT_THAT(after(path4(), word(208, 1)), HasSubstr("reserved"));
  EXPECT_THAT(after(path4(), [](std::string& bytes) { testing::store<U32>(bytes, 12, 8); }),
              HasSubstr("flags"));
  EXPECT_THAT(after(path4(), [](std::string& bytes) { bytes += '\0'; }), HasSubstr("follow its end"));
}

TEST(PublicFacts, SayNothingAboutTheEdges) {
  const Graph one = testing::make_graph(5, {{0, 1}}),
              other = testing::make_graph(5, {{0, 2}, {3, 4}, {1, 2}});
  EXPECT_EQ(one.facts().nodes, other.facts().nodes);
  EXPECT_EQ(one.facts().max_edges, 10U) << "all pairs, not the edges there are";
  EXPECT_EQ(one.facts().max_edges, other.facts().max_edges);
  EXPECT_EQ(one.facts().max_edges_declared, other.facts().max_edges_declared);
  EXPECT_EQ(one.facts().nodes_declared, other.facts().nodes_declared);
  EXPECT_NE(one.facts().graph_id, testing::make_graph(5, {{0, 1}}).facts().graph_id)
      << "random, not a digest";
}

}  // namespace
}  // namespace hushwalk
