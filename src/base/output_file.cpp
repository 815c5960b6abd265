#include "hushwalk/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/split_file.h"
#include "base/system_random.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

fs::path temporary_name(const fs::path& path) {
  std::uint64_t salt = 0;
  fill_random(std::as_writable_bytes(std::span(&salt, 1)), "a temporary name");
  return folder_of(path) / fmt::format(".hushwalk-{:016x}.tmp", salt);
}

constexpr std::uint64_t any_size = ~std::uint64_t{0};  // one part holds everything, until it has a size

// Of what is replaced; none where it is another user's, which is no rule for what is written in its place.
// Who may write in the folder can move a file of this user's there: docs/limits.md.
std::optional<unsigned> permissions_of(const fs::path& path) {
  struct stat old{};
  if (::lstat(path.c_str(), &old) != 0) return std::nullopt;
  if (S_ISDIR(old.st_mode)) return permissions_of_parts(path);
  if (!S_ISREG(old.st_mode) || old.st_uid != ::geteuid()) return std::nullopt;
  return old.st_mode & 07777U;
}

// What a shell's `>` would write to: the target of a symbolic link. Where links are not followed, one that
// is put there after this is replaced by commit(), which renames.
fs::path resolved(fs::path path, Links links) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  if (links == Links::refuse)
    fail("cannot write '{}': it is a link; remove it, or choose another folder", path.string());
  fs::path target = fs::weakly_canonical(path, error);
  if (error) fail("cannot write '{}': {}", path.string(), error.message());
  return target;
}

}  // namespace

OutputFile::OutputFile(fs::path path, FileKind kind, Permissions permissions, Links links, std::size_t parts)
    : path_(resolved(std::move(path), links)), kind_(kind), parts_(parts) {
  if (!path_.has_filename()) fail("cannot write '{}': it is not the name of a file", path_.string());
  if (parts_ > most_parts) fail_usage("`parts` is at most {}, not {}", most_parts, parts_);
  std::error_code error;
  static_cast<void>(fs::status(path_, error));
  if (error == std::errc::filename_too_long) fail("cannot write '{}': {}", path_.string(), error.message());
  check_place();
  open_unnamed(permissions);
  if (!file_) open_named(permissions);
  // A file that only its owner may read stays so.
  if (permissions.exact)
    set_permissions(permissions.bits, true);
  else if (const auto old = permissions_of(path_))
    set_permissions(*old, false);
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  parts_ == 0 ? static_cast<void>(unlink(temporary_.c_str())) : remove_parts(temporary_);
}

void OutputFile::check_kind(const fs::path& path, FileKind kind) {
  check_may_write(resolved(path, Links::follow), kind);
}

// A folder of parts is a graph file.
void OutputFile::check_place() const {
  std::error_code error;
  const fs::file_status old = fs::status(path_, error);
  const bool in_parts = kind_ == FileKind::graph && fs::is_directory(old) && !kind_of_file(path_).empty();
  if (fs::exists(old) && !fs::is_regular_file(old) && !in_parts)
    fail("cannot write '{}': it exists and is not a regular file", path_.string());
  check_may_write(path_, kind_);
}

void OutputFile::open_unnamed(Permissions permissions) {
  std::vector<FileHandle> files;
  for (std::size_t i = 0; i < std::max<std::size_t>(parts_, 1); ++i) {
    files.emplace_back(open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions.bits));
    if (files.back().get() < 0) return;
  }
  file_ = std::make_unique<SplitFile>(path_, parts_ > 0, std::move(files), any_size);
}

void OutputFile::fail_to_open(const fs::path& begun) const {
  const int why = errno;
  if (parts_ > 0) remove_parts(begun);
  if (parts_ > 0 && why == EMFILE)
    fail(
        "cannot write '{}': not so many files may be open at once; use fewer, or raise the limit (ulimit -n)",
        path_.string());
  errno = why;
  fail_system("cannot write", path_);
}

void OutputFile::open_named(Permissions permissions) {
  const fs::path name = temporary_name(path_);
  if (parts_ > 0 && mkdir(name.c_str(), 0700) != 0) fail_system("cannot write", path_);
  std::vector<FileHandle> files;
  for (std::size_t i = 0; i < std::max<std::size_t>(parts_, 1); ++i) {
    const fs::path part = parts_ == 0 ? name : name / part_name(i);
    files.emplace_back(open(part.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, permissions.bits));
    if (files.back().get() >= 0) continue;
    const int why = errno;
    files.clear();  // to look into a folder takes one of those that may be open
    errno = why;
    fail_to_open(name);
  }
  temporary_ = name;
  file_ = std::make_unique<SplitFile>(path_, parts_ > 0, std::move(files), any_size);
}

