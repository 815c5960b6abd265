// An attacker can compute checksums too: they are set right here, by docs/formats.md, so that the checks
// behind them are what is tested.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "hushwalk/diffusion.h"
#include "hushwalk/graph.h"
#include "hushwalk/ranking.h"
#include "hushwalk/statistics.h"
#include "input.h"

namespace {

std::uint64_t load(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void store(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint64_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void set_checksums(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < 256) return;
  for (std::size_t entry = 64; entry < 64 + 6 * 24; entry += 24) {
    const std::uint64_t offset = load(bytes, entry), size = load(bytes, entry + 8);
    if (offset <= bytes.size() && size <= bytes.size() - offset)
      store(bytes, entry + 16, XXH3_64bits(bytes.data() + offset, size));
  }
  store(bytes, 248, XXH3_64bits(bytes.data(), 248));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hushwalk;
  std::vector<std::uint8_t> bytes(data, data + size);
  set_checksums(bytes);
  const fuzz::MemoryFile file(bytes.data(), bytes.size());
  return fuzz::expect_error_at_most([&] {
    const Graph graph = Graph::open(file.path());
    std::uint64_t ends = 0;
    for (Node v = 0; v < graph.nodes(); ++v) {
      for (const Node u : graph.neighbors(v)) fuzz::require(u < graph.nodes() && u != v);
      ends += graph.degree(v);
      fuzz::require(graph.node_list().find(graph.node_list().name(v)) == v);
    }
    fuzz::require(ends == 2 * graph.edges());
    if (graph.nodes() == 0 || graph.nodes() > 1000) return;
    const GraphStatistics s = statistics(graph);
    fuzz::require(s.max_degree < graph.nodes() && s.components >= 1);
    const Node last = static_cast<Node>(graph.nodes() - 1);
    for (const Clip clip : {Clip{1e-3, Scope::personalized}, Clip{1e-3, Scope::edge}})
      fuzz::require(top_k(diffuse(graph, Diffusion::ppr(0.8, 5), last, clip), 3).size() <= 3);
  });
}
