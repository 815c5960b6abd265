#include <hushwalk/hushwalk.h>

#include <cstdio>

int main() {
  using namespace hushwalk;
  const Graph graph = Graph::from_edges(NodeList::names({"ann", "bob", "eve"}), {{0, 1}, {1, 2}});
  const Node ann = *graph.node_list().find("ann");
  for (const Ranked& entry : top_k(diffuse_exactly(graph, Diffusion::ppr(), ann), 2, {&ann, 1}))
    std::printf("%s %.3f\n", graph.node_list().name(entry.node).c_str(), entry.score);
  try {
    Graph::open("missing.hwg");
  } catch (const Error& error) {
    std::printf("%d\n", static_cast<int>(error.code()));
  }
}
