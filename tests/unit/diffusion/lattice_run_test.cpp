#include "diffusion/lattice_run.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "support/arbitrary.h"
#include "support/slow_diffusion.h"

namespace hushwalk {
namespace {

// The lattice without noise is the clipped diffusion in real numbers, up to rounding.
RC_GTEST_PROP(LatticeRun, IsTheClippedDiffusion, ()) {
  const Graph graph = testing::arbitrary_graph(12);
  const SeedVector seed = testing::arbitrary_seeds(graph);
  const Scope scope = *rc::gen::element(Scope::personalized, Scope::edge);
  const double beta = *rc::gen::inRange(1, 10) / 10.0;
  const Diffusion diffusion =
      *rc::gen::element(Diffusion::ppr(beta, 6), Diffusion::pagerank(beta, 6), Diffusion::heat(beta, 6),
                        Diffusion::custom({{0.5, 0.25, 0.25}, {-0.75, 1.25, 0.5}, {0.25, -0.5, 1.25}}));
  const double eta = *rc::gen::element(0x1p-3, 0x1p-6, 0x1p-10);
  const HeadRoom room{graph.nodes(), seed.entries().size(), 1};
  const int bits = finest_lattice(diffusion, eta, room);
  RC_ASSERT(bits > 40);
  const LatticeDiffusion lattice = make_lattice(diffusion, eta, scope, bits, room);
  const auto states = run_on_lattice(graph, lattice, std::span(&seed, 1), 1, {}, {});
  const auto expected = testing::slow_diffuse(graph, diffusion, seed, Clip{eta, scope});
  for (Node v = 0; v < graph.nodes(); ++v)
    RC_ASSERT(std::abs(std::ldexp(static_cast<double>(states[0][v]), -bits) - expected[v]) < 1e-9);
}

}  // namespace
}  // namespace hushwalk
