// The key in its file.
#include "ledger/master_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/files.h"
#include "support/said_by.h"
#include "support/temporary.h"

namespace hushwalk::ledger {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::said_by;
using testing::TemporaryFolder;
using testing::write_all;

TEST(KeyFile, ThatCannotBeLookedAtIsNotTakenForLost) {
  const TemporaryFolder folder;
  EXPECT_FALSE(key_exists(folder / "none"));
  EXPECT_FALSE(key_exists(folder / "none" / "k"));
  write_all(folder / "key", "");
  EXPECT_TRUE(key_exists(folder / "key"));
  EXPECT_FALSE(key_exists(folder / "key" / "k"));
  fs::create_symlink("loop", folder / "loop");
  for (const fs::path& path : {folder / "loop", folder / std::string(300, 'k')}) {
    EXPECT_THAT(said_by([&] { key_exists(path); }, ErrorCode::failed), HasSubstr("cannot look at the key"));
    EXPECT_THAT(said_by([&] { MasterKey key(path); }, ErrorCode::failed),
                HasSubstr("cannot look at the key"));
  }
  EXPECT_THAT(said_by([&] { MasterKey key(folder / "none"); }), HasSubstr("is not there"));
}

TEST(KeyFile, IsNotMadeWhereItsUnfinishedNameIsTooLong) {
  const TemporaryFolder folder;
  const fs::path key = folder / std::string(250, 'k');
  EXPECT_THAT(said_by([&] { save_new_key(key, "id"); }, ErrorCode::failed), HasSubstr("cannot write"));
  EXPECT_FALSE(key_exists(key));
}

}  // namespace
}  // namespace hushwalk::ledger
