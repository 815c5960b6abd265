#include "base/split_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

#include "base/fail.h"
#include "hushwalk/output_file.h"
#include "support/files.h"
#include "support/said_by.h"
#include "support/temporary.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::read_all;
using testing::said_by;
using testing::TemporaryFolder;
using testing::write_all;

// Bytes of a graph file, as far as its kind goes, of three parts and a bit.
std::string graph_bytes() {
  std::string bytes = "\x89HWG\r\n\x1A\n";
  while (bytes.size() < 3 * part_unit + 100) bytes += std::to_string(bytes.size());
  return bytes;
}

class Parts : public ::testing::Test {
 protected:
  void write(const std::string& name, std::size_t parts, Permissions permissions = {}) {
    OutputFile file(folder_ / name, FileKind::graph, permissions, Links::follow, parts);
    file.set_size(bytes_.size());
    // Across every cut.
    for (std::size_t at = 0; at < bytes_.size(); at += 50'000)
      file.write_at(
          at,
          std::as_bytes(std::span(bytes_)).subspan(at, std::min<std::size_t>(50'000, bytes_.size() - at)));
    file.commit();
  }
  std::string whole(const std::string& name) {
    std::string bytes;
    for (std::size_t i = 0; fs::exists(folder_ / name / part_name(i)); ++i)
      bytes += read_all(folder_ / name / part_name(i));
    return bytes;
  }
  std::size_t names_in(const fs::path& path) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {}));
  }
  unsigned mode(const std::string& name) {
    return static_cast<unsigned>(fs::status(folder_ / name).permissions());
  }
  TemporaryFolder folder_;
  std::string bytes_ = graph_bytes();
};

TEST_F(Parts, TogetherAreTheFile) {
  for (const std::size_t parts : {1, 2, 3, 4, 256}) {
    write("f", parts);
    EXPECT_EQ(whole("f"), bytes_) << parts;
    EXPECT_EQ(names_in(folder_ / "f"), parts == 3 ? 2 : std::min<std::size_t>(parts, 4))
        << "none is shorter than it may be";
    const MappedFile map(open_parts(folder_ / "f"));
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size()), bytes_);
    std::string some(2 * part_unit, '\0');
    map.read(1000, std::as_writable_bytes(std::span(some)));
    EXPECT_EQ(some, bytes_.substr(1000, some.size()));
    EXPECT_THAT(said_by([&] { map.read(bytes_.size() - 5, std::as_writable_bytes(std::span(some))); }),
                HasSubstr("ends too early"));
  }
  EXPECT_THAT(said_by([&] { write("f", most_parts + 1); }), HasSubstr("at most 256"));
}

TEST_F(Parts, AppearTogetherOrNotAtAll) {
  for (const bool on_this_host : {true, false}) {
    OutputFile file(folder_ / "f", FileKind::graph, {}, Links::follow, 4);
    file.set_size(bytes_.size());
    EXPECT_EQ(file.part_size(), part_unit);
    const auto names = file.names_for_others(on_this_host);
    EXPECT_EQ(names.size(), 4U);
    EXPECT_EQ(names_in(folder_.path()), on_this_host ? 0U : 1U)
        << "a killed process leaves nothing if it can";
    EXPECT_FALSE(fs::exists(folder_ / "f"));
    std::vector<FileHandle> files;
    for (const std::string& name : names) files.push_back(open_for_writing(name));
    const SplitFile others(folder_ / "f", true, std::move(files), file.part_size());
    others.write_at(0, std::as_bytes(std::span(bytes_)));
    others.sync();
    if (!on_this_host) continue;  // given up
    file.commit();
    EXPECT_EQ(whole("f"), bytes_);
    fs::remove_all(folder_ / "f");
  }
  EXPECT_EQ(names_in(folder_.path()), 0U);
}

TEST_F(Parts, AreForTheirOwnerUnlessAnotherModeIsGiven) {
  const auto before = umask(022);
  write("f", 4);
  EXPECT_EQ(mode("f"), 0700U);
  EXPECT_EQ(mode("f/part-3"), 0600U);
  write("f", 4, {.bits = 0640, .exact = true});
  EXPECT_EQ(mode("f"), 0750U);
  EXPECT_EQ(mode("f/part-3"), 0640U);
  write("f", 3);
  EXPECT_EQ(mode("f"), 0750U) << "what is replaced passes on its permissions";
  EXPECT_EQ(mode("f/part-0"), 0640U);
  write("f", 0);
  EXPECT_EQ(mode("f"), 0640U);
  write("f", 2);
  EXPECT_EQ(mode("f"), 0750U);
  umask(before);
}

