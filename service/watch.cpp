#include "watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "hushwalk/error.h"
#include "hushwalk/graph_notes.h"
#include "hushwalk/output_file.h"

namespace hushwalk::service {
namespace {

int open_log(const std::string& path) {
  if (path == "off") return -1;
  if (path == "-") return dup(STDERR_FILENO);
  std::error_code error;
  const std::filesystem::file_status there = status(std::filesystem::path(path), error);
  if (!exists(there) || is_regular_file(there))  // a pipe or a terminal replaces nothing
    OutputFile::check_kind(path, FileKind::text);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0)
    throw Error(ErrorCode::failed, fmt::format("cannot write the log '{}': {}", path, std::strerror(errno)));
  return file;
}

}  // namespace

LogFile::LogFile(const std::string& path) : file_(open_log(path)) {}
LogFile::~LogFile() {
  if (file_ >= 0) close(file_);
}

void AccessLog::go_on_in(LogFile file, bool nodes) {
  const std::scoped_lock lock(mutex_);
  file_ = std::move(file);
  nodes_ = nodes;
}

// One write for each line, so that lines of several threads or processes do not mix.
void AccessLog::line(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  if (file_.file() >= 0 && ::write(file_.file(), text.data(), text.size()) < 0)
    return;  // a full disk stops no answer
}

void AccessLog::write(const HttpRequest& request, const Replied& what) {
  if (file_.file() < 0) return;
  nlohmann::ordered_json entry = {
      {"at", time_now()}, {"peer", request.peer}, {"status", what.status}, {"bytes", what.bytes}};
  if (!what.complete) entry["complete"] = false;
  if (const auto& note = request.note) {
    entry["route"] = note->route;
    if (!note->key.empty()) entry["key"] = note->key;
    if (!note->graph.empty()) entry["graph"] = note->graph;
    if (note->epsilon > 0) entry["epsilon"] = note->epsilon;
    if (nodes_ && !note->nodes.empty()) entry["nodes"] = nlohmann::ordered_json::parse(note->nodes);
  }
  line(entry.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void AccessLog::complain(const std::string& what) {
  line(nlohmann::ordered_json{{"at", time_now()}, {"fault", what}}.dump(
           -1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) +
       "\n");
}

struct Metrics::Impl {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& replies = prometheus::BuildCounter()
                                                         .Name("hushwalk_replies_total")
                                                         .Help("Replies by route and status")
                                                         .Register(registry);
  prometheus::Histogram& releases =
      prometheus::BuildHistogram()
          .Name("hushwalk_release_buckets")
          .Help("In which bucket of time a reply left that had to wait for one")
          .Register(registry)
          .Add({}, prometheus::Histogram::BucketBoundaries{1, 2, 4, 8, 16, 32, 64, 128});
  prometheus::Counter& repeats = prometheus::BuildCounter()
                                     .Name("hushwalk_repeats_total")
                                     .Help("Questions that were answered from memory")
                                     .Register(registry)
                                     .Add({});
  prometheus::Family<prometheus::Counter>& charged =
      prometheus::BuildCounter()
          .Name("hushwalk_charged_epsilon_total")
          .Help("What was charged to those who asked, by graph")
          .Register(registry);
  prometheus::Family<prometheus::Gauge>& levels = prometheus::BuildGauge()
                                                      .Name("hushwalk_level")
                                                      .Help("How much there is of something now")
                                                      .Register(registry);
  prometheus::Gauge& connections = levels.Add({{"of", "connections"}});
  prometheus::Gauge& queued = levels.Add({{"of", "queued_requests"}});
  prometheus::Gauge& cache = levels.Add({{"of", "cache_bytes"}});
  prometheus::Gauge& graphs = levels.Add({{"of", "graphs"}});
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Metrics::count_reply(const std::string& route, const Replied& what) {
  const std::string status = what.complete ? std::to_string(what.status) : "incomplete";
  impl_->replies.Add({{"route", route}, {"status", status}}).Increment();
  if (what.release > 0) impl_->releases.Observe(static_cast<double>(what.release));
}
void Metrics::count_repeat() { impl_->repeats.Increment(); }
void Metrics::count_charge(const std::string& graph, double epsilon) {
  if (epsilon > 0) impl_->charged.Add({{"graph", graph}}).Increment(epsilon);
}

std::string Metrics::text(const Levels& levels) {
  impl_->connections.Set(static_cast<double>(levels.connections));
  impl_->queued.Set(static_cast<double>(levels.queued));
  impl_->cache.Set(static_cast<double>(levels.cache_bytes));
  impl_->graphs.Set(static_cast<double>(levels.graphs));
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace hushwalk::service
