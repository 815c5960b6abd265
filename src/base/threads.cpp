#include "hushwalk/threads.h"

#include <tbb/global_control.h>

#include "base/fail.h"

namespace hushwalk {

struct ThreadLimit::Impl {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads) {
  if (threads < 1 || threads > 4096)
    fail_usage("the number of threads must be from 1 to 4096, not {}", threads);
  impl_.reset(new Impl{{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)}});
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace hushwalk
