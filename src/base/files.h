// Files and folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

// Throws Error{failed}: what, path and the reason in errno.
[[noreturn]] void fail_system(const char* what, const std::filesystem::path& path);

// "." for a name without one.
std::filesystem::path folder_of(const std::filesystem::path& path);

// Makes a new name in the folder of this file last through a power cut. False, with the reason in errno: the
// folder cannot be opened, or its file system cannot do it.
bool sync_folder_of(const std::filesystem::path& path);

// Error{failed} with the path and the system's reason; a directory is refused.
FileHandle open_for_reading(const std::filesystem::path& path);

// A file that another process has made, and writes at the same time; and bytes at their place in it.
// Error{failed}.
FileHandle open_for_writing(const std::filesystem::path& path);
void write_at(int file, const std::filesystem::path& path, std::uint64_t offset,
              std::span<const std::byte> bytes);

// All bytes of a small file; Error{failed} when it cannot be read or has more than 64 MiB.
std::string read_whole_file(const std::filesystem::path& path);

// A file that is open, or one of several.
struct FilePart {
  std::filesystem::path path;
  FileHandle file;
  std::uint64_t size;
};

// To be read. Error{failed} also when it is not a regular file.
FilePart open_whole(const std::filesystem::path& path);

// A read-only mapping of a whole file; or of several, one behind the other as if they were one.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  explicit MappedFile(std::vector<FilePart> parts);  // all but the last whole pages
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  // Advice that only makes reading faster. A little here and there, or all of it from now on; and a range
  // right now, at once instead of page by page.
  void expect_little() const noexcept;
  void expect_all() const noexcept;
  void read_ahead(std::uint64_t offset, std::uint64_t size) const noexcept;

  // Copies bytes of the file, which maps none of its pages. Error{failed} when they cannot be read.
  void read(std::uint64_t offset, std::span<std::byte> to) const;

  const std::vector<FilePart>& parts() const noexcept { return parts_; }

 private:
  std::vector<FilePart> parts_;
  std::span<const std::byte> bytes_;
};

}  // namespace hushwalk
