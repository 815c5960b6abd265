// What an edge costs under the noise scales of `twohop`, on every pair of small graphs tried; and the
// shortcuts that break it, as negative controls.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "accounting/edge_cost.h"
#include "accounting/taper.h"
#include "support/small_graph.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::Pair;
using hushwalk::testing::Seeded;
using hushwalk::testing::SmallGraph;

// The public parts: seeds are the first nodes, N their neighbours, O the rest.
struct Parts {
  std::size_t seeds;
  std::vector<char> near;

  Parts(const SmallGraph& graph, std::size_t seed_count) : seeds(seed_count), near(graph.nodes(), 0) {
    for (std::size_t s = 0; s < seeds; ++s)
      for (std::size_t v = seeds; v < graph.nodes(); ++v)
        if (graph.linked(s, v)) near[v] = 1;
  }
  bool in(std::size_t v) const { return near[v] != 0; }
  bool out(std::size_t v) const { return v >= seeds && near[v] == 0; }
};

using Weight = std::function<double(std::size_t)>;

std::size_t degree_inside_out(const SmallGraph& graph, const Parts& parts, std::size_t u) {
  std::size_t degree = 0;
  for (std::size_t v = 0; v < graph.nodes(); ++v) degree += parts.out(v) && graph.linked(u, v);
  return degree;
}

double links_into(const SmallGraph& graph, std::size_t v, const std::function<bool(std::size_t)>& member) {
  double sum = 0;
  for (std::size_t u = 0; u < graph.nodes(); ++u) sum += member(u) && graph.linked(u, v);
  return sum;
}

// sum of weight(degree of u) over the u of O next to v
double background(const SmallGraph& graph, const Parts& parts, std::size_t v, const Weight& weight,
                  bool inside) {
  double sum = 0;
  for (std::size_t u = 0; u < graph.nodes(); ++u)
    if (parts.out(u) && graph.linked(u, v))
      sum += weight(inside ? degree_inside_out(graph, parts, u) : graph.degree(u));
  return sum;
}

// One score for each node; in units of the weights, so `one` is a link into N.
std::vector<double> scores(const SmallGraph& graph, const Parts& parts, double one, const Weight& weight,
                           bool inside) {
  std::vector<double> y(graph.nodes(), 0.0);
  for (std::size_t v = parts.seeds; v < graph.nodes(); ++v)
    y[v] = one * links_into(graph, v, [&](std::size_t u) { return parts.in(u); }) +
           background(graph, parts, v, weight, inside);
  return y;
}

double cost(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& scale) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]) / scale[v];
  return sum;
}

double kind_of_cost(const EdgeCost& bound, const Pair& pair, const Parts& parts) {
  const int near = parts.in(pair.u) + parts.in(pair.v);
  return near == 2 ? bound.inside : near == 1 ? bound.between : bound.outside;
}

// Integer weights as in a release: exact, so nothing is forgiven but the rounding of the sum of costs.
TEST(EdgeCost, NoEdgeCostsMoreThanItsKind) {
  Seeded random(1);
  double worst[3] = {0, 0, 0};
  for (int i = 0; i < 60000; ++i) {
    const std::size_t seeds = 1 + random.below(3);
    const Pair pair = random_pair(random, 9, seeds);
    const Parts parts(pair.graph, seeds);
    const double r = random.coin() ? 1 : random.uniform();
    const Taper taper = random.below(4) == 0 ? Taper() : Taper(1 + random.below(6));
    const QuantisedTaper quantised(r, taper);
    const auto weight = [&](std::size_t d) { return static_cast<double>(quantised.weight(d)); };
    const double unit = 0x1p32, moved = static_cast<double>(quantised.sensitivity(pair.graph.nodes())) / unit;
    ASSERT_LE(moved, 1);
    const double epsilon = random.log_uniform(0.01, 10);
    double b_in = 2 / epsilon, b_out = (1 + moved) / epsilon;
    if (random.below(3) == 0) b_in *= random.log_uniform(0.2, 5), b_out *= random.log_uniform(0.2, 5);
    std::vector<double> scale(pair.graph.nodes(), b_out * unit);
    for (std::size_t v = 0; v < scale.size(); ++v)
      if (parts.in(v)) scale[v] = b_in * unit;
    const double seen = cost(scores(pair.graph, parts, unit, weight, false),
                             scores(pair.neighbor(), parts, unit, weight, false), scale);
    const EdgeCost bound = two_hop_cost_up(b_in, b_out, moved);
    ASSERT_LE(seen, kind_of_cost(bound, pair, parts) * (1 + 1e-12));
    const int kind = parts.in(pair.u) + parts.in(pair.v);
    worst[kind] = std::max(worst[kind], seen / kind_of_cost(bound, pair, parts));
    if (!taper) {
      ASSERT_LE(seen, kind_of_cost(two_hop_plain_cost_up(b_in, b_out, r), pair, parts) * (1 + 1e-9));
    }
  }
  for (const double ratio : worst) EXPECT_GT(ratio, 0.999);
}

