#include "peers/bare_sqlite.h"

#include <cstring>
#include <stdexcept>

namespace hushwalk::bench {
namespace {

// As long and as scattered as a SHA-256.
std::string key(std::int64_t number) {
  std::string text;
  auto state = static_cast<std::uint64_t>(number);
  while (text.size() < 64) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += "0123456789abcdef"[state >> 60];
  }
  return text;
}

}  // namespace

BareSqlite::BareSqlite(const std::filesystem::path& path, const std::filesystem::path& ledger)
    : database_(open(path)) {
  const Database from = open(ledger);
  execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  copy_schema(from.get());
  charge_.push_back(sample(from.get(), "entry", "kind = 'charge'"));
  store_.push_back(sample(from.get(), "entry", "kind = 'store'"));
  store_.push_back(sample(from.get(), "document", "name LIKE 'answer %'"));
  read_ = prepare(database_.get(), "SELECT content FROM document WHERE name = ?1");
  commit_release();
}

void BareSqlite::commit_release() {
  for (std::vector<Row>* rows : {&charge_, &store_}) {
    execute("BEGIN IMMEDIATE");
    for (Row& row : *rows) insert(row);
    execute("COMMIT");
  }
}

std::vector<double> BareSqlite::read_row() {
  sqlite3_bind_text(read_.get(), 1, name_.data(), static_cast<int>(name_.size()), SQLITE_STATIC);
  if (sqlite3_step(read_.get()) != SQLITE_ROW) throw std::runtime_error("the row is not there");
  const void* const bytes = sqlite3_column_blob(read_.get(), 0);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(read_.get(), 0));
  std::vector<double> numbers(size / sizeof(double));
  std::memcpy(numbers.data(), bytes, numbers.size() * sizeof(double));
  sqlite3_reset(read_.get());
  return numbers;
}

BareSqlite::Database BareSqlite::open(const std::filesystem::path& path) {
  sqlite3* database = nullptr;
  if (sqlite3_open(path.c_str(), &database) != SQLITE_OK) throw std::runtime_error("cannot open a database");
  return Database(database);
}

BareSqlite::Statement BareSqlite::prepare(sqlite3* database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database));
  return Statement(statement);
}

void BareSqlite::copy_schema(sqlite3* ledger) {
  // Rows are repeated here, so that there can be no unique index: keeping those is the ledger's own work.
  const Statement tables = prepare(ledger, "SELECT sql FROM sqlite_schema WHERE type = 'table'");
  while (sqlite3_step(tables.get()) == SQLITE_ROW)
    execute(reinterpret_cast<const char*>(sqlite3_column_text(tables.get(), 0)));
}

BareSqlite::Row BareSqlite::sample(sqlite3* ledger, const std::string& table, const std::string& where) {
  const std::string columns =
      table == "entry" ? "sequence, at, kind, body, hash" : "*";  // as they are written
  const Statement select = prepare(ledger, "SELECT " + columns + " FROM " + table + " WHERE " + where);
  if (sqlite3_step(select.get()) != SQLITE_ROW) throw std::runtime_error("the ledger has no " + table);
  Row row;
  std::string places;
  for (int i = 0; i < sqlite3_column_count(select.get()); ++i) {
    row.values.emplace_back(sqlite3_value_dup(sqlite3_column_value(select.get(), i)));
    places += i == 0 ? "?" : ", ?";
  }
  row.numbered = table == "entry";
  row.insert = prepare(database_.get(), "INSERT INTO " + table + " VALUES(" + places + ")");
  return row;
}

void BareSqlite::insert(Row& row) {
  ++entries_;
  if (row.numbered) {
    sqlite3_bind_int64(row.insert.get(), 1, entries_);
  } else {
    name_ = key(entries_);
    sqlite3_bind_text(row.insert.get(), 1, name_.data(), static_cast<int>(name_.size()), SQLITE_STATIC);
  }
  for (std::size_t i = 1; i < row.values.size(); ++i)
    sqlite3_bind_value(row.insert.get(), static_cast<int>(i + 1), row.values[i].get());
  if (sqlite3_step(row.insert.get()) != SQLITE_DONE)
    throw std::runtime_error(sqlite3_errmsg(database_.get()));
  sqlite3_reset(row.insert.get());
}

void BareSqlite::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database_.get()));
}

}  // namespace hushwalk::bench
