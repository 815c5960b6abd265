#include "hushwalk/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/file_kind.h"
#include "base/files.h"
#include "base/system_random.h"

namespace hushwalk {
namespace {

namespace fs = std::filesystem;

fs::path temporary_name(const fs::path& path) {
  std::uint64_t salt = 0;
  fill_random(std::as_writable_bytes(std::span(&salt, 1)), "a temporary name");
  return folder_of(path) / fmt::format(".hushwalk-{:016x}.tmp", salt);
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

OutputFile::OutputFile(fs::path path, FileKind kind, Permissions permissions, Links links)
    : path_(resolved(std::move(path), links)), kind_(kind), file_(-1) {
  if (!path_.has_filename()) fail("cannot write '{}': it is not the name of a file", path_.string());
  std::error_code error;
  const fs::file_status old = fs::status(path_, error);
  if (error == std::errc::filename_too_long) fail("cannot write '{}': {}", path_.string(), error.message());
  if (fs::exists(old) && !fs::is_regular_file(old))
    fail("cannot write '{}': it exists and is not a regular file", path_.string());
  check_may_write(path_, kind_);
  file_ = open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions.bits);
  if (file_ < 0) {
    temporary_ = temporary_name(path_);
    file_ = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, permissions.bits);
    if (file_ < 0) fail_system("cannot write", path_);
  }
  // A file that only its owner may read stays so.
  if (permissions.exact || fs::exists(old)) {
    const auto bits = permissions.exact ? permissions.bits : static_cast<unsigned>(old.permissions());
    if (fchmod(file_, bits) != 0 && permissions.exact) fail_system("cannot set the permissions of", path_);
  }
}

OutputFile::~OutputFile() {
  close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  constexpr std::size_t piece = std::size_t{4} << 20;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), std::min(bytes.size(), piece));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_system("cannot write", path_);
    // The disk starts on this piece while the next one is copied, so that commit() has little left to wait
    // for.
    if (static_cast<std::size_t>(written) == piece) sync_file_range(file_, 0, 0, SYNC_FILE_RANGE_WRITE);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::set_size(std::uint64_t size) {
  if (ftruncate(file_, static_cast<off_t>(size)) != 0) fail_system("cannot write", path_);
}

void OutputFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  hushwalk::write_at(file_, path_, offset, bytes);
}

fs::path OutputFile::name_for_others(bool on_this_host) {
  if (temporary_.empty() && on_this_host) return fmt::format("/proc/{}/fd/{}", getpid(), file_);
  if (temporary_.empty()) give_name();
  return temporary_;
}

void OutputFile::give_name() {
  fs::path name = temporary_name(path_);
  const std::string unnamed = fmt::format("/proc/self/fd/{}", file_);
  if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
    fail_system("cannot name the finished file", path_);
  temporary_ = std::move(name);
}

void OutputFile::commit() {
  if (fsync(file_) != 0) fail_system("cannot write", path_);
  check_may_write(path_, kind_);  // again: the work may have taken hours
  if (temporary_.empty()) give_name();
  if (rename(temporary_.c_str(), path_.c_str()) != 0)
    fail_system("cannot rename the finished file to", path_);
  temporary_.clear();
  sync_folder_of(path_);  // some file systems cannot
}

void check_not_replaced(const std::vector<std::string>& inputs, const fs::path& output) {
  std::error_code none;  // what does not exist is not the same file
  for (const std::string& input : inputs)
    if (!input.empty() && fs::equivalent(input, output, none))
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
