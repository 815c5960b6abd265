#include "graph/graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/fail.h"
#include "graph/graph_impl.h"
#include "hushwalk/generate.h"
#include "hushwalk/import.h"
#include "hushwalk/threads.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/hwg.h"
#include "support/said_by.h"
#include "support/sanitized.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using ::testing::HasSubstr;
using testing::path4;
using testing::read_all;
using testing::TemporaryFolder;
using testing::write_all;

// What an action says when it fails, or "".
std::string failure_of(const auto& action) { return testing::said_by(action, ErrorCode::failed); }

// Opens the file and uses everything in it, first row by row and then all at once; returns the error's
// message of the latter, or "" when all is well.
std::string use(const std::filesystem::path& path) {
  const auto all_rows = [](const Graph& graph) {
    for (Node v = 0; v < graph.nodes(); ++v) {
      EXPECT_EQ(graph.neighbors(v).size(), graph.degree(v));
      for (const Node u : graph.neighbors(v)) EXPECT_LT(u, graph.nodes());
    }
  };
  static_cast<void>(failure_of([&] { all_rows(Graph::open(path)); }));
  return failure_of([&] {
    const Graph graph = Graph::open(path);
    graph.check();
    all_rows(graph);
    for (Node v = 0; v < graph.nodes(); ++v) EXPECT_EQ(graph.node_list().find(graph.node_list().name(v)), v);
  });
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
  for (std::size_t size = bytes.size(); size > 0;) {
    size -= std::min(size, testing::next_place);
    std::filesystem::resize_file(folder / "g.hwg", size);
    EXPECT_NE(use(folder / "g.hwg"), "") << "cut to " << size << " of " << bytes.size();
  }
}

TEST(GraphFile, NoticesAFlippedBitInEveryByte) {
  const TemporaryFolder folder;
  named().save(folder / "g.hwg");
  const std::string bytes = read_all(folder / "g.hwg");
  std::fstream file(folder / "g.hwg", std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t byte, char value) {
    file.seekp(static_cast<std::streamoff>(byte)).put(value).flush();
  };
  for (std::size_t byte = 0; byte < bytes.size(); byte += testing::next_place) {
    put(byte, static_cast<char>(bytes[byte] ^ (1 << (5 * byte % 8))));
    EXPECT_NE(use(folder / "g.hwg"), "") << "byte " << byte;
    put(byte, bytes[byte]);
  }
  EXPECT_EQ(use(folder / "g.hwg"), "");
}

// --- in parts ----------------------------------------------------------------------------------------------

// Of several pieces in most sections.
Graph ring(std::uint32_t nodes = 10'000) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < nodes; ++v) edges.emplace_back(v, (v + 1) % nodes);
  return testing::make_graph(nodes, edges);
}

// A graph in a folder of parts, and what is said when it is used.
class GraphInParts : public ::testing::Test {
 protected:
  explicit GraphInParts(const Graph& graph = ring()) : graph_(graph) {
    graph_.save(set_, {}, 6);
    while (std::filesystem::exists(part(count_))) ++count_;
  }
  std::filesystem::path part(std::size_t number) const { return set_ / ("part-" + std::to_string(number)); }
  std::string all_parts() const {
    std::string bytes;
    for (std::size_t i = 0; i < count_; ++i) bytes += read_all(part(i));
    return bytes;
  }
  std::string said() const { return use(set_); }

  TemporaryFolder folder_;
  std::filesystem::path set_ = folder_ / "g.hwg";
  Graph graph_;
  std::size_t count_ = 0;
};

TEST_F(GraphInParts, IsTheFileInPieces) {
  graph_.save(folder_ / "one.hwg");
  ASSERT_EQ(count_, 6U);
  EXPECT_TRUE(all_parts() == read_all(folder_ / "one.hwg"));
  EXPECT_EQ(said(), "");
  const Graph again = Graph::open(set_);
  EXPECT_EQ(again.facts().graph_id, graph_.facts().graph_id);
  EXPECT_EQ(again.secret_digest(), graph_.secret_digest());
  EXPECT_EQ(Graph::open(set_ / "").neighbors(17), graph_.neighbors(17)) << "a slash behind the name";
}

