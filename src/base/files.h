// Files read by mapping and files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace hushwalk {

// A file descriptor that closes itself.
class FileHandle {
 public:
  explicit FileHandle(int fd = -1) noexcept : fd_(fd) {}
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileHandle& operator=(FileHandle&& other) noexcept { return std::swap(fd_, other.fd_), *this; }
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

// Error{failed} with the path and the system's reason; a directory is refused.
FileHandle open_for_reading(const std::filesystem::path& path);

// A read-only mapping of a whole file.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

// A file that gets its name only in commit(), after its content has reached the disk. Until then it has no
// name at all where the file system allows that (O_TMPFILE), so that even a killed process leaves nothing
// behind; elsewhere it is PATH.tmp-XXXXXX, removed by the destructor.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  void give_name();

  std::filesystem::path path_;       // the final name
  std::filesystem::path temporary_;  // empty while the file has no name
  FileHandle file_;
};

}  // namespace hushwalk
