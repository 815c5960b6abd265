// An evaluation that goes on where it was.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/fail.h"
#include "evaluation/rows_json.h"
#include "hushwalk/evaluation_codec.h"

namespace hushwalk {
namespace {

// A file of JSON lines, locked while it is open.
class Checkpoint {
 public:
  // Makes the file, or reads it and cuts off a line that a killed process left unfinished.
  Checkpoint(std::filesystem::path path, Permissions permissions, const Json& work);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const std::vector<Json>& lines() const noexcept { return lines_; }  // after the first
  void append(const Json& line);                                      // on the disk when it returns

 private:
  void read(const Json& work);
  [[noreturn]] void fail_to(const char* action) const;

  std::filesystem::path path_;
  int file_;
  std::vector<Json> lines_;
};

Checkpoint::Checkpoint(std::filesystem::path path, Permissions permissions, const Json& work)
    : path_(std::move(path)),
      file_(open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, permissions.bits)) {
  if (file_ < 0) fail_to("open");
  try {
    if (permissions.exact && fchmod(file_, permissions.bits) != 0) fail_to("set the permissions of");
    if (flock(file_, LOCK_EX | LOCK_NB) != 0)
      fail_usage("'{}' is being written by another process", path_.string());
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
    if (count < 0) fail_to("read");
    if (count == 0) break;
    text.append(buffer, 0, static_cast<std::size_t>(count));
  }
  if (text.empty()) return append(work);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    Json line = Json::parse(text.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    if (begin == 0 && (line.is_discarded() || line != Json::parse(work.dump())))
      fail_usage("'{}' holds other work than this; give another file, or the same flags as before",
                 path_.string());
    if (line.is_discarded()) hushwalk::fail("'{}' is damaged after byte {}", path_.string(), begin);
    if (begin > 0) lines_.push_back(std::move(line));
  }
  if (begin == 0) fail_usage("'{}' is not a file to resume", path_.string());
  if (begin < text.size() && ftruncate(file_, static_cast<off_t>(begin)) != 0) fail_to("shorten");
}

void Checkpoint::append(const Json& line) {
  const std::string text = line.dump() + "\n";
  // One call, so that a process that is killed leaves whole lines; a full disk can still cut it short.
  const ssize_t written = write(file_, text.data(), text.size());
  if (written >= 0 && static_cast<std::size_t>(written) < text.size()) errno = ENOSPC;
  if (written != static_cast<ssize_t>(text.size()) || fdatasync(file_) != 0) fail_to("write");
}

void Checkpoint::fail_to(const char* action) const {
  throw Error(ErrorCode::failed,
              fmt::format("cannot {} '{}': {}", action, path_.string(), std::strerror(errno)));
}

// The first line.
Json work_json(const EvaluationRequest& request, const Graph& graph) {
  Json work = request_json(request);
  work["coefficients"] = Json::array();
  if (!request.release.diffusion.parameter())
    for (const Step& step : request.release.diffusion.steps())
      work["coefficients"].push_back({step.walk, step.stay, step.restart});
  work["graph"] = {
      {"nodes", graph.nodes()}, {"edges", graph.secret_edges()}, {"graph_id", graph.facts().graph_id}};
  return {{"evaluation", work}, {"private", false}};
}

std::vector<EvaluationRow> rows_of(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  std::vector<EvaluationRow> rows;
  try {
    for (const Json& line : checkpoint.lines()) rows.push_back(row_from_checkpoint(line));
  } catch (const Json::exception& error) {
    fail("'{}' is damaged: {}", path.string(), error.what());
  }
  return rows;
}

}  // namespace

EvaluationSummary evaluate_resumably(const Graph& graph, const EvaluationRequest& request,
                                     const std::filesystem::path& file, Permissions permissions,
                                     const std::function<void(std::size_t rows)>& on_resumed,
                                     const Progress& progress) {
  Checkpoint checkpoint(file, permissions, work_json(request, graph));
  const std::vector<EvaluationRow> done = rows_of(checkpoint, file);
  if (!done.empty()) on_resumed(done.size());
  return evaluate(
      graph, request, [&](const EvaluationRow& row) { checkpoint.append(checkpoint_json(row)); }, progress,
      done);
}

}  // namespace hushwalk