TEST(EdgeCost, TheScalesOfTheDesignCostEpsilon) {
  for (const double epsilon : {0.01, 1.0, 3.0})
    for (const double moved : {0.0, 0.005, 0.7, 1.0}) {
      EXPECT_NEAR(two_hop_cost_up(2 / epsilon, (1 + moved) / epsilon, moved).worst(), epsilon,
                  1e-12 * epsilon);
      EXPECT_NEAR(two_hop_plain_cost_up(2 / epsilon, 1 / (epsilon * (1 - moved / 2)), moved).worst(), epsilon,
                  1e-12 * epsilon);
      const double q = 0.3, s = 0.9;
      EXPECT_NEAR(
          separate_cost_up({2 / epsilon, 1 / (q * epsilon), 1 / ((1 - q) * epsilon), 2 * s / epsilon}, s)
              .worst(),
          epsilon, 1e-12 * epsilon);
    }
}

// The second choice of scales, from the integer weights: max over d of (1 + X_d) / (1 - P_d / 2), not below
// 2 S_W.
double tighter_out_scale(const QuantisedTaper& quantised, std::size_t nodes) {
  const auto weight = [&](std::size_t d) { return static_cast<double>(quantised.weight(d)) * 0x1p-32; };
  double most = 0, moved = 0;
  for (std::size_t d = 0; d + 2 <= nodes; ++d) {
    const double P = weight(d + 1), X = static_cast<double>(d) * std::abs(weight(d) - weight(d + 1));
    most = std::max(most, (1 + X) / (1 - P / 2));
    moved = std::max(moved, P + X);
  }
  return std::max(most, 2 * moved);
}

TEST(EdgeCost, TheTighterScalesCostNoMoreThanEpsilon) {
  Seeded random(3);
  double worst = 0, worst_if_smaller = 0, saved = 1;
  for (int i = 0; i < 60000; ++i) {
    const std::size_t seeds = 1 + random.below(2);
    const Pair pair = random_pair(random, 9, seeds);
    const Parts parts(pair.graph, seeds);
    const QuantisedTaper quantised(random.coin() ? 1 : random.uniform(),
                                   random.below(4) == 0 ? Taper() : Taper(1 + random.below(6)));
    const std::size_t nodes = pair.graph.nodes();
    const double b_in = 2, b_out = tighter_out_scale(quantised, nodes);  // epsilon = 1
    const double first_choice = 1 + static_cast<double>(quantised.checked_sensitivity(nodes)) * 0x1p-32;
    ASSERT_LE(b_out, first_choice * (1 + 1e-12));
    saved = std::min(saved, b_out / first_choice);
    const auto weight = [&](std::size_t d) { return static_cast<double>(quantised.weight(d)); };
    const auto costs_with = [&](double out) {
      std::vector<double> scale(nodes, out * 0x1p32);
      for (std::size_t v = 0; v < nodes; ++v)
        if (parts.in(v)) scale[v] = b_in * 0x1p32;
      return cost(scores(pair.graph, parts, 0x1p32, weight, false),
                  scores(pair.neighbor(), parts, 0x1p32, weight, false), scale);
    };
    const double seen = costs_with(b_out);
    ASSERT_LE(seen, 1 + 1e-12);
    if (parts.in(pair.u) + parts.in(pair.v) < 2) worst = std::max(worst, seen);
    worst_if_smaller = std::max(worst_if_smaller, costs_with(0.99 * b_out));
  }
  EXPECT_GT(worst, 0.999);
  EXPECT_GT(worst_if_smaller, 1.001);  // no smaller scale would do
  EXPECT_LT(saved, 0.95);
}

