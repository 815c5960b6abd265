// What the custodian sees of the service: an access log and metrics. Neither has an answer in it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "http.h"

namespace hushwalk::service {

// "-" for standard error, "off" for nowhere. Error{failed} when it cannot be written.
class LogFile {
 public:
  explicit LogFile(const std::string& path);
  ~LogFile();
  LogFile(LogFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  LogFile& operator=(LogFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int file() const { return file_; }  // -1: nowhere

 private:
  int file_;
};

// JSON lines: who asked, which route, what it cost, the status.
class AccessLog {
 public:
  AccessLog(LogFile file, bool nodes) : file_(std::move(file)), nodes_(nodes) {}
  void write(const HttpRequest& request, const Replied& what);
  // What went wrong inside, in words for the custodian.
  void complain(const std::string& what);
  void go_on_in(LogFile file, bool nodes);

 private:
  void line(const std::string& text);
  std::mutex mutex_;
  LogFile file_;
  bool nodes_;
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
