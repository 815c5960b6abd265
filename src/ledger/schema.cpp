// `entry` is the truth: a hash chain of all that happened. What an entry is found by is computed from its
// body by SQLite itself, so that nothing has to be kept in step. `head` has the hash of the last one: entries
// cut off at the end would not be missed otherwise. `document` holds what was released, whose SHA-256 is in
// an entry.
#include "ledger/schema.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/fail.h"
#include "ledger/damage.h"
#include "ledger/ledger_impl.h"
#include "ledger/replay.h"

namespace hushwalk::ledger {
namespace {

constexpr int application_id = 0x48757368;  // "Hush"

constexpr auto statements = std::to_array<const char*>({
    R"(CREATE TABLE entry(
  sequence INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL,
  graph TEXT AS (CASE WHEN kind IN ('init', 'snapshot') THEN body ->> '$.graph_id' END),
  node TEXT AS (body ->> '$.new_owners[0]'),
  source TEXT AS (CASE WHEN body -> '$.cost' IS NOT NULL THEN body ->> '$.source' END),
  payment TEXT AS (CASE WHEN body ->> '$.pays' THEN coalesce(body ->> '$.source', body ->> '$.answer') || ' ' || (body ->> '$.recipient') END),
  account TEXT AS (body ->> '$.account.name'),
  answer TEXT AS (CASE WHEN body -> '$.plan' IS NOT NULL THEN body ->> '$.answer' END),
  request TEXT AS (body ->> '$.request'),
  document TEXT AS (CASE WHEN kind = 'store' THEN body ->> '$.document' END),
  plan TEXT AS (CASE WHEN kind = 'plan' THEN body ->> '$.digest' END),
  content TEXT AS (CASE WHEN kind = 'content' THEN (body ->> '$.epoch') || ' ' || (body ->> '$.graph_id') END),
  term TEXT AS (CASE WHEN kind IN ('extend', 'key', 'forget') THEN kind END)) STRICT)",
    "CREATE UNIQUE INDEX entry_graph ON entry(graph) WHERE graph IS NOT NULL",
    "CREATE UNIQUE INDEX entry_node ON entry(node) WHERE node IS NOT NULL",
    "CREATE UNIQUE INDEX entry_source ON entry(source) WHERE source IS NOT NULL",
    "CREATE UNIQUE INDEX entry_payment ON entry(payment) WHERE payment IS NOT NULL",
    "CREATE INDEX entry_account ON entry(account) WHERE account IS NOT NULL",
    "CREATE UNIQUE INDEX entry_answer ON entry(answer) WHERE answer IS NOT NULL",
    "CREATE UNIQUE INDEX entry_request ON entry(request) WHERE request IS NOT NULL",
    "CREATE UNIQUE INDEX entry_document ON entry(document) WHERE document IS NOT NULL",
    "CREATE UNIQUE INDEX entry_plan ON entry(plan) WHERE plan IS NOT NULL",
    "CREATE UNIQUE INDEX entry_content ON entry(content) WHERE content IS NOT NULL",
    "CREATE INDEX entry_term ON entry(term) WHERE term IS NOT NULL",
    "CREATE TABLE member(name TEXT NOT NULL, source INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY(name, source)) STRICT, WITHOUT ROWID",
    "CREATE TABLE released(answer TEXT PRIMARY KEY, tag BLOB NOT NULL, software TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE tally(one INTEGER PRIMARY KEY CHECK (one = 1), stored INTEGER NOT NULL, finished INTEGER NOT NULL, recipients INTEGER NOT NULL) STRICT",
    "CREATE TABLE head(one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL) STRICT",
    "CREATE TABLE document(name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT",
});

void set_version(const Database& database) {
  database.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
}

void make_tables(const Database& database) {
  for (const char* statement : statements) database.execute(statement);
  set_version(database);
}

