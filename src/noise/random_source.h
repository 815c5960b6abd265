// Where noise gets its random words. Randomness is always an argument: whoever draws noise is handed a
// stream.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

namespace hushwalk {

// Changes in the child of every fork(), so that no stream goes on there with words its parent will also use.
// A raw clone system call or _Fork() is not noticed.
extern std::atomic<std::uint64_t> fork_generation;

// Its value, from now on counted; Error{failed} when that cannot be.
std::uint64_t watched_fork_generation();

// Error{failed} when the process has forked since: the parent draws the same noise.
void refuse_after_fork(std::uint64_t generation);

// An endless sequence of independent uniform 64-bit words. One thread at a time.
class RandomStream {
 public:
  virtual ~RandomStream();
  RandomStream(const RandomStream&) = delete;
  RandomStream& operator=(const RandomStream&) = delete;

  // Words that nobody else gets; Error{failed} when there are none to be had.
  virtual void fill(std::span<std::uint64_t> words) = 0;

  // The same, one at a time, through a buffer that a forked child throws away.
  std::uint64_t next_word() {
    if (next_ == buffer_.size() || generation_ != fork_generation.load(std::memory_order_relaxed)) refill();
    return buffer_[next_++];
  }

 protected:
  RandomStream();

 private:
  friend class WordReader;
  void refill();

  std::array<std::uint64_t, 512> buffer_;  // long enough for a block cipher to run at full speed
  std::size_t next_ = buffer_.size();
  std::uint64_t generation_;
};

// next_word() for a loop that draws many: looks for a fork only when it begins, keeps its place in registers,
// and gives the place back when it ends. While it lives nothing else may use the stream.
class WordReader {
 public:
  explicit WordReader(RandomStream& stream) : stream_(stream) {
    if (stream.generation_ != fork_generation.load(std::memory_order_relaxed)) stream.next_ = buffer_size;
    next_ = stream.buffer_.data() + stream.next_;
    end_ = stream.buffer_.data() + buffer_size;
    stream.next_ = buffer_size;  // should an exception end the loop, no word is handed out twice
  }
  ~WordReader() { stream_.next_ = buffer_size - static_cast<std::size_t>(end_ - next_); }
  WordReader(const WordReader&) = delete;
  WordReader& operator=(const WordReader&) = delete;

  std::uint64_t next_word() {
    if (next_ == end_) [[unlikely]]
      refill();
    return *next_++;
  }

  void fill(std::span<std::uint64_t> words) {
    while (!words.empty()) {
      if (next_ == end_) refill();
      const std::size_t count = std::min(words.size(), static_cast<std::size_t>(end_ - next_));
      std::copy_n(next_, count, words.begin());
      next_ += count;
      words = words.subspan(count);
    }
  }

 private:
  static constexpr std::size_t buffer_size = std::tuple_size_v<decltype(RandomStream::buffer_)>;

  void refill();

  RandomStream& stream_;
  const std::uint64_t *next_, *end_;
};

}  // namespace hushwalk
