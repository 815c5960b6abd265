// The rows that one release writes to a ledger, committed again and again without any thought.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hushwalk::bench {

class BareSqlite {
 public:
  // Takes the tables, the pragmas and one row of each table from a ledger with one release.
  BareSqlite(const std::filesystem::path& path, const std::filesystem::path& ledger);

  void commit_release();           // in two transactions: the charge, and the answer
  std::vector<double> read_row();  // the bytes of a stored answer

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
  };
  using Database = std::unique_ptr<sqlite3, Close>;
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;
  struct Row {
    Statement insert;
    std::vector<std::unique_ptr<sqlite3_value, Close>> values;
    bool numbered = false;  // its first value is a number, not a key
  };

  static Database open(const std::filesystem::path& path);
  static Statement prepare(sqlite3* database, const std::string& sql);
  void copy_schema(sqlite3* ledger);
  Row sample(sqlite3* ledger, const std::string& table, const std::string& where);
  void insert(Row& row);
  void execute(const char* sql);

  Database database_;
  std::vector<Row> charge_, store_;
  Statement read_;
  std::int64_t entries_ = 0;
  std::string name_;  // of the last document
};

}  // namespace hushwalk::bench
