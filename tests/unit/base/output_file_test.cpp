#include "hushwalk/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "base/fail.h"
#include "base/files.h"
#include "support/files.h"
#include "support/graphs.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::read_all;
using testing::TemporaryFolder;
using testing::write_all;

// The first bytes of files, as docs/formats.md and SQLite's page on its format have them.
std::string sqlite(const std::string& application_id) {
  std::string header = std::string("SQLite format 3\0", 16) + std::string(84, '\0');
  return header.replace(68, 4, application_id);
}
const std::string ledger = sqlite("Hush"), database = sqlite("Mine"), graph = "\x89HWG\r\n\x1A\n rest",
                  artefact = R"({"kind":"hushwalk shared artefact","format":1})";

class WritingOver : public ::testing::Test {
 protected:
  // What is said when `name` is to be replaced; the file must then be as it was.
  std::string error(const std::string& name, FileKind kind) {
    const bool was_there = fs::exists(folder_ / name);
    const std::string before = read_all(folder_ / name);
    try {
      write(name, kind);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::usage);
      EXPECT_EQ(fs::exists(folder_ / name), was_there);
      EXPECT_EQ(read_all(folder_ / name), before);
      return e.what();
    }
    return "";
  }

  void write(const std::string& name, FileKind kind, Permissions permissions = {}) {
    OutputFile file(folder_ / name, kind, permissions);
    file.write("new");
    file.commit();
  }

  unsigned mode(const std::string& name) {
    return static_cast<unsigned>(fs::status(folder_ / name).permissions());
  }

  TemporaryFolder folder_;
};

constexpr FileKind all_kinds[] = {FileKind::text, FileKind::graph, FileKind::artefact};

TEST_F(WritingOver, NeverReplacesALedger) {
  write_all(folder_ / "L", ledger);
  fs::create_symlink("L", folder_ / "link");
  fs::create_hard_link(folder_ / "L", folder_ / "other-name");
  for (const FileKind kind : all_kinds)
    for (const char* name : {"L", "link", "other-name"})
      EXPECT_THAT(error(name, kind), HasSubstr("would replace a ledger")) << name;
}

TEST_F(WritingOver, NeverReplacesWhatBelongsToALedger) {
  write_all(folder_ / "L", ledger);
  write_all(folder_ / "L-wal", "");
  for (const FileKind kind : all_kinds)
    for (const char* name : {"L-wal", "L-shm", "L-journal"})
      EXPECT_THAT(error(name, kind), AllOf(HasSubstr("belongs to a ledger"), HasSubstr("L'"))) << name;
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  EXPECT_THROW(OutputFile::check("L-wal", FileKind::text), Error) << "relative names, too";
  fs::current_path(before);
  EXPECT_EQ(error("M-wal", FileKind::text), "") << "there is no M";
}

TEST_F(WritingOver, NeverStandsInThePlaceOfNotesOnAGraph) {
  write_all(folder_ / "g.hwg", graph);
  for (const FileKind kind : all_kinds)
    EXPECT_THAT(error("g.hwg.meta", kind), HasSubstr("in the place of the notes on the graph file"));
  EXPECT_EQ(error("g.hwg.meta", FileKind::notes), "");
  EXPECT_EQ(error("h.hwg.meta", FileKind::text), "") << "there is no such graph";
}

TEST_F(WritingOver, ReplacesItsOwnKindOnly) {
  write_all(folder_ / "text", "seed,rank\n1,2\n");
  write_all(folder_ / "graph", graph);
  write_all(folder_ / "artefact", artefact);
  for (const FileKind kind : all_kinds)
    for (const auto& [name, own] : {std::pair("text", FileKind::text), std::pair("graph", FileKind::graph),
                                    std::pair("artefact", FileKind::artefact)}) {
      if (kind == own) continue;
      EXPECT_THAT(error(name, kind), HasSubstr("would replace a")) << name;
    }
  EXPECT_EQ(error("text", FileKind::text), "");
  EXPECT_EQ(error("graph", FileKind::graph), "");
  EXPECT_EQ(error("artefact", FileKind::artefact), "");
}

TEST_F(WritingOver, LeavesFilesOfOthersAlone) {
  write_all(folder_ / "database", database);
  write_all(folder_ / "zip", "PK\x03\x04");
  for (const FileKind kind : all_kinds) {
    EXPECT_THAT(error("database", kind), HasSubstr("a database"));
    EXPECT_THAT(error("database-wal", kind), HasSubstr("belongs to a database"));
    EXPECT_THAT(error("zip", kind), HasSubstr("another program"));
  }
}

