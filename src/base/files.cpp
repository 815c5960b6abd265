#include "base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/fail.h"

namespace hushwalk {
namespace fs = std::filesystem;

void fail_system(const char* what, const fs::path& path) {
  const int error = errno;
  fail("{} '{}': {}", what, path.string(), std::strerror(error));
}

FileHandle::~FileHandle() {
  if (fd_ >= 0) close(fd_);
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

bool sync_folder_of(const fs::path& path) {
  const FileHandle folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder.get() >= 0 && fsync(folder.get()) == 0;
}

FileHandle open_for_reading(const fs::path& path) {
  FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail_system("cannot open", path);
  struct stat status{};
  if (fstat(file.get(), &status) != 0) fail_system("cannot read", path);
  if (S_ISDIR(status.st_mode)) fail("'{}' is a directory; give the name of a file", path.string());
  return file;
}

FileHandle open_for_writing(const fs::path& path) {
  FileHandle file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) fail_system("cannot write", path);
  return file;
}

void write_at(int file, const fs::path& path, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_system("cannot write", path);
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

std::string read_whole_file(const fs::path& path) {
  constexpr std::size_t limit = std::size_t{64} << 20;
  const FileHandle file = open_for_reading(path);
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (ssize_t got = 0; (got = read(file.get(), buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_system("cannot read", path);
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > limit) fail("'{}' has more than {} bytes", path.string(), limit);
  }
  return text;
}

FilePart open_whole(const fs::path& path) {
  FileHandle file = open_for_reading(path);
  struct stat status{};
  if (fstat(file.get(), &status) != 0) fail_system("cannot read", path);
  if (!S_ISREG(status.st_mode))
    fail("'{}' is not a regular file, so it cannot be memory-mapped", path.string());
  return {path, std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

namespace {

std::vector<FilePart> only(FilePart part) {
  std::vector<FilePart> parts;
  parts.push_back(std::move(part));
  return parts;
}

// Room for all of them first, so that nothing else comes between.
std::span<const std::byte> reserve(const std::vector<FilePart>& parts) {
  std::size_t size = 0;
  for (const FilePart& part : parts) size += part.size;
  if (size == 0) return {};
  void* const memory = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) fail_system("cannot map", parts.front().path);
  return {static_cast<const std::byte*>(memory), size};
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) : MappedFile(only(open_whole(path))) {}

MappedFile::MappedFile(std::vector<FilePart> parts) : parts_(std::move(parts)), bytes_(reserve(parts_)) {
  auto* at = const_cast<std::byte*>(bytes_.data());
  for (const FilePart& part : parts_) {
    if (part.size == 0) continue;
    if (mmap(at, part.size, PROT_READ, MAP_PRIVATE | MAP_FIXED, part.file.get(), 0) == MAP_FAILED) {
      const int why = errno;
      munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
      errno = why;
      fail_system("cannot map", part.path);
    }
    at += part.size;
  }
}

namespace {

void advise(std::span<const std::byte> bytes, int advice) noexcept {
  if (!bytes.empty()) static_cast<void>(madvise(const_cast<std::byte*>(bytes.data()), bytes.size(), advice));
}

}  // namespace

void MappedFile::expect_little() const noexcept { advise(bytes_, MADV_RANDOM); }

void MappedFile::expect_all() const noexcept {
  advise(bytes_, MADV_NORMAL);
  advise(bytes_, MADV_HUGEPAGE);
}

void MappedFile::read_ahead(std::uint64_t offset, std::uint64_t size) const noexcept {
  constexpr std::uint64_t page = 4096;
  const std::uint64_t begin = offset / page * page;
  advise(bytes_.subspan(begin, offset + size - begin), MADV_WILLNEED);
}

void MappedFile::read(std::uint64_t offset, std::span<std::byte> to) const {
  auto part = parts_.begin();
  while (!to.empty()) {
    for (; offset >= part->size && part + 1 != parts_.end(); ++part) offset -= part->size;
    const std::uint64_t here = std::min<std::uint64_t>(to.size(), part->size - std::min(offset, part->size));
    const ssize_t got = pread(part->file.get(), to.data(), here, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_system("cannot read", part->path);
    if (got == 0) fail("'{}' ends too early: it was cut while it was in use", part->path.string());
    offset += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace hushwalk
