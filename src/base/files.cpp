#include "base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/fail.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_system(const char* what, const fs::path& path) {
  const int error = errno;
  fail("{} '{}': {}", what, path.string(), std::strerror(error));
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path temporary_name(const fs::path& path) {
  std::uint64_t salt = 0;
  if (getentropy(&salt, sizeof salt) != 0) fail_system("no randomness for the temporary name of", path);
  return folder_of(path) / fmt::format(".{}.tmp-{:016x}", path.filename().string(), salt);
}

}  // namespace

FileHandle::~FileHandle() {
  if (fd_ >= 0) close(fd_);
}

FileHandle open_for_reading(const fs::path& path) {
  FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail_system("cannot open", path);
  struct stat status{};
  if (fstat(file.get(), &status) != 0) fail_system("cannot read", path);
  if (S_ISDIR(status.st_mode)) fail("'{}' is a directory; give the name of a file", path.string());
  return file;
}

MappedFile::MappedFile(const fs::path& path) {
  const FileHandle file = open_for_reading(path);
  struct stat status{};
  if (fstat(file.get(), &status) != 0) fail_system("cannot read", path);
  if (!S_ISREG(status.st_mode))
    fail("'{}' is not a regular file, so it cannot be memory-mapped", path.string());
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) fail_system("cannot map", path);
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

AtomicFile::AtomicFile(fs::path path)
    : path_(std::move(path)), file_(open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)) {
  if (fs::is_directory(path_)) fail("cannot write '{}': it is a directory", path_.string());
  if (file_.get() >= 0) return;
  temporary_ = temporary_name(path_);
  file_ = FileHandle(open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
  if (file_.get() < 0) {
    temporary_.clear();
    fail_system("cannot write", path_);
  }
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_system("cannot write", path_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::give_name() {
  fs::path name = temporary_name(path_);
  const std::string unnamed = fmt::format("/proc/self/fd/{}", file_.get());
  if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
    fail_system("cannot name the finished file", path_);
  temporary_ = std::move(name);
}

void AtomicFile::commit() {
  if (fsync(file_.get()) != 0) fail_system("cannot write", path_);
  if (temporary_.empty()) give_name();
  if (rename(temporary_.c_str(), path_.c_str()) != 0)
    fail_system("cannot rename the finished file to", path_);
  temporary_.clear();
  const FileHandle folder(open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) fsync(folder.get());  // makes the new name lasting; some file systems cannot
}

}  // namespace hushwalk
