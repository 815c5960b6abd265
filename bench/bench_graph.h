// The graph everything is measured on.
#pragma once

#include "hushwalk/graph.h"

namespace hushwalk::bench {

Graph bench_graph();

}  // namespace hushwalk::bench
