// `paper` on tiny graphs and a coarse lattice: all its noise, hence the whole distribution of its answer on
// both graphs, and the true divergences between them against what the accountants certify. The deterministic
// part is the program's own (run_on_lattice); only the noise is replaced by all its values with their
// probabilities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accounting/accountants.h"
#include "accounting/lattice_price.h"
#include "accounting/renyi.h"
#include "audit/pairs.h"
#include "diffusion/lattice_run.h"
#include "mechanism/mechanism.h"

namespace hushwalk {
namespace {

using accounting::Chain;
using accounting::ChainStep;
using accounting::FittingChain;
using auditing::AdjacentPair;

// Mass on the points of [-reach, reach]^dimensions.
struct Grid {
  int dimensions, reach;
  std::vector<double> mass;

  Grid(int dims, int far) : dimensions(dims), reach(far), mass(size(dims, far), 0.0) {}
  static std::size_t size(int dims, int far) {
    return dims == 0 ? 1 : static_cast<std::size_t>(2 * far + 1) * size(dims - 1, far);
  }
  std::size_t side() const { return static_cast<std::size_t>(2 * reach + 1); }
  std::vector<std::int64_t> point(std::size_t index) const {
    std::vector<std::int64_t> x(static_cast<std::size_t>(dimensions));
    for (std::int64_t& value : x) value = static_cast<std::int64_t>(index % side()) - reach, index /= side();
    return x;
  }
  std::size_t index(const std::vector<std::int64_t>& x) const {
    std::size_t result = 0;
    for (std::size_t i = x.size(); i-- > 0;)
      result =
          result * side() + static_cast<std::size_t>(std::clamp<std::int64_t>(x[i], -reach, reach) + reach);
    return result;
  }
  // One discrete Laplace draw on every coordinate, as two one-sided recursions. What leaves the grid is lost.
  void add_noise(double scale) {
    const double q = std::exp(-1 / scale), zero = (1 - q) / (1 + q);
    std::size_t stride = 1;
    for (int d = 0; d < dimensions; ++d, stride *= side())
      for (std::size_t start = 0; start < mass.size(); ++start) {
        if (start / stride % side() != 0) continue;
        std::vector<double> line(side());
        for (std::size_t i = 0; i < side(); ++i) line[i] = mass[start + i * stride];
        std::vector<double> noisy = line;
        double below = 0, above = 0;
        for (std::size_t i = 0; i < side(); ++i) noisy[i] += below, below = q * (below + line[i]);
        for (std::size_t i = side(); i-- > 0;) noisy[i] += above, above = q * (above + line[i]);
        for (std::size_t i = 0; i < side(); ++i) mass[start + i * stride] = zero * noisy[i];
      }
  }
};

double divergence(const Grid& p, const Grid& q, double order) {
  constexpr double least = 1e-13;  // below it rounding speaks
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < p.mass.size(); ++i) {
    if (p.mass[i] < least || q.mass[i] < least) continue;
    sum += p.mass[i] * std::pow(p.mass[i] / q.mass[i], order - 1);
    most = std::max(most, std::log(p.mass[i] / q.mass[i]));
  }
  return std::isinf(order) ? most : std::log(sum) / (order - 1);
}

double symmetric_divergence(const Grid& p, const Grid& q, double order) {
  return std::max(divergence(p, q, order), divergence(q, p, order));
}

struct Tiny {
  Diffusion diffusion;
  Scope scope;
  double eta;
  int bits;
  double scale;  // of a draw, in units
  int draws;

