// A projection onto the l1 ball inside the loop, as the paper has it: steps of the program on graphs that
// differ in one edge, the same noise, and the Euclidean projection of both.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accounting/sensitivity.h"
#include "audit/pairs.h"
#include "diffusion/lattice_run.h"

namespace hushwalk {
namespace {

using auditing::AdjacentPair;
using Vector = std::vector<double>;

// Onto the points with |x|_1 <= 1 (Duchi, Shalev-Shwartz, Singer and Chandra 2008).
Vector projected(Vector x) {
  Vector sizes;
  for (const double value : x) sizes.push_back(std::abs(value));
  if (std::accumulate(sizes.begin(), sizes.end(), 0.0) <= 1) return x;
  std::ranges::sort(sizes, std::greater());
  double sum = 0, off = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sum += sizes[i];
    const double each = (sum - 1) / static_cast<double>(i + 1);
    if (sizes[i] > each) off = each;
  }
  for (double& value : x) value = std::copysign(std::max(std::abs(value) - off, 0.0), value);
  return x;
}

double distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

Vector state_after(const LatticeDiffusion& lattice, const Graph& graph, const SeedVector& seed,
                   const StepNoise& noise) {
  const auto states = run_on_lattice(graph, lattice, std::span(&seed, 1), 1, noise, {});
  Vector x;
  for (const std::int64_t units : states.front())
    x.push_back(std::ldexp(static_cast<double>(units), -lattice.bits));
  return x;
}

// How far one edge moves the state after one step and noise that makes all nodes equal in the graph without
// it, as a part of rho, which the accountants go on with.
struct Moved {
  double before, after;  // the projection
};
Moved one_step(std::uint64_t nodes) {
  constexpr double eta = 0x1p-10;
  const Diffusion diffusion = Diffusion::ppr(0.75, 1);
  const AdjacentPair pair{"two nodes and others", nodes, {}, {0, 1}, SeedVector::weighted({{0, 1}, {1, 1}})};
  const LatticeDiffusion lattice = make_lattice(diffusion, eta, Scope::edge, 40, {nodes, 2, 1});
  const auto step = [&](const Graph& graph) { return state_after(lattice, graph, pair.seed, {}); };
  const Vector here = step(pair.without());
  Vector there = step(pair.with());
  const Vector even(nodes, 1 / static_cast<double>(nodes));
  for (std::size_t v = 0; v < nodes; ++v) there[v] += even[v] - here[v];
  const double rho = accounting::step_bounds_up(diffusion.steps(), eta, Scope::edge).front().distortion;
  return {distance(even, there) / rho, distance(projected(even), projected(there)) / rho};
}

// Noise that a release may draw, and the projection doubles what the certificate takes as a bound. (In the
// plane and for four nodes it does no harm here.)
TEST(Projection, MovesAdjacentChainsByMoreThanOneStepMay) {
  for (const std::uint64_t nodes : {2U, 4U, 6U, 40U}) {
    const Moved moved = one_step(nodes);
    EXPECT_NEAR(moved.before, 1, 1e-9) << nodes;
    EXPECT_NEAR(moved.after, nodes == 2 ? 0 : 2 - 4 / static_cast<double>(nodes), 1e-6) << nodes;
  }
}

// On one graph: a leaf of a star that has more sends it all to the centre. A step of the simple walk takes
// gamma of a difference, and the projection makes twice as much of it.
TEST(Projection, IsNotAContractionOnAStar) {
  constexpr std::uint64_t nodes = 40;
  constexpr double gamma = 0.75, more = 0x1p-10;
  AdjacentPair star{"star", nodes, {}, {1, 2}, 0};
  for (Node leaf = 1; leaf < nodes; ++leaf) star.edges.emplace_back(0, leaf);
  const Diffusion diffusion = Diffusion::custom({{0, 1, 0}, {gamma, 0, 1 - gamma}});
  const LatticeDiffusion lattice = make_lattice(diffusion, 1, Scope::edge, 40, {nodes, 1, 1});
  // The first step keeps everything, and its noise puts the leaf where it is wanted.
  const auto state = [&](double leaf) {
    return state_after(lattice, star.without(), star.seed,
                       [&](std::size_t step, std::size_t, std::span<std::vector<std::int64_t>> draws) {
                         draws[0].assign(nodes, 0);
                         draws[0][1] = static_cast<std::int64_t>(std::ldexp(leaf, lattice.bits));
                         return step == 0;
                       });
  };
  const Vector here = state(0.25);
  Vector there = state(0.25 + more);
  EXPECT_NEAR(distance(here, there), gamma * more, 1e-9);
  const Vector even(nodes, 1 / static_cast<double>(nodes));
  for (std::size_t v = 0; v < nodes; ++v) there[v] += even[v] - here[v];  // the noise of the second step
  EXPECT_NEAR(distance(projected(even), projected(there)), 2 * (1 - 1 / 40.0) * gamma * more, 1e-9);
}

}  // namespace
}  // namespace hushwalk
