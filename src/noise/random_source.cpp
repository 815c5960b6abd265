#include "noise/random_source.h"

#include <openssl/crypto.h>
#include <pthread.h>

#include "base/fail.h"

namespace hushwalk {

std::atomic<std::uint64_t> fork_generation{0};

std::uint64_t watched_fork_generation() {
  static const int error = pthread_atfork(nullptr, nullptr, [] { ++fork_generation; });
  if (error != 0) fail("cannot watch for forks (error {}), so noise might repeat: no noise is drawn", error);
  return fork_generation;
}

void refuse_after_fork(std::uint64_t generation) {
  if (generation != fork_generation.load(std::memory_order_relaxed))
    fail(
        "this process was forked after its release began, and its parent has the same key: no noise is drawn; begin the release after the fork");
}

RandomStream::RandomStream() : generation_(watched_fork_generation()) {}

// Words still in the buffer, or just used, are as secret as the noise made of them.
RandomStream::~RandomStream() { OPENSSL_cleanse(buffer_.data(), sizeof buffer_); }

void RandomStream::refill() {
  next_ = buffer_.size();  // should fill() throw, nothing old is handed out
  generation_ = fork_generation;
  fill(buffer_);
  next_ = 0;
}

void WordReader::refill() {
  next_ =
      end_;  // should refill() throw, the words left over are not handed out: they may be half overwritten
  stream_.refill();
  next_ = stream_.buffer_.data();
  stream_.next_ = buffer_size;
}

}  // namespace hushwalk
