// The graphs everything is measured on.
#pragma once

#include <string>

#include "hushwalk/graph.h"

namespace hushwalk::bench {

Graph bench_graph(const std::string& name);  // a graph file, or what `hushwalk generate` calls it

}  // namespace hushwalk::bench
