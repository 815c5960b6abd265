// Room for many numbers.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace hushwalk {

// Not touched before it is used, so that threads share the cost of its page faults; aligned to a cache line;
// large ones in huge pages where the system has them, because they are used in random order.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    constexpr std::size_t line = 64, huge_page = std::size_t{1} << 21;
    const std::size_t grain = size * sizeof(T) < huge_page ? line : huge_page;
    const std::size_t bytes = (size * sizeof(T) / grain + 1) * grain;
    data_.reset(static_cast<T*>(std::aligned_alloc(grain, bytes)));
    if (!data_) throw std::bad_alloc();
    if (grain == huge_page) madvise(data_.get(), bytes, MADV_HUGEPAGE);
  }
  T* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::span<const T> span() const noexcept { return {data_.get(), size_}; }
  T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace hushwalk
