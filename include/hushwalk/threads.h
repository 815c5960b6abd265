// How many threads the library may use.
#pragma once

#include <memory>

namespace hushwalk {

// While it lives, at most `threads` threads run (the calling one included), whoever calls: it is a limit of
// the whole process, and of several the smallest holds. Results never depend on it.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);  // Error{usage} unless 1 <= threads <= 4096
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hushwalk
