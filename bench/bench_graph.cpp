#include "bench_graph.h"

#include "hushwalk/generate.h"

namespace hushwalk::bench {

Graph bench_graph(const std::string& name) {
  return name.ends_with(".hwg") ? Graph::open(name) : hushwalk::generate(name);
}

}  // namespace hushwalk::bench
