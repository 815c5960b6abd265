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

  const T& get() const {
    if (make_) std::call_once(once_, [this] { value_ = make_(); });
    made_.store(true, std::memory_order_release);
    return *value_;
  }
  bool made() const noexcept { return !make_ || made_.load(std::memory_order_acquire); }

 private:
  std::function<T()> make_;
  mutable std::once_flag once_;
  mutable std::optional<T> value_;
  mutable std::atomic<bool> made_ = false;
};

}  // namespace hushwalk
