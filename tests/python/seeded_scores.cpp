// The same releases by the C++ interface alone. Usage: seeded_scores GRAPH SEED MECHANISM EPSILON KEY
#include <cstdio>
#include <cstdlib>

#include "hushwalk/import.h"
#include "python/seeded_release.h"

int main(int, char** arguments) {
  using namespace hushwalk;
  const Graph graph = open_graph(arguments[1]).graph;
  const ReleaseParameters parameters{.mechanism = arguments[3], .epsilon = Epsilon(std::atof(arguments[4]))};
  const Node seed = *graph.node_list().find(std::string_view(arguments[2]));
  for (const double score :
       testing::seeded_scores(graph, seed, parameters, std::strtoull(arguments[5], nullptr, 10)))
    std::printf("%a\n", score);
}
