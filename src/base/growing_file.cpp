#include "base/growing_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/fail.h"
#include "base/file_kind.h"

namespace hushwalk {

GrowingFile::GrowingFile(std::filesystem::path path, Permissions permissions, Links links)
    : path_(std::move(path)) {
  check_may_write(path_, FileKind::text);
  const int how = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (links == Links::refuse ? O_NOFOLLOW : 0);
  file_ = FileHandle(::open(path_.c_str(), how | O_EXCL, permissions.bits));
  const bool is_new = file_.get() >= 0;
  if (!is_new && errno == EEXIST) file_ = FileHandle(::open(path_.c_str(), how, permissions.bits));
  if (file_.get() < 0) fail_system("cannot write", path_);
  if (!S_ISREG(status().st_mode)) fail("cannot write '{}': it is not a regular file", path_.string());
  if (!is_new && status().st_uid != ::geteuid())
    fail(
        "cannot write '{}': it belongs to another user, who could read what is written into it. Remove it, or choose another folder",
        path_.string());
  mine_ = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0 && has_its_name();
  if (mine_) set_permissions(permissions);
}

// A run that is taken up again goes on with the permissions that it began with.
void GrowingFile::set_permissions(Permissions permissions) const {
  const struct stat old = status();
  const bool too_many = old.st_size == 0 && (old.st_mode & 07777U & ~permissions.bits) != 0;
  if (!permissions.exact && !too_many) return;
  const unsigned bits = permissions.exact ? permissions.bits : old.st_mode & permissions.bits;
  if (::fchmod(file_.get(), bits) != 0) fail_system("cannot set the permissions of", path_);
}

// Not when whoever had locked it before has just renamed or removed it.
bool GrowingFile::has_its_name() const {
  struct stat named{}, opened{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(file_.get(), &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

struct stat GrowingFile::status() const {
  struct stat status{};
  if (::fstat(file_.get(), &status) != 0) fail_system("cannot read", path_);
  return status;
}

std::uint64_t GrowingFile::size() const { return static_cast<std::uint64_t>(status().st_size); }

std::string GrowingFile::read(std::uint64_t offset, std::size_t count) const {
  std::string text(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const ssize_t more =
        ::pread(file_.get(), text.data() + got, count - got, static_cast<off_t>(offset + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) fail_system("cannot read", path_);
    if (more == 0) break;
    got += static_cast<std::size_t>(more);
  }
  text.resize(got);
  return text;
}

std::string GrowingFile::read_all() const { return read(0, size()); }

void GrowingFile::append(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_system("cannot write", path_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void GrowingFile::cut(std::uint64_t size) {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) fail_system("cannot write", path_);
}

void GrowingFile::sync() {
  if (::fsync(file_.get()) != 0) fail_system("cannot write", path_);
}

}  // namespace hushwalk
