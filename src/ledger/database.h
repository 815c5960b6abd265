// SQLite with C++ manners: handles that close themselves, errors that are thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace hushwalk::ledger {

class Database;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept;
};
using StatementHandle = std::unique_ptr<sqlite3_stmt, Finalize>;

// A prepared statement, run from its start by every bind().
class Statement {
 public:
  Statement(const Database& database, const char* sql);
  Statement(Statement&&) noexcept = default;

  // Values for the parameters ?1, ?2, … in order. Texts and blobs must live until the statement has run.
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }

  void run();  // to its end, whatever it returns
  // Whether there is a (next) row; after the last one the statement is ready for the next bind().
  bool step();

  std::int64_t integer(int column) const;
  double real(int column) const;
  bool null(int column) const;
  std::string_view text(int column) const;            // until the next step
  std::span<const std::byte> blob(int column) const;  // likewise

  // Ends a read early.
  void reset() noexcept;

 private:
  void bind_one(int index, std::int64_t value);
  void bind_one(int index, double value);
  void bind_one(int index, std::string_view value);
  void bind_one(int index, const char* value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, const std::string& value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, std::span<const std::byte> value);
  template <class T>
  void bind_one(int index, const std::optional<T>& value) {
    value ? bind_one(index, *value) : bind_null(index);
  }
  void bind_null(int index);

  const Database* database_;
  StatementHandle statement_;
};

// Ends the read of a statement with the scope, so that no snapshot is held for longer.
class Reading {
 public:
  explicit Reading(Statement& statement) noexcept : statement_(statement) {}
  ~Reading() { statement_.reset(); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  Statement& statement_;
};

// For one thread at a time.
class Database {
 public:
  // An existing file; Error{failed} when it is missing, no database, not writable, or has several names (a
  // link, or a mount of its own). Waits up to a minute for other processes.
  static Database open(const std::filesystem::path& path);
  static Database in_memory();
  std::vector<std::byte> bytes() const;  // as a file would have them

  void execute(const char* sql) const;
  std::int64_t integer(const char* sql) const;  // the first value of the first row
  void use_wal() const;                         // waits for others; stays so for ever
  // Throws Error{failed} with what SQLite says; a remedy where there is one.
  [[noreturn]] void fail_with(int code) const;
  sqlite3* handle() const noexcept { return handle_.get(); }

 private:
  friend class Statement;
  friend class Transaction;
  StatementHandle prepared(const char* sql) const;

  Database(const std::filesystem::path& path, int flags);
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
  StatementHandle begin_, begin_writing_, commit_, rollback_;
};

// Rolled back unless committed. A writing one takes the lock at once, so that nothing it reads can change.
class Transaction {
 public:
  enum class Kind { reading, writing };
  Transaction(const Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();  // what was written is on the disk when it returns

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace hushwalk::ledger