TEST_F(Parts, PassOnWhatTheFolderAndAllPartsAllow) {
  write("f", 4);
  fs::permissions(folder_ / "f", fs::perms(0755));
  write("f", 4, publishable);
  EXPECT_EQ(mode("f"), 0700U);
  for (const char* part : {"f/part-0", "f/part-3"}) EXPECT_EQ(mode(part), 0600U) << part;
  write("f", 4, {.bits = 0644, .exact = true});
  fs::permissions(folder_ / "f/part-2", fs::perms(0640));
  write("f", 4);
  EXPECT_EQ(mode("f"), 0750U);
  EXPECT_EQ(mode("f/part-0"), 0640U);
  fs::permissions(folder_ / "f", fs::perms(0700));
  write("f", 0);
  EXPECT_EQ(mode("f"), 0600U) << "nobody else could reach them";
}

// Nobody but root may open a file again for writing whose owner may only read it.
TEST_F(Parts, AreWrittenByOthersOfTheirOwnerUntilTheyAreDone) {
  for (const std::size_t parts : {0, 4}) {
    fs::remove_all(folder_ / "f");
    write("f", parts, {.bits = 0440, .exact = true});
    OutputFile file(folder_ / "f", FileKind::graph, {}, Links::follow, parts);
    file.set_size(bytes_.size());
    for (const std::string& name : file.names_for_others(true))
      EXPECT_EQ(static_cast<unsigned>(fs::status(name).permissions()), 0600U);
    file.write_at(0, std::as_bytes(std::span(bytes_)));
    file.commit();
    EXPECT_EQ(mode(parts == 0 ? "f" : "f/part-3"), 0440U);
    EXPECT_EQ(mode("f"), parts == 0 ? 0440U : 0750U) << "the owner of a folder may always remove it";
  }
}

// As another user than root, whom permissions do not bind.
TEST_F(Parts, OfAFolderThatIsNotToBeWrittenAreRemoved) {
  write("f", 4);
  fs::permissions(folder_ / "f", fs::perms(0500));
  const uid_t before = geteuid(), user = before == 0 ? 65534 : before;
  for (const char* name : {".", "f", "f/part-0", "f/part-1", "f/part-2", "f/part-3"})
    ASSERT_EQ(chown((folder_ / name).c_str(), user, static_cast<gid_t>(-1)), 0);
  ASSERT_EQ(seteuid(user), 0);
  const std::string said = said_by([&] { write("f", 2); });
  const std::size_t left = names_in(folder_.path());
  ASSERT_EQ(seteuid(before), 0);
  EXPECT_EQ(said, "");
  EXPECT_EQ(left, 1U);
  EXPECT_EQ(mode("f"), 0700U);
}

TEST_F(Parts, ThatMayNotAllBeOpenLeaveNothing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 64, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::string said = said_by([&] { write("f", 200); });
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_THAT(said, HasSubstr("ulimit -n"));
  EXPECT_EQ(names_in(folder_.path()), 0U);
}

TEST_F(Parts, AreTheOldOnesOrTheNewForWhoeverReadsMeanwhile) {
  write("f", 4);
  std::atomic<int> opened = 0;
  std::atomic<bool> done = false;
  std::string said;
  std::thread reader([&] {
    for (; !done; ++opened)
      if (const std::string error = said_by([&] { open_parts(folder_ / "f"); }); !error.empty()) said = error;
  });
  // Never two within one reading.
  for (int i = 0; i < 40; ++i) {
    write("f", i % 2 == 0 ? 2 : 4);
    for (const int before = opened; opened < before + 2;) std::this_thread::yield();
  }
  done = true;
  reader.join();
  EXPECT_EQ(said, "");
}

TEST_F(Parts, AreNotTooMany) {
  fs::create_directory(folder_ / "f");
  for (std::size_t i = 0; i <= most_parts; ++i) write_all(folder_ / "f" / part_name(i), "x");
  EXPECT_THAT(said_by([&] { open_parts(folder_ / "f"); }), HasSubstr("more than 256 files"));
}

