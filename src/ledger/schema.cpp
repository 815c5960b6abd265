// `entry` is the truth: a hash chain of all that happened. `document` holds what was released. The other
// tables say what the entries say, for quick look-up; apply() alone writes them and verify() makes them
// again.
#include "ledger/schema.h"

#include <array>

#include "base/fail.h"

namespace hushwalk::ledger {
namespace {

constexpr int application_id = 0x48757368;  // "Hush"

constexpr const char* version_1 = R"(
CREATE TABLE entry(
  sequence INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;

CREATE TABLE terms(
  ledger_id TEXT PRIMARY KEY, units INTEGER NOT NULL, delta REAL, rdp_order REAL NOT NULL,
  recipient_units INTEGER, recipient_order REAL NOT NULL) STRICT;
CREATE TABLE graph(id TEXT PRIMARY KEY, entry INTEGER NOT NULL REFERENCES entry) STRICT;
CREATE TABLE owner(node TEXT PRIMARY KEY, recipient TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE source(
  key TEXT PRIMARY KEY, units INTEGER NOT NULL, rdp REAL NOT NULL, recipient_rdp REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE payment(
  source TEXT NOT NULL REFERENCES source, recipient TEXT NOT NULL, PRIMARY KEY(source, recipient)) STRICT, WITHOUT ROWID;
CREATE TABLE account(
  recipient TEXT PRIMARY KEY, units INTEGER NOT NULL, rdp REAL NOT NULL, releases INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE answer(
  key TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES source, plan TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE request(key TEXT PRIMARY KEY, answer TEXT NOT NULL REFERENCES answer) STRICT, WITHOUT ROWID;
CREATE TABLE stored(
  name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, entry INTEGER NOT NULL REFERENCES entry) STRICT, WITHOUT ROWID;

CREATE TABLE document(name TEXT PRIMARY KEY REFERENCES stored, content BLOB NOT NULL) STRICT;
)";

// What brings a ledger of version i + 1 to version i + 2.
constexpr std::array<const char*, schema_version - 1> migrations{};

}  // namespace

void make_schema(const Database& database) {
  database.execute(version_1);
  for (const char* migration : migrations) database.execute(migration);
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, schema_version)
          .c_str());
}

void check_schema(const Database& database, const std::string& name) {
  if (database.integer("PRAGMA application_id") != application_id) fail("'{}' is not a ledger", name);
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (version > schema_version)
    fail("the ledger '{}' has version {}, and this program knows {}: use a newer one", name, version,
         schema_version);
  if (version < 1) fail("'{}' is not a ledger: it has no version", name);
  if (version == schema_version) return;
  Transaction transaction(database, Transaction::Kind::writing);
  for (auto at = static_cast<std::size_t>(database.integer("PRAGMA user_version")); at < schema_version; ++at)
    database.execute(migrations.at(at - 1));
  database.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
  transaction.commit();
}

}  // namespace hushwalk::ledger
