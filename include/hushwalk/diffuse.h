// Diffusions on a graph, exactly. Computed in double; the same bytes for any number of threads and for any
// grouping of seeds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hushwalk/diffusion.h"
#include "hushwalk/graph.h"
#include "hushwalk/progress.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// Clipping of every x_v to [lo, eta d_v] before each step, never after the last; lo is 0, or -eta d_v when a
// coefficient is negative. In personalized scope step 1 is not clipped and a seed is clipped to [0, 1] (or
// [-1, 1]) instead.
struct Clip {
  double eta;
  Scope scope = Scope::personalized;
};

// Exact, so never for a release: even the Error{usage} of scores that grow beyond all numbers depends on
// edges.
//
// Scores of all nodes (indexed by Node) for each seed. Many seeds share the cost of reading the graph; the
// result takes 8 bytes per node and seed, so pass thousands of seeds in portions. Error{usage} when a seed is
// not a node of the graph, eta is not positive and finite, or wild coefficients make the result overflow.
std::vector<std::vector<double>> diffuse_exactly(const Graph& graph, const Diffusion& diffusion,
                                                 std::span<const SeedVector> seeds,
                                                 std::optional<Clip> clip = {},
                                                 const Progress& progress = {});

// The same for one seed.
std::vector<double> diffuse_exactly(const Graph& graph, const Diffusion& diffusion, const SeedVector& seed,
                                    std::optional<Clip> clip = {}, const Progress& progress = {});

}  // namespace hushwalk
