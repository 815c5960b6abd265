// What the custodian sees of the service: an access log and metrics. Neither has an answer in it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "http.h"

namespace hushwalk::service {

// JSON lines: who asked, which route, what it cost, the status.
class AccessLog {
 public:
  // A file, "-" for standard error, "off" for nowhere. Error{failed} when it cannot be written.
  explicit AccessLog(std::string path, bool nodes);
  ~AccessLog();
  void write(const HttpRequest& request, const Replied& what);
  // What went wrong inside, in words for the custodian.
  void complain(const std::string& what);
  void reopen(std::string path, bool nodes);  // after the file was moved away

 private:
  void line(const std::string& text);
  std::mutex mutex_;
  std::string path_;
  bool nodes_ = false;
  int file_ = -1;
};

// Counts for Prometheus. Times are whole buckets: no finer one is known here.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  void count_reply(const std::string& route, const Replied& what);
  void count_repeat();
  void count_charge(const std::string& graph, double epsilon);
  struct Levels {
    std::uint64_t connections = 0, queued = 0, cache_bytes = 0, graphs = 0;
  };
  std::string text(const Levels& levels);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hushwalk::service
