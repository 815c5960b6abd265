// Hill-climbing for graphs that break the sensitivities of docs/math/14-output-half.md and 15-pushflow.md, in
// real numbers and on coarse lattices, where the same bounds without slack must be seen to break.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>

#include "accounting/fixed_point.h"
#include "support/sanitized.h"
#include "support/small_graph.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::Seeded;
using hushwalk::testing::SmallGraph;

constexpr double rounding = 1 + 1e-12;

// The edge is (0, 1); in personalized scope no seed is among the two.
struct Candidate {
  Scope scope = Scope::edge;
  std::size_t nodes = 2;
  std::vector<char> linked;  // a < b at b (b - 1) / 2 + a; the first entry, the edge itself, stays 0
  std::vector<int> seeds;    // weights
  double cap = 1;

  SmallGraph graph(bool with_edge) const {
    SmallGraph result(nodes);
    for (std::size_t b = 1; b < nodes; ++b)
      for (std::size_t a = 0; a < b; ++a)
        if (linked[b * (b - 1) / 2 + a] != 0) result.link(a, b);
    if (with_edge) result.link(0, 1);
    return result;
  }
  double share(std::size_t v) const {
    int sum = 0;
    for (const int weight : seeds) sum += weight;
    return static_cast<double>(seeds[v]) / sum;
  }
  bool free(std::size_t v) const { return scope == Scope::personalized && seeds[v] > 0; }
};

// One random change.
Candidate changed(Seeded& random, Candidate one) {
  const std::size_t first = one.scope == Scope::personalized ? 2 : 0;
  switch (random.below(4)) {
    case 0:
      one.cap *= random.log_uniform(0.7, 1.4);
      break;
    case 1:
      one.seeds[first + random.below(one.nodes - first)] = random.between(0, 4);
      if (std::ranges::count(one.seeds, 0) == static_cast<std::ptrdiff_t>(one.nodes)) one.seeds.back() = 1;
      break;
    default:
      char& link = one.linked[1 + random.below(one.linked.size() - 1)];
      link = link == 0 ? 1 : 0;
  }
  return one;
}

Candidate random_candidate(Seeded& random, double cap) {
  Candidate one;
  one.scope = random.coin() ? Scope::edge : Scope::personalized;
  one.nodes = static_cast<std::size_t>(random.between(4, 8));
  const double density = random.uniform();
  for (std::size_t i = 0; i < one.nodes * (one.nodes - 1) / 2; ++i)
    one.linked.push_back(i > 0 && random.uniform() < density ? 1 : 0);
  one.seeds.assign(one.nodes, 0);
  one.seeds[one.nodes - 1] = 1;
  one.cap = cap;
  return one;
}

// The best score found; every candidate is scored, and `score` itself asserts the bound.
double climb(Seeded& random, int starts, int moves, const std::function<double()>& cap,
             const std::function<double(const Candidate&)>& score) {
  double best = 0;
  for (int start = 0; start < starts; ++start) {
    Candidate at = random_candidate(random, cap());
    double value = score(at);
    for (int move = 0; move < moves; ++move) {
      Candidate next = changed(random, at);
      if (random.coin()) next = changed(random, std::move(next));
      const double found = score(next);
      if (found >= value) at = std::move(next), value = found;
    }
    best = std::max(best, value);
  }
  return best;
}

int rounds_for(double a) { return static_cast<int>(12 / a) + 10; }

// --- in real numbers
// ----------------------------------------------------------------------------------------------

using Vector = std::vector<double>;

Vector output(const Candidate& one, bool with_edge, double a, int steps) {
  const SmallGraph graph = one.graph(with_edge);
  Vector x(one.nodes);
  for (std::size_t v = 0; v < one.nodes; ++v) x[v] = one.share(v);
  for (int k = 1; k <= steps; ++k) {
    for (std::size_t v = 0; v < one.nodes; ++v)
      if (!one.free(v) && (k > 1 || one.scope == Scope::edge))
        x[v] = std::min(x[v], one.cap * static_cast<double>(graph.degree(v)));
    x = small_step(graph, (1 - a) / 2, (1 - a) / 2, x);
    for (std::size_t v = 0; v < one.nodes; ++v) x[v] += a * one.share(v);
  }
  return x;
}

