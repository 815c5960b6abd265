#include "checkpoint.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace hushwalk::cli {

Checkpoint::Checkpoint(std::filesystem::path path, Permissions permissions, const Json& work)
    : path_(std::move(path)),
      file_(open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, permissions.bits)) {
  if (file_ < 0) fail("open");
  try {
    if (permissions.exact && fchmod(file_, permissions.bits) != 0) fail("set the permissions of");
    if (flock(file_, LOCK_EX | LOCK_NB) != 0)
      usage_error(fmt::format("'{}' is being written by another process", path_.string()));
    read(work);
  } catch (...) {
    close(file_);
    throw;
  }
}

Checkpoint::~Checkpoint() { close(file_); }

void Checkpoint::read(const Json& work) {
  std::string text;
  std::string buffer(1 << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(file_, buffer.data(), buffer.size());
    if (count < 0) fail("read");
    if (count == 0) break;
    text.append(buffer, 0, static_cast<std::size_t>(count));
  }
  if (text.empty()) return append(work);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    Json line = Json::parse(text.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    if (begin == 0 && (line.is_discarded() || line != Json::parse(work.dump())))
      usage_error(fmt::format(
          "'{}' holds other work than this; give another file, or the same flags as before", path_.string()));
    if (line.is_discarded())
      throw Error(ErrorCode::failed, fmt::format("'{}' is damaged after byte {}", path_.string(), begin));
    if (begin > 0) lines_.push_back(std::move(line));
  }
  if (begin == 0) usage_error(fmt::format("'{}' is not a file to resume", path_.string()));
  if (begin < text.size() && ftruncate(file_, static_cast<off_t>(begin)) != 0) fail("shorten");
}

void Checkpoint::append(const Json& line) {
  const std::string text = line.dump() + "\n";
  // One call, so that a process that is killed leaves whole lines; a full disk can still cut it short.
  const ssize_t written = write(file_, text.data(), text.size());
  if (written >= 0 && static_cast<std::size_t>(written) < text.size()) errno = ENOSPC;
  if (written != static_cast<ssize_t>(text.size()) || fdatasync(file_) != 0) fail("write");
}

void Checkpoint::fail(const char* action) const {
  throw Error(ErrorCode::failed,
              fmt::format("cannot {} '{}': {}", action, path_.string(), std::strerror(errno)));
}

}  // namespace hushwalk::cli
