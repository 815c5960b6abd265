// An evaluation that goes on where it was.
#include <utility>

#include "base/fail.h"
#include "base/growing_file.h"
#include "evaluation/rows_json.h"
#include "hushwalk/evaluation_codec.h"
#include "hushwalk/mechanism.h"

namespace hushwalk {
namespace {

// A file of JSON lines, locked while it is open.
class Checkpoint {
 public:
  // Makes the file, or reads it and cuts off a line that a killed process left unfinished.
  Checkpoint(const std::filesystem::path& path, Permissions permissions, const Json& work)
      : file_(path, permissions, Links::follow) {
    if (!file_.mine()) fail_usage("'{}' is being written by another process", path.string());
    read(work);
  }

  const std::vector<Json>& lines() const noexcept { return lines_; }  // after the first
  void append(const Json& line) {                                     // on the disk when it returns
    file_.append(line.dump() + "\n");
    file_.sync();
  }

 private:
  void read(const Json& work);

  GrowingFile file_;
  std::vector<Json> lines_ = {};
};

void Checkpoint::read(const Json& work) {
  const std::string text = file_.read_all();
  const std::string path = file_.path().string();
  if (text.empty()) return append(work);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    Json line = Json::parse(text.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    if (begin == 0 && (line.is_discarded() || line != Json::parse(work.dump())))
      fail_usage("'{}' holds other work than this; give another file, or ask for the same as before", path);
    if (line.is_discarded()) fail("'{}' is damaged after byte {}", path, begin);
    if (begin > 0) lines_.push_back(std::move(line));
  }
  if (begin == 0) fail_usage("'{}' is not a file to resume", path);
  if (begin < text.size()) file_.cut(begin);
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
  refuse_several_processes();  // before there is a file
  Checkpoint checkpoint(file, permissions, work_json(request, graph));
  const std::vector<EvaluationRow> done = rows_of(checkpoint, file);
  if (!done.empty()) on_resumed(done.size());
  return evaluate(
      graph, request, [&](const EvaluationRow& row) { checkpoint.append(checkpoint_json(row)); }, progress,
      done);
}

}  // namespace hushwalk