void OutputFile::set_permissions(unsigned bits, bool exact) const { file_->set_permissions(bits, exact); }

void OutputFile::write(std::span<const std::byte> bytes) {
  constexpr std::size_t piece = std::size_t{4} << 20;
  const int file = file_->file(0);
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), piece));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_system("cannot write", path_);
    // The disk starts on this piece while the next one is copied, so that commit() has little left to wait
    // for.
    if (static_cast<std::size_t>(written) == piece) sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::set_size(std::uint64_t size) {
  const std::size_t before = file_->parts();
  file_->set_size(size);
  if (temporary_.empty()) return;
  for (std::size_t i = file_->parts(); i < before; ++i) unlink((temporary_ / part_name(i)).c_str());
}

std::uint64_t OutputFile::part_size() const { return file_->part_size(); }

void OutputFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  file_->write_at(offset, bytes);
}

std::vector<std::string> OutputFile::names_for_others(bool on_this_host) {
  std::vector<std::string> names;
  names.reserve(file_->parts());
  if (temporary_.empty() && !on_this_host) give_name();
  for (std::size_t i = 0; i < file_->parts(); ++i)
    names.push_back(temporary_.empty() ? fmt::format("/proc/{}/fd/{}", getpid(), file_->file(i))
                    : parts_ == 0      ? temporary_.string()
                                       : (temporary_ / part_name(i)).string());
  return names;
}

void OutputFile::give_name() {
  const fs::path name = temporary_name(path_);
  if (parts_ > 0) {
    if (mkdir(name.c_str(), 0700) != 0) fail_system("cannot name the finished file", path_);
    temporary_ = name;
  }
  for (std::size_t i = 0; i < file_->parts(); ++i) {
    const std::string unnamed = fmt::format("/proc/self/fd/{}", file_->file(i));
    const fs::path part = parts_ == 0 ? name : name / part_name(i);
    if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, part.c_str(), AT_SYMLINK_FOLLOW) != 0)
      fail_system("cannot name the finished file", file_->path(i));
  }
  temporary_ = name;
}

// Whoever may read the parts may enter the folder, which has been for its owner only until now.
void OutputFile::open_folder_to_readers() const {
  struct stat status{};
  if (fstat(file_->file(0), &status) != 0) fail_system("cannot read", path_);
  const unsigned bits = status.st_mode & 0666U;
  if (chmod(temporary_.c_str(), 0700U | bits | (bits & 0444U) >> 2U) != 0)
    fail_system("cannot set the permissions of", path_);
  sync_folder_of(temporary_ / part_name(0));
}

void OutputFile::commit() {
  file_->finish();
  check_place();  // again: the work may have taken hours
  if (temporary_.empty()) give_name();
  if (parts_ > 0) open_folder_to_readers();
  if (!put_in_place(temporary_, path_)) fail_system("cannot rename the finished file to", path_);
  temporary_.clear();
  sync_folder_of(path_);  // some file systems cannot
}

namespace {

// A folder of parts is replaced with all that is in it.
bool is_part_of(const fs::path& file, const fs::path& folder) {
  std::error_code none;
  return holds_only_parts(folder) && fs::exists(file, none) &&
         fs::equivalent(fs::weakly_canonical(file, none).parent_path(), folder, none);
}

}  // namespace

void check_not_replaced(const std::vector<std::string>& inputs, const fs::path& output) {
  std::error_code none;  // what does not exist is not the same file
  for (const std::string& input : inputs)
    if (!input.empty() && (fs::equivalent(input, output, none) || is_part_of(input, output)))
      fail_usage("the output '{}' would replace the input '{}'", output.string(), input);
}

void make_folder(const fs::path& folder, bool for_owner_only) {
  std::error_code error;
  if (fs::create_directories(folder, error) && !error && for_owner_only)
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::replace, error);
  if (error || !fs::is_directory(folder, error))
    fail("cannot make the folder '{}': {}", folder.string(),
         error ? error.message() : "there is a file of that name");
}

}  // namespace hushwalk