// Where files without content may be so long: in memory.
TEST(HugeParts, AreNotLongerThanAFile) {
  const fs::path folder = fmt::format("/dev/shm/hushwalk-test-{}", getpid());
  std::error_code error;
  fs::create_directory(folder, error);
  for (std::size_t i = 0; i < 4 && !error; ++i)
    fs::resize_file(write_all(folder / part_name(i), ""), std::uintmax_t{1} << 62U, error);
  const std::string said = error ? "" : said_by([&] { open_parts(folder); });
  std::error_code none;
  fs::remove_all(folder, none);
  if (error) GTEST_SKIP() << "no file system for files of this size";
  EXPECT_THAT(said, HasSubstr("longer than any file"));
}

TEST_F(Parts, ReplaceGraphFilesOnly) {
  write("f", 0);
  write("f", 4);
  EXPECT_EQ(whole("f"), bytes_);
  write("f", 0);
  EXPECT_EQ(read_all(folder_ / "f"), bytes_);
  write_all(folder_ / "ledger", std::string("SQLite format 3\0", 16) + std::string(52, '\0') + "Hush");
  write_all(folder_ / "text", "a text");
  fs::create_directory(folder_ / "empty");
  fs::create_directory(folder_ / "folder");
  write_all(folder_ / "folder" / "part-0", bytes_);
  write_all(folder_ / "folder" / "mine", "x");
  fs::create_directory(folder_ / "texts");
  write_all(folder_ / "texts" / "part-0", "a text");
  for (const char* name : {"ledgers", "keys", "heads", "artefacts", "graphs", "hollow"}) {
    fs::create_directory(folder_ / name);
    write_all(folder_ / name / "part-0", std::string(name) == "hollow" ? "" : bytes_);
  }
  write_all(folder_ / "ledgers" / "part-1", read_all(folder_ / "ledger"));
  write_all(folder_ / "keys" / "part-7", "hushwalk ledger key 1");
  write_all(folder_ / "heads" / "part-1", "hushwalk-head 1");
  write_all(folder_ / "artefacts" / "part-1", R"({"kind":"hushwalk shared artefact"})");
  write_all(folder_ / "graphs" / "part-1", bytes_);
  write_all(folder_ / "hollow" / "part-1", "mine");
  for (const char* name : {"ledger", "text", "texts", "ledgers", "keys", "heads", "artefacts", "graphs"})
    for (const std::size_t parts : {0, 4})
      EXPECT_THAT(said_by([&] { write(name, parts); }), HasSubstr("would replace")) << name;
  for (const char* name : {"empty", "folder", "hollow"})
    for (const std::size_t parts : {0, 4})
      EXPECT_THAT(said_by([&] { write(name, parts); }), HasSubstr("is not a regular file")) << name;
  EXPECT_EQ(read_all(folder_ / "folder" / "mine"), "x");
  EXPECT_EQ(read_all(folder_ / "hollow" / "part-1"), "mine");
  EXPECT_EQ(names_in(folder_.path()), 12U);
}

TEST_F(Parts, AreNotReplacedByWhatIsReadFromThem) {
  write("f", 4);
  fs::create_symlink("f/part-1", folder_ / "link");
  for (const char* name : {"f", "f/part-1", "f/../f/part-2", "link"})
    EXPECT_THAT(said_by([&] { check_not_replaced({(folder_ / name).string()}, folder_ / "f"); }),
                HasSubstr("would replace the input"))
        << name;
  write_all(folder_ / "text", "1 2");
  const std::vector<std::string> others = {(folder_ / "text").string(), "", "-", (folder_ / "none").string()};
  EXPECT_EQ(said_by([&] { check_not_replaced(others, folder_ / "f"); }), "");
  EXPECT_EQ(said_by([&] { check_not_replaced(others, folder_.path()); }), "") << "it is not replaced at all";
}

TEST_F(Parts, AreNotWrittenInto) {
  write("f", 4);
  for (const FileKind kind : {FileKind::text, FileKind::graph, FileKind::artefact, FileKind::notes})
    for (const char* name : {"f/part-0", "f/part-1", "f/new"})
      EXPECT_NE(said_by([&] { OutputFile::check(folder_ / name, kind); }), "") << name;
  EXPECT_THAT(said_by([&] { OutputFile::check(folder_ / "f" / "new", FileKind::text); }),
              HasSubstr("among the parts"));
  EXPECT_THAT(said_by([&] { OutputFile::check(folder_ / "f", FileKind::text); }),
              HasSubstr("is not a regular file"));
  EXPECT_THAT(said_by([&] { OutputFile::check(folder_ / "f.meta", FileKind::text); }),
              HasSubstr("the notes on"));
  EXPECT_EQ(whole("f"), bytes_);
}

}  // namespace
}  // namespace hushwalk
