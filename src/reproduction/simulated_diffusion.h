// Noisy diffusions in floating point, with clips and noise that no certificate covers: to redraw the paper's
// ablations. Nothing here is a release, and nothing here is private.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk::reproduction {

enum class ClipBy { degree, one };  // min(x, eta d) or min(x, eta)
enum class NoiseLaw { laplace, gaussian };

struct Simulation {
  ClipBy clip = ClipBy::degree;
  NoiseLaw noise = NoiseLaw::laplace;
  bool project = false;  // onto the unit l1 ball after every step
  double eta = 0;
  double scale = 0;  // of each of the two draws a step: the b of Laplace, the standard deviation of Gauss
};

// The paper's lazy PPR of every seed, by Node: step 1 without clip and noise, as in personalized scope.
std::vector<std::vector<double>> simulate(const Graph& graph, const Simulation& simulation,
                                          std::span<const Node> seeds);

}  // namespace hushwalk::reproduction
