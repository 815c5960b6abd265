#include "base/split_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/fail.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view part_start = "part-";

// The number of a part by its name.
std::optional<std::size_t> number_of(std::string_view name) {
  if (!name.starts_with(part_start)) return {};
  const std::string_view digits = name.substr(part_start.size());
  const bool number = !digits.empty() && digits.size() < 10 && (digits == "0" || digits.front() != '0') &&
                      std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return number ? std::optional(static_cast<std::size_t>(std::stoul(std::string(digits)))) : std::nullopt;
}

// A folder stays the same for whoever has opened it, also when another gets its name.
FileHandle open_folder(const fs::path& path, int flags = 0) {
  return FileHandle(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags));
}

// In any order. None, with the reason in errno, when it cannot be read.
std::optional<std::vector<std::string>> names_in(int folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(fcntl(folder, F_DUPFD_CLOEXEC, 0)), closedir);
  if (!stream) return {};
  rewinddir(stream.get());
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = readdir(stream.get()))
    if (const std::string_view name = entry->d_name; name != "." && name != "..") names.emplace_back(name);
  return errno == 0 ? std::optional(std::move(names)) : std::nullopt;
}

bool is_file_in(int folder, const std::string& name) {
  struct stat status{};
  return fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

// What to do about a set that is not whole.
constexpr std::string_view copy_again = "copy the whole folder again, or import anew";

// How many parts there are; nothing may be missing, and nothing else be there.
std::size_t count_parts(const fs::path& path, int folder) {
  const auto names = names_in(folder);
  if (!names) fail_system("cannot read", path);
  const auto has = [&](std::size_t number) {
    return std::ranges::find(*names, part_name(number)) != names->end();
  };
  if (!has(0))
    fail("'{}' is a directory without '{}', so it is no graph file in parts; give the name of a file",
         path.string(), part_name(0));
  if (names->size() > most_parts)
    fail("'{}' has more than {} files, so it is no graph file in parts; {}", path.string(), most_parts,
         copy_again);
  for (const std::string& name : *names)
    if (!number_of(name)) fail("'{}' is no part of the graph file; move it away", (path / name).string());
  for (std::size_t number = 0; number < names->size(); ++number)
    if (!has(number)) fail("'{}' is missing; {}", (path / part_name(number)).string(), copy_again);
  return names->size();
}

FilePart open_part(const fs::path& path, int folder) {
  const std::string name = path.filename().string();
  // Links are not followed, and nobody waits for a pipe.
  FilePart part{path,
                FileHandle(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)), 0};
  if (part.file.get() < 0 && errno != ELOOP && errno != ENXIO) fail_system("cannot open", path);
  struct stat status{};
  if (part.file.get() < 0 || fstat(part.file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    fail("'{}' is not a regular file; {}", path.string(), copy_again);
  part.size = static_cast<std::uint64_t>(status.st_size);
  return part;
}

void check_sizes(const std::vector<FilePart>& parts) {
  const FilePart& first = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::uint64_t size = parts[i].size;
    const bool last = i + 1 == parts.size();
    if (first.size == 0 || first.size % part_unit != 0 || size == 0 ||
        (last ? size > first.size : size != first.size))
      fail(
          for_custodian("they have {} and {} bytes", first.size, size),
          "'{}' and '{}' are not of the sizes of parts of one graph file: one is cut, too long, or of another; {}",
          first.path.string(), parts[i].path.string(), copy_again);
  }
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  if (first.size > most / parts.size())
    fail("'{}' and the parts after it are longer than any file; {}", first.path.string(), copy_again);
}

}  // namespace

std::string part_name(std::size_t number) { return fmt::format("{}{}", part_start, number); }

bool holds_only_parts(const fs::path& path) {
  const FileHandle folder = open_folder(path);
  // A look at all names only where there is a first part: folders of answers may have very many.
  if (folder.get() < 0 || !is_file_in(folder.get(), part_name(0))) return false;
  const auto names = names_in(folder.get());
  return names && std::ranges::all_of(*names, [&](const std::string& name) {
           return number_of(name) && is_file_in(folder.get(), name);
         });
}

namespace {

std::vector<FilePart> open_what_is_there(const fs::path& path) {
  const FileHandle folder = open_folder(path);
  std::vector<FilePart> parts;
  if (folder.get() < 0 && errno == ENOTDIR) {
    parts.push_back(open_whole(path));
    return parts;
  }
  if (folder.get() < 0) fail_system("cannot open", path);
  const std::size_t count = count_parts(path, folder.get());
  for (std::size_t i = 0; i < count; ++i) parts.push_back(open_part(path / part_name(i), folder.get()));
  check_sizes(parts);
  return parts;
}

// The file or folder that has the name now.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? std::optional(std::pair(status.st_dev, status.st_ino))
                                          : std::nullopt;
}

}  // namespace

