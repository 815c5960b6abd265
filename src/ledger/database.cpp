#include "ledger/database.h"

#include <sqlite3.h>

#include "base/fail.h"

namespace hushwalk::ledger {
namespace {

constexpr int busy_milliseconds = 60'000;

const char* remedy(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another process holds it, try again when that has ended";
    case SQLITE_FULL:
      return "; make room on the disk and ask again: what was charged stays charged and is not charged twice";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return "; the file and its folder must be writable by you";
    case SQLITE_NOTADB:
      return "; it is not a ledger, or it is damaged";
    case SQLITE_CORRUPT:
      return "; nothing was released. Restore it from a copy that holds all entries, see docs/ledger.md";
    default:
      return "";
  }
}

}  // namespace

void Finalize::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }

Statement::Statement(const Database& database, const char* sql)
    : database_(&database), statement_(database.prepared(sql)) {}

void Statement::run() {
  while (step()) {
  }
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    reset();
    database_->fail_with(code);
  }
  reset();
  return false;
}

void Statement::reset() noexcept { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool Statement::null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string_view Statement::text(int column) const {
  const auto bytes = blob(column);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string Statement::shown(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_NULL:
      return "null";
    case SQLITE_FLOAT:
      return fmt::format("{}", real(column));
    default:
      return std::string(text(column));
  }
}

void Statement::bind_one(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
}
void Statement::bind_one(int index, double value) { sqlite3_bind_double(statement_.get(), index, value); }
void Statement::bind_null(int index) { sqlite3_bind_null(statement_.get(), index); }

void Statement::bind_one(int index, std::string_view value) {
  const int code =
      sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) database_->fail_with(code);
}

void Statement::bind_one(int index, std::span<const std::byte> value) {
  const int code = sqlite3_bind_blob64(statement_.get(), index, value.data(), value.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) database_->fail_with(code);
}

Database::Database(const std::filesystem::path& path, int flags) : path_(path) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle,
                      flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail_with(code);
  sqlite3_busy_timeout(handle, busy_milliseconds);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL;");
  begin_ = prepared("BEGIN");
  begin_writing_ = prepared("BEGIN IMMEDIATE");
  commit_ = prepared("COMMIT");
  rollback_ = prepared("ROLLBACK");
}

Database Database::open(const std::filesystem::path& path) {
  std::error_code none;
  if (std::filesystem::is_symlink(path, none))
    fail("the ledger '{}' is a symbolic link; name the file itself", path.string());
  if (!std::filesystem::exists(path, none))
    fail("there is no ledger '{}'; make one with: hushwalk ledger init --graph G --epsilon TOTAL -o {}",
         path.string(), path.string());
  if (!std::filesystem::is_regular_file(path, none))
    fail("'{}' is not a ledger: it is not a regular file", path.string());
  // What is not yet in the file is in one beside it, found by name: two names would be two ledgers.
  if (std::filesystem::hard_link_count(path, none) > 1)
    fail("the ledger '{}' has another name, too (a hard link); remove that one", path.string());
  // SQLite would refuse a link anywhere in the path; only the file itself matters.
  return {std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".") / path.filename(),
          SQLITE_OPEN_NOFOLLOW};
}

Database Database::in_memory() { return {":memory:", 0}; }

StatementHandle Database::prepared(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) fail_with(code);
  return StatementHandle(statement);
}

void Database::execute(const char* sql) const {
  if (const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr); code != SQLITE_OK)
    fail_with(code);
}

std::int64_t Database::integer(const char* sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::use_wal() const {
  Statement statement(*this, "PRAGMA journal_mode = WAL");
  if (!statement.step() || statement.text(0) != "wal")
    fail("the ledger '{}': no write-ahead log can be kept here; use a local disk", path_.string());
}

void Database::fail_with(int code) const {
  fail("the ledger '{}': {}{}", path_.string(), handle() ? sqlite3_errmsg(handle()) : sqlite3_errstr(code),
       remedy(code));
}

namespace {

int run(const StatementHandle& statement) {
  const int code = sqlite3_step(statement.get());
  sqlite3_reset(statement.get());
  return code;
}

}  // namespace

Transaction::Transaction(const Database& database, Kind kind) : database_(database) {
  const int code = run(kind == Kind::writing ? database.begin_writing_ : database.begin_);
  if (code != SQLITE_DONE) database.fail_with(code);
}

Transaction::~Transaction() {
  if (open_) run(database_.rollback_);
}

void Transaction::commit() {
  if (const int code = run(database_.commit_); code != SQLITE_DONE) database_.fail_with(code);
  open_ = false;
}

}  // namespace hushwalk::ledger
