// Where graphs lie that answers come from.
#pragma once

#include <functional>
#include <string>

#include "hushwalk/graph.h"

namespace hushwalk::cli {

// Reads a graph file that is spread over several processes. None in the program for one machine, which reads
// it as a whole.
inline std::function<Graph(const std::string& path)> open_spread;

}  // namespace hushwalk::cli
