#include "graph/import/text_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "graph/import/collect.h"
#include "hushwalk/import.h"
#include "support/files.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::write_all;

class ImportTexts : public ::testing::Test {
 protected:
  std::vector<std::filesystem::path> write(const std::vector<std::string>& texts) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& text : texts)
      paths.push_back(write_all(folder_ / ("part-" + std::to_string(paths.size())), text));
    return paths;
  }
  Import read(const std::vector<std::string>& texts, const ImportOptions& options = {}) {
    return import_graph(write(texts), options);
  }
  std::string error(const std::vector<std::string>& texts, const ImportOptions& options = {}) {
    try {
      read(texts, options);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

TEST_F(ImportTexts, ReadsThemAsOne) {
  const auto [graph, report] = read({"1 2\n2 3", "", "# more\n3 1\n2 1\n4 4\n"});
  EXPECT_EQ(graph.nodes(), 4U);
  EXPECT_EQ(report.edges, 3U);
  EXPECT_EQ(report.duplicates, 1U);
  EXPECT_EQ(report.self_loops, 1U);
  EXPECT_EQ(report.lines, 5U);
}

// Opened once and closed again, a pipe would lose its writer.
TEST_F(ImportTexts, MayBePipes) {
  auto paths = write({"1 2\n"});
  paths.push_back(folder_ / "pipe");
  ASSERT_EQ(mkfifo(paths.back().c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(paths.back()) << "2 3\n"; });
  EXPECT_EQ(import_graph(paths).report.edges, 2U);
  writer.join();
}

TEST_F(ImportTexts, NamesTheTextAndItsOwnLine) {
  EXPECT_THAT(error({"1 2\n1 3\n", "2 3\nalone\n"}), HasSubstr("part-1':2: it has one id"));
  EXPECT_THAT(error({"1 2\n", "", "1 99999999999999999999\n"}), HasSubstr("part-2':1: an id does not fit"));
  EXPECT_THAT(error({"", "# 1 2\n"}), HasSubstr("the list in 2 files from '"));
}

TEST_F(ImportTexts, FindsTheStartBehindTextsThatSayNothing) {
  const auto [graph, report] = read({"", "# nothing\n", "from to\n1 2\n", "from to\n2 3\n"});
  EXPECT_EQ(report.edges, 2U);
  EXPECT_THAT(report.notices, ElementsAre("skipped the header 'from to': ids are integers"));
}

TEST_F(ImportTexts, AreEdgeListsOnly) {
  EXPECT_THAT(error({"1 2\n", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"}),
              HasSubstr("is a Matrix Market file; only edge lists"));
  const auto paths = write({"1 2\n"});
  EXPECT_THROW(import_graph(std::vector<std::filesystem::path>{paths[0], "-"}), Error);
  EXPECT_THROW(import_graph(std::vector<std::filesystem::path>{}), Error);
}

TEST_F(ImportTexts, MatchPatternsInTheOrderOfTheirNames) {
  write({"", "", ""});
  const std::string pattern = (folder_ / "part-[02]").string(), name = (folder_ / "part-1").string();
  const std::vector<std::string> names = {name, pattern};
  EXPECT_THAT(matching_files(names), ElementsAre(name, folder_ / "part-0", folder_ / "part-2"));
  const std::vector<std::string> none = {(folder_ / "none-*").string()};
  EXPECT_THROW(matching_files(none), Error);
  write_all(folder_ / "what?", "");
  const std::vector<std::string> odd = {(folder_ / "what?").string()};
  EXPECT_THAT(matching_files(odd), ElementsAre(odd[0])) << "a file of that name";
}

// --- what several readers have found -----------------------------------------------------------------------

class TwoReaders : public ImportTexts {
 protected:
  // The first text here, the second there.
  ListSummary summary(const std::vector<std::string>& texts, const ImportOptions& options) {
    const TextParts parts(write(texts));
    EdgeListReader here(parts, options, {}), there(parts, options, {});
    here.try_to_read(0, nullptr, {});
    there.try_to_read(1, nullptr, {});
    ListSummary all = there.summary();
    all.add(here.summary());
    try {
      here.check(all);
      error_ = "";
    } catch (const Error& e) {
      error_ = e.what();
    }
    return all;
  }
  std::string error_;
};

TEST_F(TwoReaders, AddUp) {
  const ListSummary all = summary({"1 2 3\nx\n", "y\n2 3\nann bob\n"}, {.skip_bad_lines = 2});
  EXPECT_EQ(all.edges, 3U);
  EXPECT_EQ(all.bad_lines(), 2U);
  EXPECT_EQ(all.first_bad->part, 0U);
  EXPECT_EQ(all.wide_lines, 1U);
  EXPECT_FALSE(all.all_integers);
  EXPECT_EQ(error_, "");
}

TEST_F(TwoReaders, FailAsOneWouldThatReadsInOrder) {
  summary({"1 2\nx\n", "y\n"}, {});
  EXPECT_THAT(error_, HasSubstr("part-0':2: "));
  summary({"1 2\nx\n", "y\nz\n"}, {.skip_bad_lines = 2});
  EXPECT_THAT(error_, HasSubstr("part-0':2: "));
  EXPECT_THAT(error_, HasSubstr("the first of 3 malformed lines so far; 2 may be skipped"));
  summary({"1 2\n", "%%MatrixMarket\n"}, {});
  EXPECT_THAT(error_, HasSubstr("part-1' is a Matrix Market file"));
  summary({"x\n", "%%MatrixMarket\n"}, {});
  EXPECT_THAT(error_, HasSubstr("part-0':1: "));
}

}  // namespace
}  // namespace hushwalk