TEST(OutputHalf, HillClimbingFindsNothingAboveIt) {
  if (testing::sanitized) GTEST_SKIP() << "a climb is the same arithmetic thousands of times";
  Seeded random(3);
  const struct {
    double a, reached;
  } cases[] = {{0.1, 0.35}, {0.25, 0.55}, {0.5, 0.7}, {0.75, 0.85}, {0.875, 0.92}};
  for (const auto& [a, reached] : cases) {
    const int steps = rounds_for(a);
    const double k = (1 - a) / 2;
    const std::vector<Step> lazy(static_cast<std::size_t>(steps), Step{k, k, 1 - 2 * k});
    const double best = climb(
        random, 12, 1500, [&] { return random.log_uniform(1e-2, 1); },
        [&](const Candidate& one) {
          const double bound = *output_half_sensitivity_up(lazy, one.cap);
          const double seen = testing::l1_distance(output(one, false, a, steps), output(one, true, a, steps));
          EXPECT_LE(seen, bound * rounding) << a << ' ' << one.cap;
          return seen / bound;
        });
    EXPECT_GT(best, reached) << a;
  }
}

Vector pushflow(const Candidate& one, bool with_edge, double a, int rounds) {
  const SmallGraph graph = one.graph(with_edge);
  Vector h(one.nodes, 0.0);
  for (int round = 0; round < rounds; ++round) {
    h = small_step(graph, (1 - a) / 2, (1 - a) / 2, h);
    for (std::size_t v = 0; v < one.nodes; ++v) {
      h[v] += one.share(v);
      if (!one.free(v)) h[v] = std::min(h[v], one.cap * static_cast<double>(graph.degree(v)));
    }
  }
  for (double& value : h) value *= a;
  return h;
}

TEST(PushFlowBounds, HillClimbingFindsNothingAboveThem) {
  if (testing::sanitized) GTEST_SKIP() << "a climb is the same arithmetic thousands of times";
  Seeded random(4);
  const struct {
    double a, reached;
  } cases[] = {{0.1, 0.4}, {0.25, 0.7}, {0.5, 0.999}, {0.8, 0.999}};
  for (const auto& [a, reached] : cases) {
    for (const int rounds : {2, 4, rounds_for(a)}) {
      const double best = climb(
          random, 8, 1000, [&] { return random.log_uniform(1e-2, 3); },
          [&](const Candidate& one) {
            const PushFlow flow{a, one.cap, static_cast<std::uint64_t>(rounds)};
            const double fixed = pushflow_fixed_point_sensitivity_up(flow);
            const double seen =
                testing::l1_distance(pushflow(one, false, a, rounds), pushflow(one, true, a, rounds));
            EXPECT_LE(seen, fixed * rounding) << a << ' ' << rounds;
            EXPECT_LE(seen, pushflow_published_sensitivity_up(flow, one.scope) * rounding + 1e-15);
            return seen / (fixed - 2 * std::pow(1 - a, rounds));
          });
      if (rounds == rounds_for(a)) {
        EXPECT_GT(best, reached) << a;
      } else if (a == 0.5) {
        EXPECT_GT(best, 1.05) << rounds;  // without the tail it would be broken
      }
    }
  }
}

// --- on a lattice of `units` to the 1, everything rounded down
// ----------------------------------------------------

using State = std::vector<std::int64_t>;

struct Lattice {
  std::int64_t units;
  std::int64_t k;  // gamma_1 = gamma_2 = k / 64, so that a = 1 - 2k/64 exactly
  double a() const { return 1 - 2 * static_cast<double>(k) / 64; }
  std::int64_t cap(const Candidate& one) const {
    return std::max<std::int64_t>(1, std::llround(one.cap * static_cast<double>(units)));
  }
  std::int64_t down(double x) const {
    return static_cast<std::int64_t>(std::floor(x * static_cast<double>(units)));
  }
};

State lattice_walk(const SmallGraph& graph, std::int64_t k, const State& x) {
  State y(x.size());
  for (std::size_t u = 0; u < x.size(); ++u) {
    y[u] += k * x[u] / 64;
    if (graph.degree(u) == 0) continue;
    const std::int64_t outflow = k * x[u] / (64 * static_cast<std::int64_t>(graph.degree(u)));
    for (std::size_t v = 0; v < x.size(); ++v)
      if (graph.linked(u, v)) y[v] += outflow;
  }
  return y;
}

double distance(const State& a, const State& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return static_cast<double>(sum);
}

State lattice_output(const Candidate& one, bool with_edge, const Lattice& lattice, int steps) {
  const SmallGraph graph = one.graph(with_edge);
  const std::int64_t E = lattice.cap(one);
  State x(one.nodes);
  for (std::size_t v = 0; v < one.nodes; ++v) x[v] = lattice.down(one.share(v));
  for (int k = 1; k <= steps; ++k) {
    for (std::size_t v = 0; v < one.nodes; ++v) {
      const std::int64_t cap = one.free(v) ? lattice.units : E * static_cast<std::int64_t>(graph.degree(v));
      if (k > 1 || one.scope == Scope::edge) x[v] = std::min(x[v], cap);
    }
    x = lattice_walk(graph, lattice.k, x);
    for (std::size_t v = 0; v < one.nodes; ++v) x[v] += lattice.down(lattice.a() * one.share(v));
  }
  return x;
}

