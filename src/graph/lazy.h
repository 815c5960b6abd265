#pragma once

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
    return *value_;
  }

 private:
  std::function<T()> make_;
  mutable std::once_flag once_;
  mutable std::optional<T> value_;
};

}  // namespace hushwalk