// B_v = sum of W(d_u) over all neighbours, for every node: an edge anywhere moves it by 2 S_W at most.
TEST(EdgeCost, TheSharedArtefactMovesByTwiceTheSensitivity) {
  Seeded random(4);
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    const Pair pair = random_pair(random, 12, 0);
    const SmallGraph other = pair.neighbor();
    const QuantisedTaper quantised(random.coin() ? 1 : random.uniform(),
                                   random.below(4) == 0 ? Taper() : Taper(1 + random.below(6)));
    const auto artefact = [&](const SmallGraph& graph, std::size_t v) {
      std::int64_t sum = 0;
      for (std::size_t u = 0; u < graph.nodes(); ++u)
        if (graph.linked(u, v)) sum += static_cast<std::int64_t>(quantised.weight(graph.degree(u)));
      return sum;
    };
    std::int64_t moved = 0;
    for (std::size_t v = 0; v < other.nodes(); ++v)
      moved += std::abs(artefact(pair.graph, v) - artefact(other, v));
    const auto bound = static_cast<std::int64_t>(2 * quantised.sensitivity(other.nodes()));
    ASSERT_LE(moved, bound);
    if (bound > 0) worst = std::max(worst, static_cast<double>(moved) / static_cast<double>(bound));
  }
  EXPECT_EQ(worst, 1);
}

double taper_weight(std::size_t tau, std::size_t degree) {
  const auto t = static_cast<double>(tau), d = static_cast<double>(degree);
  return d <= t ? 1 - d / (2 * t) : t / (2 * d);
}

// The four numbers of the separate form; `tapered_near` releases the tapered background for nodes of N too.
double separate_cost(const Pair& pair, std::size_t seeds, const SeparateScales& scales, const Weight& weight,
                     bool tapered_near) {
  const Parts parts(pair.graph, seeds);
  const auto in = [&](std::size_t u) { return parts.in(u); };
  const auto out = [&](std::size_t u) { return parts.out(u); };
  const SmallGraph a = pair.graph, b = pair.neighbor();
  double sum = 0;
  for (std::size_t v = seeds; v < a.nodes(); ++v) {
    const double near = std::abs(links_into(a, v, in) - links_into(b, v, in));
    const double far =
        std::abs(background(a, parts, v, weight, true) - background(b, parts, v, weight, true));
    if (parts.in(v)) {
      const double count = std::abs(links_into(a, v, out) - links_into(b, v, out));
      sum += near / scales.in_links_in + (tapered_near ? far : count) / scales.in_links_out;
    } else {
      sum += near / scales.out_links_in + far / scales.out_background;
    }
  }
  return sum;
}

TEST(EdgeCost, SeparateNumbersCostNoMore) {
  Seeded random(2);
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::size_t seeds = 1 + random.below(2), tau = 1 + random.below(5);
    const Pair pair = random_pair(random, 9, seeds);
    const double s = taper_sensitivity_up(tau), q = random.uniform(0.05, 0.95);
    const SeparateScales scales{2, 1 / q, 1 / (1 - q), 2 * s};  // epsilon = 1
    const double seen =
        separate_cost(pair, seeds, scales, [&](std::size_t d) { return taper_weight(tau, d); }, false);
    const double bound = kind_of_cost(separate_cost_up(scales, s), pair, Parts(pair.graph, seeds));
    ASSERT_LE(seen, bound * (1 + 1e-12));
    ASSERT_LE(seen, 1 + 1e-12);
    worst = std::max(worst, seen);
  }
  EXPECT_GT(worst, 0.999);
}

// --- negative controls
// --------------------------------------------------------------------------------------------

// Seed 0, k neighbours 1..k, and two nodes u, v of O, u linked to all of N: the edge (u, v) is added.
Pair bridge(std::size_t k) {
  SmallGraph graph(k + 3);
  for (std::size_t i = 1; i <= k; ++i) graph.link(0, i), graph.link(i, k + 1);
  return {graph, k + 1, k + 2};
}

