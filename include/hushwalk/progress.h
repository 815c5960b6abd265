// How long work reports itself. The library never prints: a caller may show a bar, or stop the work by
// throwing.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace hushwalk {

// Called from one thread at a time with the name of the stage and the part of it that is done, in [0, 1],
// or a negative number when the total is not known. An empty function is ignored.
using Progress = std::function<void(std::string_view stage, double fraction)>;

// The progress of `count` pieces of work, after `done` of `total`, as that of the whole.
Progress part_of(const Progress& whole, std::size_t done, std::size_t count, std::size_t total);

}  // namespace hushwalk