State lattice_pushflow(const Candidate& one, bool with_edge, const Lattice& lattice, int rounds) {
  const SmallGraph graph = one.graph(with_edge);
  const std::int64_t C = lattice.cap(one);
  State h(one.nodes, 0);
  for (int round = 0; round < rounds; ++round) {
    h = lattice_walk(graph, lattice.k, h);
    for (std::size_t v = 0; v < one.nodes; ++v) {
      h[v] += lattice.down(one.share(v));
      if (!one.free(v)) h[v] = std::min(h[v], C * static_cast<std::int64_t>(graph.degree(v)));
    }
  }
  return h;
}

// sigma of one run, in units: an error below 1 for every copy that is sent and every value that is kept.
double sigma(const Candidate& one) {
  return 2 * static_cast<double>(one.graph(true).edges()) + static_cast<double>(one.nodes);
}

struct Worst {
  double with = 0, without = 0;
  double add(double seen, double bound, double slack) {
    with = std::max(with, seen / (bound + slack));
    without = std::max(without, seen / bound);
    return seen / bound;
  }
};

// Caps of a few units, where rounding is as large as anything else.
double coarse_cap(Seeded& random, const Lattice& lattice) {
  return random.between(2, 12) / static_cast<double>(lattice.units);
}

TEST(OutputHalf, OnALatticeItNeedsItsSlackAndNoMore) {
  if (testing::sanitized) GTEST_SKIP() << "a climb is the same arithmetic thousands of times";
  Seeded random(5);
  Worst worst;
  for (const Lattice& lattice : {Lattice{100, 30}, Lattice{1000, 28}, Lattice{3000, 20}, Lattice{3000, 8}}) {
    const double a = lattice.a(), units = static_cast<double>(lattice.units);
    for (const int steps : {3, rounds_for(a)}) {
      const double k = static_cast<double>(lattice.k) / 64, left = std::pow(1 - a, steps);
      const std::vector<Step> lazy(static_cast<std::size_t>(steps), Step{k, k, a});
      climb(
          random, 30, 800, [&] { return coarse_cap(random, lattice); },
          [&](const Candidate& one) {
            const double eta = static_cast<double>(lattice.cap(one)) / units;
            const double seen = distance(lattice_output(one, false, lattice, steps),
                                         lattice_output(one, true, lattice, steps));
            return worst.add(seen, *output_half_sensitivity_up(lazy, eta) * units,
                             2 * sigma(one) * (1 - left) / a);
          });
    }
  }
  EXPECT_LE(worst.with, 1);
  EXPECT_GT(worst.without, 1.5);
}

TEST(PushFlowBounds, OnALatticeTheyNeedTheirSlackAndNoMore) {
  if (testing::sanitized) GTEST_SKIP() << "a climb is the same arithmetic thousands of times";
  Seeded random(6);
  Worst fixed, published;
  for (const Lattice& lattice : {Lattice{100, 30}, Lattice{1000, 28}, Lattice{3000, 20}, Lattice{3000, 8}}) {
    const double a = lattice.a(), units = static_cast<double>(lattice.units);
    for (const int rounds : {3, rounds_for(a)}) {
      const double left = std::pow(1 - a, rounds);
      const auto compare = [&](const Candidate& one, bool climb_published) {
        const PushFlow flow{a, static_cast<double>(lattice.cap(one)) / units,
                            static_cast<std::uint64_t>(rounds)};
        const double seen = a * distance(lattice_pushflow(one, false, lattice, rounds),
                                         lattice_pushflow(one, true, lattice, rounds));
        // The slack of a round is added inside the recursion, which makes it the same geometric sum.
        const double spread = 1 - std::pow(1 - a, rounds - (one.scope == Scope::personalized ? 1 : 0));
        const double of_published = published.add(
            seen, pushflow_published_sensitivity_up(flow, one.scope) * units, sigma(one) * spread);
        const double of_fixed =
            fixed.add(seen, pushflow_fixed_point_sensitivity_up(flow) * units, 2 * sigma(one) * (1 - left));
        return climb_published ? of_published : of_fixed;
      };
      for (const bool climb_published : {false, true})
        climb(
            random, 20, 700, [&] { return coarse_cap(random, lattice); },
            [&](const Candidate& one) { return compare(one, climb_published); });
    }
  }
  EXPECT_LE(fixed.with, 1);
  EXPECT_LE(published.with, 1);
  EXPECT_GT(fixed.without, 1.2);
  EXPECT_GT(published.without, 1.02);
}

}  // namespace
}  // namespace hushwalk::accounting