  LatticeDiffusion lattice(const AdjacentPair& pair) const {
    return make_lattice(diffusion, eta, scope, bits, {pair.nodes, pair.seed.entries().size(), 1e6});
  }
  Chain chain(const AdjacentPair& pair, int priced_draws) const {
    std::vector<ChainStep> steps;
    const PublicFacts facts = public_facts(pair.nodes);
    for (const auto& bound :
         accounting::lattice_bounds_up({{diffusion.steps().begin(), diffusion.steps().end()},
                                        scope,
                                        static_cast<double>(lattice(pair).cap),
                                        bits,
                                        facts.nodes,
                                        facts.max_edges}))
      steps.push_back({bound, priced_draws});
    if (scope == Scope::personalized) steps.front().draws = 0;
    return {std::move(steps), accounting::Noise::discrete_laplace, scale};
  }
};

// The distribution of the answer. There are at most two noisy steps: the noise of the first is enumerated,
// that of the last is convolved.
Grid outcome(const Tiny& tiny, const AdjacentPair& pair, const Graph& graph, int reach) {
  const LatticeDiffusion lattice = tiny.lattice(pair);
  const int dimensions = static_cast<int>(pair.nodes);
  const std::size_t last = lattice.steps.size() - 1;
  const auto run = [&](const LatticeDiffusion& steps, std::size_t noisy_step,
                       const std::vector<std::int64_t>& noise) {
    return run_on_lattice(graph, steps, std::span(&pair.seed, 1), 1,
                          [&](std::size_t step, std::size_t, std::span<std::vector<std::int64_t>> draws) {
                            if (step != noisy_step) return false;
                            draws[0] = noise;
                            return true;
                          },
                          {})
        .front();
  };
  const std::size_t first = tiny.scope == Scope::personalized ? 1 : 0;
  Grid result(dimensions, reach);
  if (first == last) {
    result.mass[result.index(run(lattice, last + 1, {}))] = 1;
  } else {
    Grid noise(dimensions, reach);
    noise.mass[noise.index(std::vector<std::int64_t>(pair.nodes, 0))] = 1;
    for (int i = 0; i < tiny.draws; ++i) noise.add_noise(tiny.scale);
    for (std::size_t i = 0; i < noise.mass.size(); ++i) {
      if (noise.mass[i] < 1e-16) continue;
      result.mass[result.index(run(lattice, first, noise.point(i)))] += noise.mass[i];
    }
  }
  for (int i = 0; i < tiny.draws; ++i) result.add_noise(tiny.scale);
  return result;
}

constexpr double orders[] = {1.2, 2, 4, 16, accounting::infinite_order};

// Two nodes; three nodes with a seed.
AdjacentPair two_nodes() { return auditing::worst_pairs(Scope::edge).front(); }
AdjacentPair triangle() { return auditing::worst_pairs(Scope::personalized).front(); }

TEST(Enumeration, ThePaperStaysBelowEveryAccountantOnTwoNodes) {
  double closest = 0;
  for (const Diffusion& diffusion :
       {Diffusion::ppr(0.8, 1), Diffusion::ppr(0.5, 2), Diffusion::pagerank(0.8, 2), Diffusion::heat(1, 2),
        Diffusion::custom({{0.5, 0.25, 0.25}, {-0.75, 1.25, 0.5}})})
    for (const int draws : {1, 2}) {
      const Tiny tiny{diffusion, Scope::edge, 0.25, 6, 8, draws};
      const AdjacentPair pair = two_nodes();
      const Grid p = outcome(tiny, pair, pair.without(), 130), q = outcome(tiny, pair, pair.with(), 130);
      EXPECT_NEAR(std::accumulate(p.mass.begin(), p.mass.end(), 0.0), 1, 1e-4);
      for (const double order : orders) {
        const double truth = symmetric_divergence(p, q, order);
        for (const Accountant accountant : all_accountants) {
          const Chain chain = tiny.chain(pair, draws);
          if (!accounting::unfit_reason(accountant, chain).empty()) continue;
          const double certified = FittingChain(accountant, chain).renyi_up(order).rdp;
          EXPECT_LE(truth, certified * (1 + 1e-6)) << name(accountant) << " order " << order;
          closest = std::max(closest, truth / certified);
        }
      }
    }
  EXPECT_GT(closest, 0.8);  // the rest is slack, which weighs much on so coarse a lattice
}

TEST(Enumeration, ThePaperStaysBelowEveryAccountantOnThreeNodes) {
  for (const Diffusion& diffusion : {Diffusion::ppr(0.8, 2), Diffusion::ppr(0.8, 3)}) {
    const Tiny tiny{diffusion, Scope::personalized, 0.125, 4, 2, 2};
    const AdjacentPair pair = triangle();
    const Grid p = outcome(tiny, pair, pair.without(), 26), q = outcome(tiny, pair, pair.with(), 26);
    for (const double order : orders) {
      const double truth = symmetric_divergence(p, q, order);
      EXPECT_GT(truth, 0);
      for (const Accountant accountant : all_accountants)
        EXPECT_LE(truth, FittingChain(accountant, tiny.chain(pair, 2)).renyi_up(order).rdp * (1 + 1e-6))
            << name(accountant) << " order " << order;
    }
  }
}

TEST(Enumeration, CatchesAPlanWithHalfOfItsNoise) {
  const Tiny tiny{Diffusion::ppr(0.8, 1), Scope::edge, 0.25, 6, 8, 1};
  const AdjacentPair pair = two_nodes();
  Tiny quiet = tiny;
  quiet.scale /= 2;
  const Grid p = outcome(quiet, pair, pair.without(), 130), q = outcome(quiet, pair, pair.with(), 130);
  EXPECT_GT(symmetric_divergence(p, q, accounting::infinite_order),
            FittingChain(Accountant::pure, tiny.chain(pair, 1)).renyi_up(accounting::infinite_order).rdp);
}

// --- a projection onto the l1 ball inside the loop
// ----------------------------------------------------------

// Of a point with coordinates above what is taken off: Euclidean, hence the same from each.
std::vector<std::int64_t> projected(std::vector<std::int64_t> x, std::int64_t radius) {
  const std::int64_t beyond = std::accumulate(x.begin(), x.end(), std::int64_t{0}) - radius;
  for (std::int64_t& value : x) value -= beyond / static_cast<std::int64_t>(x.size());
  return x;
}

// A state that one edge moves by `moved` in its first coordinate, then perhaps a projection, then noise.
double loss_of_chain(int dimensions, std::int64_t moved, double scale, bool projects) {
  std::vector<std::int64_t> x(static_cast<std::size_t>(dimensions), 8), y = x;
  y.front() += moved;
  if (projects) y = projected(y, 8 * dimensions);
  Grid p(dimensions, 30), q(dimensions, 30);
  p.mass[p.index(x)] = q.mass[q.index(y)] = 1;
  p.add_noise(scale);
  q.add_noise(scale);
  return symmetric_divergence(p, q, accounting::infinite_order);
}

// The claim would be w / b, by a projection that does not move points apart.
TEST(Enumeration, CatchesAProjectionInsideTheLoopWhereItMatters) {
  constexpr double scale = 3;
  const auto claimed = [&](double moved) {
    const Chain chain({{{0, moved, 0}, 0}, {{1, 0, 0}, 1}}, accounting::Noise::discrete_laplace, scale);
    return FittingChain(Accountant::pure, chain).renyi_up(accounting::infinite_order).rdp;
  };
  EXPECT_NEAR(loss_of_chain(3, 3, scale, false), claimed(3), 1e-6);
  EXPECT_NEAR(loss_of_chain(2, 2, scale, true), claimed(2), 1e-6);  // in the plane it does no harm
  EXPECT_NEAR(loss_of_chain(3, 3, scale, true), claimed(3) * 4 / 3, 1e-6);
}

}  // namespace
}  // namespace hushwalk