TEST_F(WritingOver, ReplacesAnEmptyFile) {
  for (const FileKind kind : all_kinds) {
    write_all(folder_ / "empty", "");
    EXPECT_EQ(error("empty", kind), "");
    fs::remove(folder_ / "empty");
  }
}

TEST_F(WritingOver, LooksAgainAfterTheWork) {
  OutputFile file(folder_ / "L", FileKind::text);
  write_all(folder_ / "L", ledger);
  EXPECT_THROW(file.commit(), Error);
  EXPECT_EQ(read_all(folder_ / "L"), ledger);
}

TEST_F(WritingOver, KnowsRealGraphFiles) {
  testing::path4().save(folder_ / "g.hwg");
  testing::path4().save(folder_ / "g.hwg");
  EXPECT_THAT(error("g.hwg", FileKind::text), HasSubstr("a graph file"));
}

TEST_F(WritingOver, SaysWhatASymbolicLinkInACircleIs) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");
  try {
    write("a", FileKind::text);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("cannot write"), HasSubstr("symbolic links")));
  }
}

// Whoever may write into the folder puts a link there, before or after the look at it.
TEST_F(WritingOver, FollowsNoLinkWhereLinksAreRefused) {
  write_all(folder_ / "elsewhere", "mine");
  {
    OutputFile file(folder_ / "answer", FileKind::text, {}, Links::refuse);
    file.write("answer");
    fs::create_symlink("elsewhere", folder_ / "answer");
    file.commit();
  }
  EXPECT_FALSE(fs::is_symlink(folder_ / "answer"));
  EXPECT_EQ(read_all(folder_ / "answer"), "answer");
  EXPECT_EQ(read_all(folder_ / "elsewhere"), "mine");
  fs::create_symlink("elsewhere", folder_ / "linked");
  fs::create_symlink("nowhere", folder_ / "dangling");
  for (const char* name : {"linked", "dangling"})
    EXPECT_THROW(OutputFile::check(folder_ / name, FileKind::text, Links::refuse), Error) << name;
  EXPECT_EQ(read_all(folder_ / "elsewhere"), "mine");
}

TEST_F(WritingOver, IsForTheOwnerOnlyUnlessPublishable) {
  const mode_t before = umask(022);
  write("secret", FileKind::text);
  write("public", FileKind::text, publishable);
  write("exact", FileKind::text, {.bits = 0664, .exact = true});
  EXPECT_EQ(mode("secret"), 0600U);
  EXPECT_EQ(mode("public"), 0644U);
  EXPECT_EQ(mode("exact"), 0664U) << "whatever the umask";
  fs::permissions(folder_ / "public", fs::perms(0640));
  write("public", FileKind::text, publishable);
  EXPECT_EQ(mode("public"), 0640U) << "a file that is replaced passes on its permissions";
  write("public", FileKind::text, {.bits = 0600, .exact = true});
  EXPECT_EQ(mode("public"), 0600U);
  umask(before);
}

TEST_F(WritingOver, GetsNoPermissionsFromAFileOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  write_all(folder_ / "f", "text");
  fs::permissions(folder_ / "f", fs::perms(0666));
  ASSERT_EQ(chown((folder_ / "f").c_str(), 65534, static_cast<gid_t>(-1)), 0);
  write("f", FileKind::text);
  EXPECT_EQ(mode("f"), 0600U);
}

// --- several processes -------------------------------------------------------------------------------------

TEST(FileForOthers, IsWrittenByAllAndAppearsWhole) {
  for (const bool on_this_host : {true, false}) {
    const TemporaryFolder folder;
    OutputFile file(folder / "f", FileKind::text);
    file.set_size(6);
    const std::string name = file.names_for_others(on_this_host).at(0);
    const FileHandle other = open_for_writing(name);
    const std::string theirs = "def", mine = "abc";
    write_at(other.get(), name, 3, std::as_bytes(std::span(theirs)));
    file.write_at(0, std::as_bytes(std::span(mine)));
    EXPECT_FALSE(fs::exists(folder / "f"));
    file.commit();
    EXPECT_EQ(read_all(folder / "f"), "abcdef");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "no other name is left";
  }
}

TEST(FileForOthers, LeavesNothingWhenItIsGivenUp) {
  for (const bool on_this_host : {true, false}) {
    const TemporaryFolder folder;
    static_cast<void>(OutputFile(folder / "f", FileKind::text).names_for_others(on_this_host));
    EXPECT_TRUE(fs::is_empty(folder.path()));
  }
}

}  // namespace
}  // namespace hushwalk