TEST_F(GraphInParts, SmallOnesHaveFewerParts) {
  path4().save(folder_ / "small", {}, 256);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "small"), {}), 1);
  EXPECT_EQ(use(folder_ / "small"), "");
}

TEST_F(GraphInParts, WithoutOneOfThemIsRefused) {
  for (std::size_t i = 0; i < count_; ++i) {
    std::filesystem::rename(part(i), folder_ / "away");
    EXPECT_THAT(said(), HasSubstr("part-" + std::to_string(i) + "'")) << i;
    EXPECT_THAT(said(), ::testing::AnyOf(HasSubstr("is missing"), HasSubstr("is a directory without"))) << i;
    std::filesystem::rename(folder_ / "away", part(i));
  }
  EXPECT_EQ(said(), "");
}

TEST_F(GraphInParts, WithAnythingElseIsRefused) {
  write_all(part(count_), "more");
  EXPECT_THAT(said(), HasSubstr("not of the sizes of parts"));
  std::filesystem::remove(part(count_));
  std::ofstream(part(count_ - 1), std::ios::app) << "more";
  EXPECT_THAT(said(), ::testing::AllOf(HasSubstr("is damaged"), HasSubstr("follow its end, in"),
                                       HasSubstr("part-5'")));
  for (const char* name : {"notes", "part-", "part-00", "part-1 ", "part-99999999999", ".hidden"}) {
    write_all(set_ / name, "x");
    EXPECT_THAT(said(), HasSubstr("is no part of the graph file")) << name;
    std::filesystem::remove(set_ / name);
  }
  write_all(set_ / "part-7", "x");
  EXPECT_THAT(said(), HasSubstr("part-6' is missing"));
}

TEST_F(GraphInParts, OfOtherSizesIsRefused) {
  for (std::size_t i = 0; i < count_; ++i) {
    const std::string bytes = read_all(part(i));
    const std::uintmax_t size = bytes.size();
    for (const std::uintmax_t other : {std::uintmax_t{0}, std::uintmax_t{1}, size / 2, size - 1,
                                       size - (1 << 16), size + 1, size + (1 << 16)}) {
      if (other > 2 * size) continue;
      std::filesystem::resize_file(part(i), other);
      EXPECT_THAT(said(), HasSubstr("part-")) << i << " with " << other << " instead of " << size;
    }
    write_all(part(i), bytes);
  }
  EXPECT_EQ(said(), "");
}

