// A file of JSON lines that grows by whole lines, so that work which stops half-way can go on: the one output
// that is written under its own name from the start. The first line says what the work is.
#pragma once

#include <filesystem>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

class Checkpoint {
 public:
  // Makes the file, or reads it and cuts off a line that a killed process left unfinished. Error{usage} when
  // it belongs to other work or another process is writing it, Error{failed} when it cannot be read or
  // written.
  Checkpoint(std::filesystem::path path, Permissions permissions, const Json& work);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const std::vector<Json>& lines() const noexcept { return lines_; }  // after the first
  void append(const Json& line);                                      // on the disk when it returns

 private:
  void read(const Json& work);
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  int file_;
  std::vector<Json> lines_;
};

}  // namespace hushwalk::cli
