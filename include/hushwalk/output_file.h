// A file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace hushwalk {

// The file gets its name only in commit(), after its content has reached the disk. Until then it has no name
// at all where the file system allows that (O_TMPFILE), so that even a killed process leaves nothing behind;
// elsewhere it is .hushwalk-XXXX.tmp beside the final one, removed by the destructor. A file that is replaced
// passes on its permissions. Error{failed} when the disk is full, the folder is missing, …
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  void give_name();

  std::filesystem::path path_;       // the final name
  std::filesystem::path temporary_;  // empty while the file has no name
  int file_;
};

}  // namespace hushwalk
