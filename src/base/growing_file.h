// A file that grows under its own name, written by one process at a time: what was written stays good
// whatever stops the process. Unlike OutputFile, which appears when it is complete.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files.h"
#include "hushwalk/output_file.h"

namespace hushwalk {

// Not for sharing among threads.
class GrowingFile {
 public:
  // Makes the file where there is none, and locks it. One that holds something keeps its permissions, unless
  // they are to be exact; one that is empty keeps none beyond those that are asked for. Error{failed} when it
  // cannot be opened, belongs to another user, or is a link that is refused; Error{usage} when it is no text,
  // or belongs to a ledger.
  GrowingFile(std::filesystem::path path, Permissions permissions, Links links);

  const std::filesystem::path& path() const noexcept { return path_; }
  bool mine() const noexcept { return mine_; }  // false: another process is writing it
  std::uint64_t size() const;
  // At most `count` bytes; fewer at the end of the file.
  std::string read(std::uint64_t offset, std::size_t count) const;
  std::string read_all() const;
  void append(std::string_view text);
  void cut(std::uint64_t size);  // drops what follows
  void sync();                   // on the disk when it returns

 private:
  bool has_its_name() const;
  struct stat status() const;
  void set_permissions(Permissions permissions) const;

  std::filesystem::path path_;
  FileHandle file_;
  bool mine_ = false;
};

}  // namespace hushwalk
