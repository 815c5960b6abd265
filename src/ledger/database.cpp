#include "ledger/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "ledger/damage.h"

namespace hushwalk::ledger {
namespace {

constexpr int busy_milliseconds = 60'000;
// Room for the inner pages of all indexes of a million entries (docs/decisions/0035). Taken only as it is
// used.
constexpr int cache_kilobytes = 65'536;

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
    case SQLITE_CONSTRAINT:
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
  // SQLite would go on with what it may only read, and leave files beside it that its owner cannot write.
  if (sqlite3_db_readonly(handle, "main") == 1) fail_with(SQLITE_READONLY);
  sqlite3_busy_timeout(handle, busy_milliseconds);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // Nothing may act, or stand for a table, behind the program's back.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  execute(fmt::format("PRAGMA cache_size = -{}", cache_kilobytes).c_str());
  begin_ = prepared("BEGIN");
  begin_writing_ = prepared("BEGIN IMMEDIATE");
  commit_ = prepared("COMMIT");
  rollback_ = prepared("ROLLBACK");
}

namespace {

struct statx status_of(const std::filesystem::path& path) {
  struct statx status{};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_MNT_ID, &status) != 0)
    fail_system("cannot look at", path);
  return status;
}

// What is not yet in the file is in one beside it, found by name: two names would be two ledgers.
void check_one_name(const std::filesystem::path& folder, const std::filesystem::path& path) {
  const struct statx file = status_of(path), around = status_of(folder);
  if (S_ISLNK(file.stx_mode)) fail("the ledger '{}' is a symbolic link; name the file itself", path.string());
  if (!S_ISREG(file.stx_mode)) fail("'{}' is not a ledger: it is not a regular file", path.string());
  if (file.stx_nlink > 1)
    fail("the ledger '{}' has another name, too (a hard link); remove that one", path.string());
  if ((file.stx_mask & STATX_MNT_ID) == 0 && (file.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) == 0)
    fail(
        "the system does not tell whether the ledger '{}' is mounted by itself, and has another name elsewhere whose charges would not be seen here; use Linux 5.8 or later",
        path.string());
  const bool mounted = (file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  if (mounted || file.stx_mnt_id != around.stx_mnt_id)
    fail(
        "the ledger '{}' is mounted by itself and has another name elsewhere, whose charges would not be seen here; mount its whole folder instead",
        path.string());
}

}  // namespace

Database Database::open(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::not_found)
    fail(
        "there is no ledger '{0}'. Check the path, and that its disk is mounted. A new ledger would know nothing of what was released before: it would count from zero and answer the same questions with fresh noise. Only if there never was one, make one",
        path.string());
  // SQLite would refuse a link anywhere in the path; only the file itself matters.
  const auto folder = std::filesystem::canonical(folder_of(path), error);
  if (error) fail("cannot find the folder of the ledger '{}': {}", path.string(), error.message());
  const auto file = folder / path.filename();
  check_one_name(folder, file);
  return {file, SQLITE_OPEN_NOFOLLOW};
}

Database Database::in_memory() { return {":memory:", 0}; }

std::vector<std::byte> Database::bytes() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> data(
      sqlite3_serialize(handle(), "main", &size, 0), sqlite3_free);
  if (!data) fail_with(SQLITE_NOMEM);
  const auto bytes = std::as_bytes(std::span(data.get(), static_cast<std::size_t>(size)));
  return {bytes.begin(), bytes.end()};
}

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

namespace {

// What a file is that SQLite cannot read; nothing when it may be a ledger that is damaged.
std::string_view kind_instead(const std::filesystem::path& path) {
  const std::string_view kind = kind_of_file(path), own = kind_of_own_file(path);
  return kind == in_words(FileKind::graph) ? kind : own == a_ledger ? "" : own;
}

}  // namespace

void Database::fail_with(int code) const {
  const bool told = handle() && sqlite3_errcode(handle()) != SQLITE_OK;
  const int kind = code & 0xff;
  if (kind == SQLITE_NOTADB)
    if (const std::string_view other = kind_instead(path_); !other.empty())
      fail("'{}' is {}, not a ledger", path_.string(), other);
  const std::string reason =
      fmt::format("{}{}", told ? sqlite3_errmsg(handle()) : sqlite3_errstr(code), remedy(code));
  const std::string text = fmt::format("the ledger '{}': {}", path_.string(), reason);
  if (kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT || kind == SQLITE_CONSTRAINT)
    throw Damage(reason, text);
  fail("{}", text);
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
