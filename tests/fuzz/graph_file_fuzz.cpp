// An attacker can compute checksums too: they are set right here, by docs/formats.md, so that the checks
// behind them are what is tested.

#include <algorithm>
#include <string>

#include "hushwalk/diffuse.h"
#include "hushwalk/graph.h"
#include "hushwalk/ranking.h"
#include "hushwalk/statistics.h"
#include "input.h"
#include "support/hwg.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  testing::set_checksums(bytes);
  const fuzz::MemoryFile file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return fuzz::expect_error_at_most([&] {
    const Graph graph = Graph::open(file.path());
    for (Node v = 0; v < std::min<std::uint64_t>(graph.nodes(), 20);
         ++v)  // row by row, before all are checked
      for (const Node u : graph.neighbors(v)) fuzz::require(u < graph.nodes() && u != v);
    graph.check();
    std::uint64_t ends = 0;
    for (Node v = 0; v < graph.nodes(); ++v) {
      for (const Node u : graph.neighbors(v)) fuzz::require(u < graph.nodes() && u != v);
      ends += graph.degree(v);
      fuzz::require(graph.node_list().find(graph.node_list().name(v)) == v);
    }
    fuzz::require(ends == 2 * graph.secret_edges());
    if (graph.nodes() == 0 || graph.nodes() > 1000) return;
    const GraphStatistics s = statistics(graph);
    fuzz::require(s.max_degree < graph.nodes() && s.components >= 1);
    const Node last = static_cast<Node>(graph.nodes() - 1);
    for (const Clip clip : {Clip{1e-3, Scope::personalized}, Clip{1e-3, Scope::edge}})
      fuzz::require(top_k(diffuse_exactly(graph, Diffusion::ppr(0.8, 5), last, clip), 3).size() <= 3);
  });
}
