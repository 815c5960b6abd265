#include "graph/graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/fail.h"
#include "support/files.h"
#include "support/graphs.h"
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
    return error.what();
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
    EXPECT_EQ(again.edges(), graph.edges());
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

}  // namespace
}  // namespace hushwalk
