// Making and opening a ledger.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include "ledger/database.h"
#include "ledger/master_key.h"
#include "support/files.h"
#include "support/ledgers.h"

namespace hushwalk {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(LedgerFile, IsForItsOwnerOnlyAndHasItsKeyAndHeadBeside) {
  const TemporaryFolder folder;
  Ledger::create(folder / "l", karate().facts(), {});
  for (const char* name : {"l", "l.key", "l.key.head"}) {
    struct stat status{};
    ASSERT_EQ(stat((folder / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
}

TEST(LedgerFile, IsNeverReplaced) {
  const TemporaryFolder folder;
  write_all(folder / "l", "something");
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }), ErrorCode::failed);
  EXPECT_EQ(read_all(folder / "l"), "something");
}

TEST(LedgerFile, IsNotMadeBesideWhatIsLeftOfAnother) {
  const TemporaryFolder folder;
  for (const char* end : {"-wal", "-shm", "-journal"}) {
    write_all(folder / (std::string("l") + end), "charges");
    std::string message;
    EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }, &message),
              ErrorCode::failed);
    EXPECT_THAT(message, HasSubstr(std::string("l") + end));
    EXPECT_FALSE(std::filesystem::exists(folder / "l"));
    std::filesystem::remove(folder / (std::string("l") + end));
  }
}

TEST(LedgerFile, MayHoldChargesUnlessItIsSharedMemory) {
  const TemporaryFolder folder;
  for (const std::string end : {"-wal", "-shm", "-journal"}) {
    write_all(folder / ("l" + end), "left");
    std::string message;
    error_of([&] { Ledger::create(folder / "l", karate().facts(), {}); }, &message);
    EXPECT_EQ(message.find("last charges") == std::string::npos, end == "-shm") << message;
    std::filesystem::remove(folder / ("l" + end));
  }
}

// SQLite would take it for its own, and delete it.
TEST(LedgerFile, IsNotMadeUnderANameThatBelongsToAnother) {
  const TestLedger ledger;
  for (const char* end : {"-wal", "-shm", "-journal"}) {
    const std::filesystem::path name = ledger.path().parent_path() / ("other" + std::string(end));
    std::filesystem::copy_file(ledger.path(), ledger.path().parent_path() / "other",
                               std::filesystem::copy_options::overwrite_existing);
    std::string message;
    EXPECT_EQ(error_of([&] { Ledger::create(name, ledger.graph().facts(), {}); }, &message),
              ErrorCode::usage);
    EXPECT_THAT(message, HasSubstr("belongs to a ledger"));
    EXPECT_FALSE(std::filesystem::exists(name));
  }
}

TEST(LedgerFile, ThatIsMissingIsLookedForFirst) {
  const TemporaryFolder folder;
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger ledger(folder / "l"); }, &message), ErrorCode::failed);
  EXPECT_LT(message.find("Check the path, and that its disk is mounted"), message.find("make one"));
  EXPECT_THAT(message, HasSubstr("count from zero"));
}

TEST(LedgerFile, MayNotBeALinkNorMissingNorSomethingElse) {
  const TemporaryFolder folder;
  Ledger::create(folder / "l", karate().facts(), {});
  std::filesystem::create_symlink(folder / "l", folder / "link");
  write_all(folder / "text",
            "not a ledger at all, but long enough to have a first page" + std::string(200, ' '));
  write_all(folder / "empty", "");
  std::string message;
  for (const char* name : {"link", "text", "empty", "missing", ""}) {
    EXPECT_EQ(error_of([&] { Ledger ledger(folder / name); }, &message), ErrorCode::failed) << name;
    EXPECT_FALSE(message.empty());
  }
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "link", karate().facts(), {}); }), ErrorCode::failed);
}

TEST(LedgerFile, OfANewerVersionIsNotTouched) {
  TestLedger ledger;
  ledger::Database::open(ledger.path()).execute("PRAGMA user_version = 99");
  std::string message;
  EXPECT_EQ(error_of([&] { Ledger again(ledger.path()); }, &message), ErrorCode::failed);
  EXPECT_THAT(message, HasSubstr("version 99"));
}

TEST(LedgerFile, NeedsABudgetOfAtLeastOneUnit) {
  const TemporaryFolder folder;
  expect_refused([&] { Ledger::create(folder / "l", karate().facts(), {.epsilon = Epsilon(1e-10)}); },
                 "smallest unit");
  EXPECT_EQ(error_of([&] { Ledger::create(folder / "l", public_facts(34), {}); }), ErrorCode::usage);
}

}  // namespace
}  // namespace hushwalk