// Version 1 kept what its entries say in tables of their own, which are made from the entries now. Version 2
// has the tables of this one but for some, version 3 all of them.
void upgrade_tables(const Database& database, int version) {
  if (version == 3) return set_version(database);
  for (const char* index : {"graph", "node", "source", "payment", "account", "answer", "request", "document"})
    if (version > 1) database.execute(fmt::format("DROP INDEX entry_{}", index).c_str());
  database.execute("ALTER TABLE entry RENAME TO old_entry; ALTER TABLE document RENAME TO old_document");
  if (version > 1) database.execute("DROP TABLE head");
  make_tables(database);
  database.execute(
      "INSERT INTO entry SELECT sequence, at, kind, body, hash FROM old_entry ORDER BY sequence;INSERT INTO head SELECT 1, hash FROM entry ORDER BY sequence DESC LIMIT 1;INSERT INTO document SELECT * FROM old_document");
  database.execute("DROP TABLE old_document; DROP TABLE old_entry");
  if (version > 1) return;
  for (const char* table :
       {"stored", "request", "answer", "payment", "source", "owner", "account", "graph", "terms"})
    database.execute(fmt::format("DROP TABLE {}", table).c_str());
}

// What later entries keep up.
void count_all(const Database& database, State& state) {
  const auto count = [&](const char* sql) { return database.integer(sql); };
  const Tally before = state.tally();
  state.count({-before.stored, -before.finished, -before.recipients});
  state.count(
      {count("SELECT count(*) FROM entry WHERE document > 'answer ' AND document < 'answer!'"),
       count(
           "SELECT count(*) FROM entry AS drawn WHERE source IS NOT NULL AND EXISTS(SELECT 1 FROM entry WHERE document IN ('artefact ' || drawn.source, 'answer ' || (drawn.body ->> '$.answer')))"),
       count("SELECT count(DISTINCT account) FROM entry WHERE account NOT LIKE ' %'")});
}

// Charges from now on have a key.
void add_key(const Database& database, State& state, const std::string& at,
             const std::filesystem::path& path) {
  const std::string id = state.terms().ledger_id;
  // Head 0 is that of an upgrade that was interrupted: nothing was computed under its key.
  NewKey file(path, [&](const NotedHead& noted) { return noted.ledger_id == id && noted.sequence == 0; });
  const MasterKey key = MasterKey::fresh();
  const std::string salt = random_salt();
  state.append(at, kind_key, {{"key", {{"epoch", 0}, {"salt", salt}, {"commitment", key.commitment(salt)}}}});
  count_all(database, state);
  file.write(key, {id, 0, std::string(64, '0'), 0});
}

}  // namespace

void make_schema(const Database& database) {
  make_tables(database);
  database.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
}

int version_of(const Database& database, const std::string& name) {
  if (database.integer("PRAGMA application_id") != application_id)
    throw Damage("it is not a ledger", fmt::format("'{}' is not a ledger", name));
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (version > schema_version)
    fail("the ledger '{}' has version {}, and this program knows {}: use a newer one", name, version,
         schema_version);
  if (version < 1)
    throw Damage("it has no version", fmt::format("'{}' is not a ledger: it has no version", name));
  return static_cast<int>(version);
}

void upgrade(const Database& database, const std::string& at, const std::filesystem::path& key) {
  Transaction transaction(database, Transaction::Kind::writing);
  const auto version = static_cast<int>(database.integer("PRAGMA user_version"));
  if (version == schema_version) return;  // another process was faster
  if (version == 4) {                     // what its entries say means the same
    set_version(database);
    return transaction.commit();
  }
  upgrade_tables(database, version);
  State state(database);
  Replay replay;
  state.each([&](const Entry& entry) { replay.apply(entry); });
  replay.finish();
  const std::string now = std::max(at, replay.latest());
  version == 1 ? replay.say_again(state, now) : replay.say_greatest(state, now);
  if (version < 3) add_key(database, state, now, key);
  const NotedHead last = head_of(state);
  transaction.commit();
  // What was spent is in two files from now on.
  if (version < 3) HeadFile(head_path(key)).advance(last);
}

void check_schema(const Database& database) {
  std::set<std::string> missing(statements.begin(), statements.end());
  Statement row(database, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  while (row.step())
    if (missing.erase(std::string(row.text(1))) == 0)
      fail_damaged("'{}' was added to it or altered", row.text(0));
  if (!missing.empty()) fail_damaged("a table or an index was removed");
}

}  // namespace hushwalk::ledger
