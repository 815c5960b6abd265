#include "bench_graph.h"

#include "hushwalk/generate.h"

namespace hushwalk::bench {

Graph bench_graph() { return hushwalk::generate("blogcatalog-like"); }

}  // namespace hushwalk::bench
