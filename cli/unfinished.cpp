#include "unfinished.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace hushwalk::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffered = std::size_t{1} << 20;

[[noreturn]] void fail_on(const char* what, const fs::path& path) {
  throw Error(ErrorCode::failed,
              fmt::format("cannot {} '{}': {}", what, path.string(), std::strerror(errno)));
}

template <class... Args>
[[noreturn]] void failed(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::failed, fmt::format(text, std::forward<Args>(args)...));
}

fs::path with_ending(const fs::path& path, const char* ending) {
  fs::path named = path;
  named += ending;
  return named;
}

// Of this process alone until it is closed. Never through a link, which somebody else may have put there.
int open_alone(const fs::path& path, Permissions permissions, bool resume) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, permissions.bits);
  if (file < 0) fail_on("write", path);
  std::string fault;
  if (permissions.exact && fchmod(file, permissions.bits) != 0) fault = "its permissions cannot be set";
  if (flock(file, LOCK_EX | LOCK_NB) != 0) fault = "another run is writing it";
  if (fault.empty() && !resume && lseek(file, 0, SEEK_END) > 0)
    fault = "it is of a run that was stopped: go on with --resume, or remove it";
  if (fault.empty()) return file;
  close(file);
  failed("cannot write '{}': {}", path.string(), fault);
}

void write_to(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on("write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_from(int file, std::uint64_t offset, std::size_t count, const fs::path& path) {
  std::string text(count, '\0');
  const ssize_t got = pread(file, text.data(), count, static_cast<off_t>(offset));
  if (got < 0) fail_on("read", path);
  text.resize(static_cast<std::size_t>(got));
  return text;
}

[[noreturn]] void fail_another_request(const fs::path& path) {
  failed(
      "'{}' is of another request (of other seeds, flags, another graph, ledger, artefact or version): go on with that one, or remove the file",
      path.string());
}

}  // namespace

UnfinishedFile::UnfinishedFile(const fs::path& path, std::string request, bool resume,
                               Permissions permissions)
    : path_(path),
      body_(with_ending(path, ".unfinished")),
      note_(with_ending(path, ".unfinished.json")),
      request_(std::move(request)),
      permissions_(permissions),
      file_(open_alone(body_, permissions, resume)) {}

UnfinishedFile::~UnfinishedFile() {
  try {
    flush();
  } catch (const Error&) {  // what is lost is computed again
    buffer_.clear();
  }
  if (!committed_ && lseek(file_, 0, SEEK_END) == 0)
    unlink(body_.c_str());  // refused before there was anything
  close(file_);
}

std::size_t UnfinishedFile::take_up(RankingWriter& writer, const std::vector<SeedVector>& seeds) {
  std::uint64_t at = 0;
  std::size_t done = 0;
  const int note = open(note_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (note >= 0) {
    const Json said = Json::parse(read_from(note, 0, 1 << 16, note_), nullptr, false);
    close(note);
    if (!said.is_object() || said.value("request", "") != request_) fail_another_request(note_);
    salt_ = said.value("salt", "");
    const std::string begin = writer.begin();
    if (read_from(file_, 0, begin.size(), body_) == begin) at = begin.size();
    std::size_t window = buffered;
    while (at >= begin.size() && window <= (buffered << 10)) {  // a ranking may be long
      const std::string text = read_from(file_, at, window, body_);
      const auto taken = writer.take_up(text, std::span(seeds).subspan(done), salt_);
      at += taken.bytes;
      done += taken.rankings;
      if (taken.rankings > 0) continue;
      if (text.size() < window) break;
      window *= 2;
    }
  }
  if (done == 0) at = 0;
  if (ftruncate(file_, static_cast<off_t>(at)) != 0 || lseek(file_, 0, SEEK_END) < 0) fail_on("write", body_);
  return done;
}

void UnfinishedFile::begin(const std::string& salt, std::string_view text) {
  salt_ = salt;
  OutputFile note(note_, FileKind::text, {0600, /*exact=*/true});
  note.write(Json{{"request", request_}, {"salt", salt}}.dump() + "\n");
  note.commit();
  write(text);
}

void UnfinishedFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffered) flush();
}

void UnfinishedFile::flush() { write_to(file_, std::exchange(buffer_, {}), body_); }

void UnfinishedFile::commit() {
  flush();
  if (fsync(file_) != 0) fail_on("write", body_);
  OutputFile::check(path_, FileKind::text);  // the work may have taken hours
  if (rename(body_.c_str(), path_.c_str()) != 0) fail_on("rename the finished file to", path_);
  committed_ = true;
  unlink(note_.c_str());
}

UnfinishedFolder::UnfinishedFolder(const fs::path& folder, const std::string& request, bool resume)
    : log_(folder / ".hushwalk-unfinished"), file_(open_alone(log_, {0600, true}, resume)) {
  std::string text;
  while (true) {
    const std::string more = read_from(file_, text.size(), buffered, log_);
    if (more.empty()) break;
    text += more;
  }
  const std::string head = request + "\n";
  if (text.empty()) write_to(file_, text = head, log_);
  if (!text.starts_with(head)) fail_another_request(log_);
  const std::size_t end = text.rfind('\n') + 1;
  for (std::size_t at = head.size(); at < end; at = text.find('\n', at) + 1) ++done_;
  if (ftruncate(file_, static_cast<off_t>(end)) != 0 || lseek(file_, 0, SEEK_END) < 0) fail_on("write", log_);
}

UnfinishedFolder::~UnfinishedFolder() { close(file_); }

void UnfinishedFolder::add(const std::string& name) { write_to(file_, name + "\n", log_); }

void UnfinishedFolder::commit() { unlink(log_.c_str()); }

}  // namespace hushwalk::cli