std::vector<FilePart> open_parts(const fs::path& path) {
  const auto before = identity(path);
  try {
    return open_what_is_there(path);
  } catch (const Error&) {
    if (identity(path) == before) throw;
  }
  return open_what_is_there(path);  // it was replaced meanwhile, and what was there is being removed
}

std::optional<unsigned> permissions_of_parts(const fs::path& path) {
  const FileHandle folder = open_folder(path, O_NOFOLLOW);
  struct stat status{};
  if (folder.get() < 0 || fstat(folder.get(), &status) != 0) fail_system("cannot read", path);
  if (status.st_uid != ::geteuid()) return std::nullopt;
  unsigned bits = status.st_mode & 0666U;
  const auto names = names_in(folder.get());
  if (!names) fail_system("cannot read", path);
  for (const std::string& name : *names) {
    if (fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      fail_system("cannot read", path / name);
    bits &= status.st_mode;
  }
  return bits;
}

void remove_parts(const fs::path& path) noexcept {
  const FileHandle folder = open_folder(path);
  if (folder.get() < 0) return;
  static_cast<void>(fchmod(folder.get(), 0700));  // its owner may have been forbidden to write in it
  for (const std::string& name : names_in(folder.get()).value_or(std::vector<std::string>()))
    if (number_of(name)) unlinkat(folder.get(), name.c_str(), 0);
  rmdir(path.c_str());
}

bool put_in_place(const fs::path& from, const fs::path& to) {
  std::error_code none;
  const bool from_folder = fs::is_directory(fs::symlink_status(from, none));
  const fs::file_status old = fs::symlink_status(to, none);
  if (!fs::exists(old) || (!from_folder && !fs::is_directory(old)))
    return rename(from.c_str(), to.c_str()) == 0;
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) {
    fs::is_directory(old) ? remove_parts(from) : static_cast<void>(unlink(from.c_str()));
    return true;
  }
  const fs::path aside = from.string() + ".old";
  if (rename(to.c_str(), aside.c_str()) != 0) return false;
  if (rename(from.c_str(), to.c_str()) != 0) {
    const int why = errno;
    rename(aside.c_str(), to.c_str());
    errno = why;
    return false;
  }
  fs::is_directory(old) ? remove_parts(aside) : static_cast<void>(unlink(aside.c_str()));
  return true;
}

SplitFile::SplitFile(fs::path path, bool in_folder, std::vector<FileHandle> files, std::uint64_t part_size)
    : path_(std::move(path)), in_folder_(in_folder), files_(std::move(files)), part_size_(part_size) {}

fs::path SplitFile::path(std::size_t part) const { return in_folder_ ? path_ / part_name(part) : path_; }

void SplitFile::set_permissions(unsigned bits, bool must) {
  permissions_ = bits;
  must_have_permissions_ = must;
  for (const FileHandle& each : files_) static_cast<void>(fchmod(each.get(), 0600));
}

void SplitFile::finish() const {
  if (permissions_)
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (fchmod(file(i), *permissions_) != 0 && must_have_permissions_)
        fail_system("cannot set the permissions of", path(i));
  sync();
}

void SplitFile::set_size(std::uint64_t size) {
  const std::uint64_t each = (size + files_.size() - 1) / files_.size();
  part_size_ = files_.size() == 1 ? size : (each + part_unit - 1) / part_unit * part_unit;
  const std::uint64_t parts = part_size_ == 0 ? 1 : (size + part_size_ - 1) / part_size_;
  while (files_.size() > std::max<std::uint64_t>(parts, 1)) files_.pop_back();
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (ftruncate(file(i), static_cast<off_t>(std::min(part_size_, size - i * part_size_))) != 0)
      fail_system("cannot write", path(i));
}

void SplitFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const std::size_t part = offset / part_size_;
    const std::uint64_t at = offset % part_size_;
    const auto here = bytes.first(std::min<std::uint64_t>(bytes.size(), part_size_ - at));
    hushwalk::write_at(file(part), path(part), at, here);
    offset += here.size();
    bytes = bytes.subspan(here.size());
  }
}

void SplitFile::sync() const {
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (fsync(file(i)) != 0) fail_system("cannot write", path(i));
}

}  // namespace hushwalk