TEST_F(GraphInParts, OfAnotherGraphIsNoticed) {
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 0; v < 10'000; ++v) edges.emplace_back(v, (v + 7) % 10'000);
  testing::make_graph(10'000, edges).save(folder_ / "other", {}, 6);
  std::filesystem::copy_file(folder_ / "other" / "part-1", part(1),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(said(),
              ::testing::AllOf(HasSubstr("is damaged"), HasSubstr("another checksum"), HasSubstr("part-1'")));
  testing::make_graph(99, {{0, 1}}).save(folder_ / "small", {}, 4);
  std::filesystem::copy_file(folder_ / "small" / "part-0", part(0),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(said(), HasSubstr("part-0'"));
}

TEST_F(GraphInParts, ThatAreNoFilesAreRefused) {
  const std::filesystem::path last = part(count_ - 1), away = folder_ / "away";
  std::filesystem::rename(last, away);
  std::filesystem::create_symlink(away, last);
  EXPECT_THAT(said(), HasSubstr("part-5' is not a regular file"));
  std::filesystem::remove(last);
  std::filesystem::create_directory(last);
  EXPECT_THAT(said(), HasSubstr("part-5' is not a regular file"));
  std::filesystem::remove(last);
  ASSERT_EQ(mkfifo(last.c_str(), 0600), 0);
  EXPECT_THAT(said(), HasSubstr("part-5' is not a regular file"));
  std::filesystem::remove(last);
  std::filesystem::rename(away, last);
  std::filesystem::create_directory_symlink(set_, folder_ / "link");
  EXPECT_EQ(use(folder_ / "link"), "") << "a link to the folder is the folder";
}

TEST_F(GraphInParts, IsReplacedAsAWhole) {
  const Graph old = Graph::open(set_);
  const Graph small = path4();
  small.save(set_, {}, 2);
  EXPECT_EQ(Graph::open(set_).facts().graph_id, small.facts().graph_id);
  EXPECT_EQ(old.neighbors(17), graph_.neighbors(17)) << "whoever has it open keeps it";
  old.check();
  graph_.save(set_);
  EXPECT_TRUE(std::filesystem::is_regular_file(set_));
  small.save(set_, {}, 3);
  EXPECT_EQ(use(set_), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1) << "nothing is left";
}

TEST(GraphFile, RefusesAnotherVersion) {
  const TemporaryFolder folder;
  path4().save(folder / "g.hwg");
  std::string bytes = read_all(folder / "g.hwg");
  bytes[8] = 3;
  write_all(folder / "g.hwg", bytes);
  EXPECT_THAT(use(folder / "g.hwg"), HasSubstr("version 3; this program reads versions 1 to 2"));
}

TEST(GraphFile, NamesTheFirstPieceThatIsDamaged) {
  const TemporaryFolder folder;
  ring().save(folder / "g.hwg");
  const std::string bytes = read_all(folder / "g.hwg");
  for (std::size_t section = 0; section < 5; ++section) {
    const std::size_t begin = testing::hwg_section(bytes, section);
    const auto size = testing::load<std::uint64_t>(bytes, 72 + 24 * section);
    for (std::size_t piece = 0; piece * testing::hwg_piece < size; ++piece) {
      std::string damaged = bytes;
      for (std::size_t later = begin + piece * testing::hwg_piece; later < begin + size; later += 20'000)
        damaged[later] = static_cast<char>(damaged[later] ^ 1);
      write_all(folder / "damaged.hwg", damaged);
      EXPECT_THAT(use(folder / "damaged.hwg"),
                  HasSubstr(fmt::format("has another checksum, in piece {} (from byte {} on)", piece,
                                        begin + piece * testing::hwg_piece)));
    }
    write_all(folder / "cut.hwg", bytes.substr(0, begin + testing::hwg_piece / 2));
    EXPECT_THAT(use(folder / "cut.hwg"), HasSubstr("truncated"));
  }
}

// A single row is read without a look at what is elsewhere, and with one at what it is made of.
TEST(GraphFile, ReadsASingleRowFromItsOwnPieces) {
  const TemporaryFolder folder;
  ring().save(folder / "g.hwg");
  std::string bytes = read_all(folder / "g.hwg");
  const std::size_t rows = testing::hwg_section(bytes, 1);
  bytes[rows + 4 * testing::hwg_piece] ^= 1;
  write_all(folder / "damaged.hwg", bytes);
  const Graph graph = Graph::open(folder / "damaged.hwg");
  EXPECT_EQ(graph.neighbors(5), (std::vector<Node>{4, 6}));
  EXPECT_EQ(graph.degree(9'999), 2U);
  EXPECT_THAT(failure_of([&] { graph.neighbors(9'000); }),
              HasSubstr("'neighbours' has another checksum, in piece 4"));
  EXPECT_THAT(failure_of([&] { graph.check(); }), HasSubstr("in piece 4"));
}

TEST(GraphFile, ReadsManySingleRowsFromAllRows) {
  const TemporaryFolder folder;
  ring().save(folder / "g.hwg");
  const Graph graph = Graph::open(folder / "g.hwg");
  for (Node v = 1; v + 1 < graph.nodes(); ++v)
    ASSERT_EQ(graph.neighbors(v), (std::vector<Node>{v - 1, v + 1}));
}

// A file that is mostly holes: nothing is right in it but what one row needs.
class LargeFile {
 public:
  LargeFile(const std::filesystem::path& path, std::uint64_t nodes, std::uint64_t edges) {
    path4().save(path);
    header_ = read_all(path).substr(0, testing::hwg_header);
    for (const auto& [at, value] :
         {std::pair(16, nodes), std::pair(24, edges), std::pair(32, all_pairs(nodes))})
      testing::store<std::uint64_t>(header_, static_cast<std::size_t>(at), value);
    const std::array<std::uint64_t, 6> sizes = {8 * (nodes + 1), 8 * edges, 4 * nodes,
                                                4 * nodes,       8 * nodes, 0};
    const auto pieces_in = [](std::uint64_t size) {
      return (size + testing::hwg_piece - 1) / testing::hwg_piece;
    };
    std::uint64_t end = testing::hwg_header, piece = 0;
    for (const std::uint64_t size : sizes) end += 8 * pieces_in(size);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      end = (end + 4095) / 4096 * 4096;
      testing::store(header_, 64 + 24 * i, end);
      testing::store(header_, 64 + 24 * i + 8, sizes[i]);
      testing::store(header_, 64 + 24 * i + 16, piece);
      end += sizes[i];
      piece += pieces_in(sizes[i]);
    }
    testing::store(header_, 56, end);
    testing::store(header_, 248, testing::hwg_checksum(header_, 0, 248));
    std::filesystem::resize_file(path, end);
    file_.open(path, std::ios::binary | std::ios::in | std::ios::out);
    file_.write(header_.data(), std::ssize(header_));
  }

  template <class T>
  void put(std::size_t section, std::uint64_t place, T value) {
    const std::uint64_t at = place * sizeof(T), begin = at / testing::hwg_piece * testing::hwg_piece,
                        offset = testing::hwg_section(header_, section);
    file_.seekp(static_cast<std::streamoff>(offset + at))
        .write(reinterpret_cast<const char*>(&value), sizeof value);
    const auto size = testing::load<std::uint64_t>(header_, 64 + 24 * section + 8);
    std::string piece(std::min<std::uint64_t>(testing::hwg_piece, size - begin), '\0');
    file_.seekg(static_cast<std::streamoff>(offset + begin)).read(piece.data(), std::ssize(piece));
    const std::uint64_t checksum = testing::hwg_checksum(piece, 0, piece.size()),
                        first = testing::load<std::uint64_t>(header_, 64 + 24 * section + 16);
    file_.seekp(static_cast<std::streamoff>(testing::hwg_header + 8 * (first + begin / testing::hwg_piece)))
        .write(reinterpret_cast<const char*>(&checksum), sizeof checksum)
        .flush();
  }

 private:
  std::string header_;
  std::fstream file_;
};

// What was copied by this process so far, and what it has mapped of a file now.
std::uint64_t touched_bytes(const std::filesystem::path& path) {
  std::ifstream counters("/proc/self/io"), maps("/proc/self/smaps");
  std::string word;
  std::uint64_t bytes = 0;
  counters >> word >> bytes;
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find(path.string()) != line.npos) inside = true;
    if (inside && line.starts_with("Rss:")) bytes += 1024 * std::stoull(line.substr(4)), inside = false;
  }
  return bytes;
}

TEST(GraphFile, OfSixHundredMegabytesIsTouchedWhereARowLies) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "g.hwg";
  constexpr std::uint64_t nodes = 8'000'000, edges = 55'000'000, degree = 32, first = 30'000'000;
  constexpr Row row = 1'000'000;
  constexpr Node node = 5'000'000;
  LargeFile file(path, nodes, edges);
  file.put<Row>(3, node, row);
  file.put<std::uint64_t>(0, row, first);
  file.put<std::uint64_t>(0, row + 1, first + degree);
  for (Row i = 0; i < degree; ++i) {  // all over the place
    file.put<Row>(1, first + i, i * 240'000);
    file.put<Node>(2, i * 240'000, 7'999'000 - i * 200'000);
  }
  ASSERT_GT(std::filesystem::file_size(path), 600'000'000U);
  const std::uint64_t before = touched_bytes(path), measuring = touched_bytes(path) - before;
  const Graph graph = Graph::open(path);
  const std::vector<Node> neighbors = graph.neighbors(node);
  const std::uint64_t touched = touched_bytes(path) - before - 2 * measuring;
  EXPECT_EQ(neighbors.size(), degree);
  EXPECT_EQ(neighbors[1], 1'999'000U);
  EXPECT_GT(touched, degree * testing::hwg_piece);  // what was read at least
  EXPECT_LT(touched, 1'000'000U);
}

bool same_rows(const Graph& one, const Graph& other) {
  const Csr &a = csr_of(one), &b = csr_of(other);
  return std::ranges::equal(a.offsets, b.offsets) && std::ranges::equal(a.neighbors, b.neighbors) &&
         std::ranges::equal(a.node_of_row, b.node_of_row) && std::ranges::equal(a.row_of_node, b.row_of_node);
}

TEST(GraphFile, OfTheFirstVersionIsTheSameGraph) {
  const TemporaryFolder folder;
  for (const Graph& graph : {path4(), named(), ring(), Graph()}) {
    graph.save(folder / "new.hwg");
    write_all(folder / "old.hwg", testing::in_version_1(read_all(folder / "new.hwg")));
    EXPECT_EQ(use(folder / "old.hwg"), "");
    const Graph old = Graph::open(folder / "old.hwg"), now = Graph::open(folder / "new.hwg");
    EXPECT_EQ(old.facts(), now.facts());
    EXPECT_TRUE(same_rows(old, now));
    EXPECT_EQ(old.secret_digest(), now.secret_digest());
    EXPECT_EQ(now.secret_digest(), graph.secret_digest());
    old.save(folder / "again.hwg");
    EXPECT_EQ(read_all(folder / "again.hwg"), read_all(folder / "new.hwg"));
  }
}

TEST(GraphFile, HasTheSameBytesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 30'000; ++i) text += fmt::format("{} {}\n", i * 7919 % 12'007, i * i % 9'001);
  write_all(folder / "edges.txt", text);
  std::string first;
  for (const int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    import_graph(folder / "edges.txt").graph.save(folder / "g.hwg");
    std::string bytes = read_all(folder / "g.hwg");
    for (const auto& [begin, end] : {std::pair(40, 56), std::pair(248, 256)})  // id, checksum of the header
      std::fill(bytes.begin() + begin, bytes.begin() + end, '\0');
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST(GraphFile, DigestIsOfEverythingButTheId) {
  const Graph graph = path4();
  EXPECT_EQ(graph.secret_digest(), path4().secret_digest());
  EXPECT_NE(graph.secret_digest(), testing::make_graph(4, {{0, 1}, {1, 2}, {0, 3}}).secret_digest());
  EXPECT_NE(graph.secret_digest(),
            Graph::from_edges(NodeList::range(5, 4), {{0, 1}, {1, 2}, {2, 3}}).secret_digest());
  EXPECT_NE(graph.secret_digest(),
            Graph::from_edges(graph.node_list(), {{0, 1}, {1, 2}, {2, 3}}, 6).secret_digest());
}

TEST(GraphFile, WithPiecesCountedFromElsewhereIsRefused) {
  const TemporaryFolder folder;
  path4().save(folder / "g.hwg");
  std::string bytes = read_all(folder / "g.hwg");
  testing::store<std::uint64_t>(bytes, 64 + 24 + 16, 0);  // those of the neighbours begin at 1
  testing::set_checksums(bytes);
  write_all(folder / "g.hwg", bytes);
  EXPECT_THAT(use(folder / "g.hwg"), HasSubstr("'neighbours' is not where it must be"));
}

TEST(GraphFile, WithAnotherContentThanItsDigestIsNoticedByWhoeverNeedsTheDigest) {
  const TemporaryFolder folder;
  path4().save(folder / "g.hwg");
  std::string bytes = read_all(folder / "g.hwg");
  bytes[208] ^= 1;
  testing::set_checksums(bytes);
  write_all(folder / "g.hwg", bytes);
  EXPECT_THAT(failure_of([&] { static_cast<void>(Graph::open(folder / "g.hwg").secret_digest()); }),
              HasSubstr("not what its header says"));
}

// One file for every statement of docs/formats.md, its checksums right, that breaks only this statement.
class CraftedFile : public ::testing::Test {
 protected:
  // Saves the graph, lets `change` at the bytes, and returns what using the file says.
  template <class Change>
  std::string after(const Graph& graph, const Change& change) {
    graph.save(folder_ / "g.hwg");
    const std::string now = read_all(folder_ / "g.hwg");
    const auto crafted = [&](std::string bytes) {
      change(bytes);
      testing::set_checksums(bytes);
      write_all(folder_ / "g.hwg", bytes);
      return use(folder_ / "g.hwg");
    };
    const std::string said = crafted(now), said_of_version_1 = crafted(testing::in_version_1(now));
    EXPECT_EQ(said.empty(), said_of_version_1.empty()) << said << said_of_version_1;
    return said;
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
  EXPECT_THAT(after(path4(), put<U32>(neighbours, 4, 2)), HasSubstr("names itself")) << "a self-loop";
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
  EXPECT_THAT(after(path4(), put<U32>(row_order, 0, 2)), HasSubstr("'row order'"));
  EXPECT_THAT(after(path4(), put<U32>(node_order, 0, 0)), HasSubstr("'row order'"));
  const auto swap_equal_rows = [](std::string& bytes) {
    put<U32>(row_order, 0, 2)(bytes), put<U32>(row_order, 1, 1)(bytes);
    put<U32>(node_order, 2, 0)(bytes), put<U32>(node_order, 1, 1)(bytes);
  };
  EXPECT_THAT(after(path4(), swap_equal_rows), HasSubstr("'row order'")) << "ties by node";
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
  EXPECT_THAT(after(path4(), word(32, 3)), HasSubstr("neither declared nor all pairs"))
      << "the edges, a secret";
  EXPECT_THAT(after(path4(), word(24, U64{1} << 61)), HasSubstr("edges"));
  EXPECT_THAT(after(path4(), word(56, 100'000)), HasSubstr("truncated"));
  EXPECT_THAT(after(path4(), word(64, 512)), HasSubstr("not where it must be"));
  EXPECT_THAT(after(path4(), word(72, 48)), HasSubstr("not where it must be"));
  EXPECT_THAT(after(path4(), word(240, 4096)), HasSubstr("its pieces not of 16384 bytes"));
  EXPECT_THAT(after(path4(), [](std::string& bytes) { testing::store<U32>(bytes, 12, 8); }),
              HasSubstr("flags"));
  EXPECT_THAT(after(path4(), [](std::string& bytes) { bytes += '\0'; }), HasSubstr("follow its end"));
}

// Rows across pieces, one entry altered anywhere.
RC_GTEST_PROP(CraftedGraphFile, OneEntryThatIsAnotherIsNoticed, ()) {
  static const std::string bytes = [] {
    const TemporaryFolder folder;
    generate("er", {.nodes = 3'000, .edges = 20'000}).save(folder / "g.hwg");
    return read_all(folder / "g.hwg");
  }();
  std::string crafted = bytes;
  const std::size_t entry = *rc::gen::inRange<std::size_t>(0, 40'000);
  const std::size_t at = testing::hwg_section(bytes, neighbours) + 4 * entry;
  const auto value = *rc::gen::oneOf(rc::gen::inRange<U32>(0, 3'000), rc::gen::arbitrary<U32>());
  RC_PRE(value != testing::load<U32>(bytes, at));
  testing::store<U32>(crafted, at, value);
  testing::set_checksums(crafted);
  const TemporaryFolder folder;
  write_all(folder / "g.hwg", crafted);
  RC_ASSERT(!use(folder / "g.hwg").empty());
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
