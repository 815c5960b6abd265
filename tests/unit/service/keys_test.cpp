// Who may ask: what is kept of a key, and when it opens nothing.
#include "service/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "hushwalk/error.h"
#include "support/files.h"
#include "support/temporary.h"

namespace hushwalk::service {
namespace {

using hushwalk::testing::TemporaryFolder;
using ::testing::HasSubstr;

constexpr const char *before_it = "2030-01-01T00:00:00Z", *its_end = "2030-01-02T00:00:00Z",
                     *after_it = "2030-01-03T00:00:00Z";

AccessKey wanted_analyst() {
  return {.name = "ana", .role = Role::analyst, .graphs = {"karate"}, .expires = its_end};
}

std::string why_no_key(const AccessKey& wanted) {
  const TemporaryFolder folder;
  try {
    KeyStore(folder / "keys.db").add(wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "it was made";
}

void execute(const std::filesystem::path& file, const char* text) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, text, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST(Keys, AreHashedWhereTheyLie) {
  const TemporaryFolder folder;
  const NewKey made = KeyStore(folder / "keys.db").add(wanted_analyst());
  EXPECT_EQ(made.key.size(), 3U + 64U);
  EXPECT_EQ(made.made.sha256, digest_of(made.key));
  EXPECT_EQ(hushwalk::testing::read_all(folder / "keys.db").find(made.key), std::string::npos);
  struct stat status{};
  ASSERT_EQ(stat((folder / "keys.db").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(Keys, ThatWereReadAgainAreTheSame) {
  const TemporaryFolder folder;
  AccessKey wanted{.name = "Ann", .role = Role::owner, .graphs = {"friends"}, .seeds = {"ann", "Ann <2>"}};
  wanted.recipient = "Ann & Co";
  wanted.per_minute = 7;
  wanted.expires = its_end;
  const NewKey made = KeyStore(folder / "keys.db").add(wanted);
  const std::vector<AccessKey> all = KeyStore(folder / "keys.db").all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(key_json(all[0]), key_json(made.made));
  EXPECT_EQ(all[0].sha256, made.made.sha256);
  EXPECT_EQ(all[0].seeds, wanted.seeds);
}

TEST(Keys, OpenUntilTheirEndAndNotFromThenOn) {
  const TemporaryFolder folder;
  KeyStore store(folder / "keys.db");
  const NewKey made = store.add(wanted_analyst());
  const KeyRing ring(store.all());
  ASSERT_TRUE(ring.find("Bearer " + made.key, before_it));
  EXPECT_EQ(ring.find("Bearer " + made.key, before_it)->id, made.made.id);
  EXPECT_FALSE(ring.find("Bearer " + made.key, its_end));
  EXPECT_FALSE(ring.find("Bearer " + made.key, after_it));
}

TEST(Keys, ThatAreRevokedOpenNothingAndAreRevokedOnce) {
  const TemporaryFolder folder;
  KeyStore store(folder / "keys.db");
  const NewKey gone = store.add(wanted_analyst()), stays = store.add(wanted_analyst());
  EXPECT_TRUE(store.revoke(gone.made.id));
  EXPECT_FALSE(store.revoke(gone.made.id));
  EXPECT_FALSE(store.revoke("unknown"));
  const KeyRing ring(store.all());
  EXPECT_FALSE(ring.find("Bearer " + gone.key, before_it));
  EXPECT_TRUE(ring.find("Bearer " + stays.key, before_it));
}

TEST(Keys, AreFoundByTheWholeHeaderOnly) {
  const TemporaryFolder folder;
  KeyStore store(folder / "keys.db");
  const std::string key = store.add(wanted_analyst()).key;
  const KeyRing ring(store.all());
  for (const std::string& header :
       {std::string(), std::string("Bearer "), key, "bearer " + key, "Basic " + key, "Bearer  " + key,
        "Bearer " + key + " ", "Bearer " + key.substr(0, key.size() - 1), "Bearer " + key + "0"})
    EXPECT_FALSE(ring.find(header, before_it)) << header;
}

TEST(Keys, OpenWhatTheyNameAndAdminsEverything) {
  AccessKey owner{.role = Role::owner, .graphs = {"friends"}, .seeds = {"17"}};
  EXPECT_TRUE(owner.opens("friends") && !owner.opens("friend") && !owner.opens(""));
  EXPECT_TRUE(owner.owns("17") && !owner.owns("1") && !owner.owns(""));
  owner.every_seed = true;
  EXPECT_TRUE(owner.owns("1"));
  owner.role = Role::analyst;
  EXPECT_FALSE(owner.owns("17"));
  const AccessKey admin{.role = Role::admin};
  EXPECT_TRUE(admin.opens("friends") && !admin.owns("17"));
}

TEST(Keys, ThatMakeNoSenseAreNotMade) {
  AccessKey key = wanted_analyst();
  EXPECT_EQ(why_no_key(key), "it was made");
  key.name = "";
  EXPECT_THAT(why_no_key(key), HasSubstr("printable name"));
  key.name = "two\nlines";
  EXPECT_THAT(why_no_key(key), HasSubstr("printable name"));
  key.name = "no UTF-8 \xff";
  EXPECT_THAT(why_no_key(key), HasSubstr("printable name"));
  key = wanted_analyst();
  key.per_minute = 0;
  EXPECT_THAT(why_no_key(key), HasSubstr("times a minute"));
  key = wanted_analyst();
  key.seeds = {"1"};
  EXPECT_THAT(why_no_key(key), HasSubstr("has no seeds"));
  key.role = Role::admin;
  EXPECT_THAT(why_no_key(key), HasSubstr("give it no graph"));
  key.role = Role::owner;
  EXPECT_EQ(why_no_key(key), "it was made");
  key.seeds = {"no UTF-8 \xff"};
  key.recipient = "Ann";
  EXPECT_THAT(why_no_key(key), HasSubstr("UTF-8"));
  key.seeds.clear();
  EXPECT_THAT(why_no_key(key), HasSubstr("the seeds in it that are theirs"));
}

TEST(Keys, AreCompletedWithWhoPays) {
  const TemporaryFolder folder;
  KeyStore store(folder / "keys.db");
  EXPECT_EQ(store.add(wanted_analyst()).made.recipient, "ana");
  const AccessKey one{.name = "x", .role = Role::owner, .graphs = {"g"}, .seeds = {"17"}};
  EXPECT_EQ(store.add(one).made.recipient, "17");
}

TEST(Keys, EndBetweenADayAndTenYearsFromNow) {
  EXPECT_LT(expiry_in_days(1), expiry_in_days(2));
  EXPECT_THROW(expiry_in_days(0), Error);
  EXPECT_THROW(expiry_in_days(3'651), Error);
}

TEST(Keys, MadeByAnotherProcessAlterTheVersion) {
  const TemporaryFolder folder;
  KeyStore store(folder / "keys.db");
  const std::int64_t before = store.version();
  EXPECT_EQ(store.version(), before);
  KeyStore(folder / "keys.db").add(wanted_analyst());
  EXPECT_NE(store.version(), before);
}

TEST(Keys, OfADamagedFileAreAnErrorOfTheService) {
  const TemporaryFolder folder;
  KeyStore store(folder / "keys.db");
  store.add(wanted_analyst());
  execute(folder / "keys.db", "UPDATE access_key SET graphs = '[' ");
  EXPECT_THROW(store.all(), Error);
  execute(folder / "keys.db", "DROP TABLE access_key");
  EXPECT_THROW(store.all(), Error);
}

}  // namespace
}  // namespace hushwalk::service