TEST(EdgeCost, DegreesInsideOBreakTheOneScoreForm) {
  const std::size_t k = 14;
  const Pair pair = bridge(k);
  const Parts parts(pair.graph, 1);
  std::vector<double> scale(pair.graph.nodes(), 1.5);  // tau = 1, r = 1: S_w = 1/2, epsilon = 1
  for (std::size_t v = 1; v <= k; ++v) scale[v] = 2;
  const auto weight = [](std::size_t d) { return taper_weight(1, d); };
  EXPECT_GT(cost(scores(pair.graph, parts, 1, weight, true), scores(pair.neighbor(), parts, 1, weight, true),
                 scale),
            3.5);
  EXPECT_LE(cost(scores(pair.graph, parts, 1, weight, false),
                 scores(pair.neighbor(), parts, 1, weight, false), scale),
            1);
}

// Seed 0 with its neighbour 1, and two nodes of O with `degree` leaves each: the edge (2, 3) is added.
TEST(EdgeCost, ABackgroundThatMovesMoreThanOneBreaksTheFirstScales) {
  for (const std::size_t degree : {0U, 1U, 4U}) {
    SmallGraph graph(4 + 2 * degree);
    graph.link(0, 1);
    for (std::size_t i = 0; i < degree; ++i) graph.link(2, 4 + i), graph.link(3, 4 + degree + i);
    const Pair pair{graph, 2, 3};
    const Parts parts(graph, 1);
    const double s = taper_sensitivity_up(5);
    for (const double r : {1.0, 1 / s, 1.2 / s, 2 / s}) {
      const auto weight = [&](std::size_t d) { return r * taper_weight(5, d); };
      std::vector<double> scale(graph.nodes(), 1 + r * s);  // epsilon = 1
      scale[1] = 2;
      const double seen = cost(scores(graph, parts, 1, weight, false),
                               scores(pair.neighbor(), parts, 1, weight, false), scale);
      EXPECT_NEAR(seen, 2 * r * s / (1 + r * s), 1e-12);
      if (r * s > 1.1) {
        EXPECT_GT(seen, 1.05);
      } else {
        EXPECT_LE(seen, 1 + 1e-12);
      }
    }
  }
  EXPECT_ANY_THROW(QuantisedTaper(1.2, 5));  // and is refused
}

TEST(EdgeCost, ATaperedBackgroundOfNBreaksTheSeparateForm) {
  const double s = taper_sensitivity_up(1);
  const auto weight = [](std::size_t d) { return taper_weight(1, d); };
  const SeparateScales scales{2, 2, 2, 2 * s};
  EXPECT_GT(separate_cost(bridge(14), 1, scales, weight, true), 4.25);
  EXPECT_LE(separate_cost(bridge(14), 1, scales, weight, false), 1);
}

// Two isolated nodes and the edge between them: each moves by the weight of one link, and with plain degrees
// that is all.
TEST(EdgeCost, OfTheArtefactOfSharedIsThatOfBothEnds) {
  EXPECT_EQ(shared_cost_up(4, 1), 0.5);
  EXPECT_GE(shared_cost_up(4, taper_sensitivity_up(1)), 2 * taper_weight(1, 1) / 4);
}

double real_sensitivity(const Weight& weight, std::size_t nodes) {
  double most = 0;
  for (std::size_t d = 0; d + 2 <= nodes; ++d)
    most = std::max(most, weight(d + 1) + static_cast<double>(d) * std::abs(weight(d) - weight(d + 1)));
  return most;
}

TEST(Taper, AHardTaperCostsTwice) {
  const auto hard = [](std::size_t d) { return d <= 300 ? 1 : 300 / static_cast<double>(d); };
  EXPECT_GT(real_sensitivity(hard, 1000), 1.99);
  EXPECT_NEAR(real_sensitivity([](std::size_t d) { return taper_weight(300, d); }, 1000),
              taper_sensitivity_up(300), 1e-12);
}

TEST(Taper, CoarseQuantisationBreaksIt) {
  const auto coarse = [](std::size_t d) { return std::floor(taper_weight(300, d) * 0x1p20) * 0x1p-20; };
  EXPECT_GT(real_sensitivity(coarse, 4'000'000), 3.7);
  EXPECT_LE(QuantisedTaper(1, 300).sensitivity(4'000'000), QuantisedTaper::unit);
}

}  // namespace
}  // namespace hushwalk::accounting
