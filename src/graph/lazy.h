#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace hushwalk {

// A value made at its first use, by one thread; when making it throws, the next use tries again.
template <class T>
class Lazy {
 public:
  explicit Lazy(T value) : value_(std::move(value)) {}
  explicit Lazy(std::function<T()> make) : make_(std::move(make)) {}

  // Not std::call_once: under the thread sanitizer it waits for ever after an exception.
  const T& get() const {
    if (made()) return *value_;
    const std::scoped_lock lock(mutex_);
    if (!made()) value_ = make_(), made_.store(true, std::memory_order_release);
    return *value_;
  }
  bool made() const noexcept { return !make_ || made_.load(std::memory_order_acquire); }

 private:
  std::function<T()> make_;
  mutable std::mutex mutex_;
  mutable std::optional<T> value_;
  mutable std::atomic<bool> made_ = false;
};

}  // namespace hushwalk
