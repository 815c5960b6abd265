#include "base/growing_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

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

class Growing : public ::testing::Test {
 protected:
  // What its permissions are when it has been opened, where it held this before, with these.
  unsigned opened(const std::string& content, unsigned before, Permissions wanted) {
    write_all(path_, content);
    fs::permissions(path_, fs::perms(before));
    EXPECT_TRUE(GrowingFile(path_, wanted, Links::refuse).mine());
    EXPECT_EQ(read_all(path_), content);
    return static_cast<unsigned>(fs::status(path_).permissions());
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "f";
};

TEST_F(Growing, AnEmptyFileIsReadByNobodyWhoMayNotReadANewOne) {
  EXPECT_EQ(opened("", 0666, {.bits = 0600}), 0600U);
  EXPECT_EQ(opened("", 06777, {.bits = 0640}), 0640U);
  EXPECT_EQ(opened("", 0400, {.bits = 0640}), 0400U) << "nor more people than before";
  EXPECT_EQ(opened("", 0666, {.bits = 0664, .exact = true}), 0664U);
}

TEST_F(Growing, ARunThatIsTakenUpKeepsThePermissionsThatItBeganWith) {
  EXPECT_EQ(opened("begun\n", 0640, {.bits = 0600}), 0640U);
  EXPECT_EQ(opened("begun\n", 0640, {.bits = 0600, .exact = true}), 0600U);
}

TEST_F(Growing, AFileThatAnotherRunWritesIsLeftAlone) {
  write_all(path_, "");
  const GrowingFile first(path_, {.bits = 0640, .exact = true}, Links::refuse);
  EXPECT_FALSE(GrowingFile(path_, {.bits = 0600, .exact = true}, Links::refuse).mine());
  EXPECT_EQ(static_cast<unsigned>(fs::status(path_).permissions()), 0640U);
}

TEST_F(Growing, NothingIsWrittenIntoAFileOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  for (const char* content : {"", "begun\n"})
    for (const bool exact : {false, true}) {
      write_all(path_, content);
      fs::permissions(path_, fs::perms(0666));
      ASSERT_EQ(chown(path_.c_str(), 65534, static_cast<gid_t>(-1)), 0);
      const auto open = [&] { GrowingFile(path_, {.bits = 0600, .exact = exact}, Links::refuse); };
      EXPECT_THAT(said_by(open, ErrorCode::failed), HasSubstr("belongs to another user"));
      EXPECT_EQ(read_all(path_), content);
      EXPECT_EQ(static_cast<unsigned>(fs::status(path_).permissions()), 0666U);
    }
}

}  // namespace
}  // namespace hushwalk
