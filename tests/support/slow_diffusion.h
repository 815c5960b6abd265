// The definition of a clipped diffusion, word for word, over the public interface of Graph.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "hushwalk/diffuse.h"

namespace hushwalk::testing {

inline void slow_clip(const Graph& graph, const Clip& clip, bool negative, const SeedVector& seed,
                      std::vector<double>& x) {
  for (Node v = 0; v < graph.nodes(); ++v) {
    double cap = clip.eta * static_cast<double>(graph.degree(v));
    if (clip.scope == Scope::personalized && seed.contains(v)) cap = 1;
    x[v] = std::min(std::max(x[v], negative ? -cap : 0.0), cap);
  }
}

inline std::vector<double> slow_diffuse(const Graph& graph, const Diffusion& diffusion,
                                        const SeedVector& seed, std::optional<Clip> clip = {}) {
  std::vector<double> s(graph.nodes(), 0.0);
  for (const auto& [node, weight] : seed.entries()) s[node] = weight;
  std::vector<double> x = s;
  bool first = true;
  for (const Step& step : diffusion.steps()) {
    if (clip && !(first && clip->scope == Scope::personalized))
      slow_clip(graph, *clip, diffusion.has_negative(), seed, x);
    std::vector<double> next(x.size());
    for (Node v = 0; v < graph.nodes(); ++v) {
      double sum = 0;
      for (const Node u : graph.neighbors(v)) sum += x[u] / static_cast<double>(graph.degree(u));
      next[v] = step.walk * sum + step.stay * x[v] + step.restart * s[v];
    }
    x = next;
    first = false;
  }
  return x;
}

}  // namespace hushwalk::testing
