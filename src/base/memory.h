#pragma once

#include <malloc.h>

namespace hushwalk {

// What was freed in small pieces goes back to the system: before a step that takes as much as the one before
// it, in pieces of other sizes.
inline void give_memory_back() { malloc_trim(0); }

}  // namespace hushwalk
