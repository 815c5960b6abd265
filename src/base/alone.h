#pragma once

#include <tbb/task_arena.h>

namespace hushwalk {

// Runs `work`, within which a thread that waits for a loop of it takes up nothing else: for what others may
// wait for, since a thread that took up one of these would wait for itself.
template <class Work>
auto alone(const Work& work) {
  return tbb::this_task_arena::isolate(work);
}

}  // namespace hushwalk
