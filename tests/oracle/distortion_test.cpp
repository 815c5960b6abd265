// No input to a clipped step, and no run of a clipped diffusion, moves further by one edge than accounting
// says; and the bounds are attained.
#include <gtest/gtest.h>

#include <span>

#include "accounting/sensitivity.h"
#include "support/small_graph.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::l1_distance;
using hushwalk::testing::Pair;
using hushwalk::testing::Seeded;
using hushwalk::testing::SmallGraph;
using Vector = std::vector<double>;

constexpr double rounding = 1 + 1e-12;

struct ClipRule {
  double eta;
  Caps caps;
  bool two_sided;
  std::size_t seeds = 0;  // the first nodes, clipped to a public interval instead
};

Vector clipped(const SmallGraph& graph, const ClipRule& rule, Vector x) {
  for (std::size_t v = 0; v < x.size(); ++v) {
    double cap = rule.caps == Caps::uniform ? rule.eta : rule.eta * static_cast<double>(graph.degree(v));
    if (v < rule.seeds) cap = 1;
    x[v] = std::min(std::max(x[v], rule.two_sided ? -cap : 0.0), cap);
  }
  return x;
}

double distance_after_step(const Pair& pair, const Step& step, const ClipRule& rule, const Vector& x) {
  const SmallGraph other = pair.neighbor();
  return l1_distance(small_step(pair.graph, step.walk, step.stay, clipped(pair.graph, rule, x)),
                     small_step(other, step.walk, step.stay, clipped(other, rule, x)));
}

// Values at and around the corners of the clip of either graph, and anything else.
Vector adversarial_input(Seeded& random, const Pair& pair, double eta) {
  Vector x(pair.graph.nodes());
  for (std::size_t v = 0; v < x.size(); ++v) {
    const double cap = eta * static_cast<double>(pair.graph.degree(v));
    const double choices[] = {0,   cap, cap + eta, cap + eta / 2, cap / 2, 10, random.uniform() * (cap + eta),
                              1e-9};
    x[v] = choices[random.below(8)] * (random.below(3) == 0 ? -1 : 1);
  }
  return x;
}

Step random_step(Seeded& random) {
  const double walk = random.uniform(-1, 1), stay = random.below(3) == 0 ? 0 : random.uniform(-1, 1);
  return {random.coin() ? std::abs(walk) : walk, random.coin() ? std::abs(stay) : stay, 0};
}

TEST(Distortion, NoInputExceedsTheBound) {
  Seeded random(1);
  double worst[2] = {0, 0};
  for (int i = 0; i < 40000; ++i) {
    const Caps caps = random.coin() ? Caps::uniform : Caps::degree;
    const std::size_t seeds = random.below(3);
    const Pair pair = random_pair(random, 9, seeds);
    const ClipRule rule{random.log_uniform(1e-3, 1), caps, random.coin(), seeds};
    const Step step = random_step(random);
    const double bound = distortion_up(step, rule.eta, caps);
    for (int input = 0; input < 5; ++input) {
      const double seen = distance_after_step(pair, step, rule, adversarial_input(random, pair, rule.eta));
      ASSERT_LE(seen, bound * rounding) << step.walk << ' ' << step.stay;
      worst[caps == Caps::uniform] = std::max(worst[caps == Caps::uniform], bound > 0 ? seen / bound : 0);
    }
  }
  EXPECT_GT(worst[0], 0.999);  // attained: the search is not blind
  EXPECT_GT(worst[1], 0.999);
}

// The simple walk pays for the shares of the old neighbours too: 4 gamma_1 eta, in the limit of large
// degrees.
TEST(Distortion, TheDoubleStarComesWithinOnePercent) {
  const Pair pair = hushwalk::testing::double_star(150);
  for (const Step& step : {Step{0.8, 0, 0.2}, Step{0.4, 0.4, 0.2}, Step{-0.8, 0.1, 1.7}}) {
    Vector x(pair.graph.nodes(), 0.0);
    x[0] = x[1] = 150 * 1e-3;
    const double seen = distance_after_step(pair, step, {1e-3, Caps::degree, false}, x);
    EXPECT_GT(seen, 0.99 * distortion_up(step, 1e-3));
  }
}

// Where values are saturated, a degree more lets one more eta through: 2 gamma eta, exactly.
TEST(Distortion, TheSaturatedPathAttainsIt) {
  const Pair pair = hushwalk::testing::broken_path(4);
  for (const Step& step : {Step{0.4, 0.4, 0.2}, Step{0.2, 0.7, 0.1}, Step{-0.3, -0.5, 1.8}}) {
    const double seen = distance_after_step(pair, step, {1e-3, Caps::degree, true}, Vector(8, 1.0));
    EXPECT_GT(seen, 0.9999999 * distortion_up(step, 1e-3));
  }
}

// --- end to end
// ---------------------------------------------------------------------------------------------------

// The first `seeds` nodes hold the seed vector.
Vector clipped_diffusion(const SmallGraph& graph, std::span<const Step> steps, const ClipRule& rule,
                         Scope scope, const Vector& seed) {
  Vector x = seed;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (k > 0 || scope == Scope::edge) x = clipped(graph, rule, x);
    x = small_step(graph, steps[k].walk, steps[k].stay, x);
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += steps[k].restart * seed[v];
  }
  return x;
}

Vector random_seed(Seeded& random, std::size_t nodes, std::size_t seeds) {
  Vector seed(nodes, 0.0);
  double sum = 0;
  for (std::size_t v = 0; v < seeds; ++v) sum += seed[v] = random.uniform(0.1, 1);
  for (double& weight : seed) weight /= sum;
  return seed;
}

double end_to_end(const Pair& pair, std::span<const Step> steps, ClipRule rule, Scope scope,
                  const Vector& seed, std::size_t seeds) {
  rule.seeds = scope == Scope::personalized ? seeds : 0;
  return l1_distance(clipped_diffusion(pair.graph, steps, rule, scope, seed),
                     clipped_diffusion(pair.neighbor(), steps, rule, scope, seed));
}

TEST(Sensitivity, NoRunExceedsTheRecursion) {
  Seeded random(2);
  double worst[2] = {0, 0};
  for (int i = 0; i < 30000; ++i) {
    const Scope scope = random.coin() ? Scope::edge : Scope::personalized;
    const std::size_t seeds = 1 + random.below(3);
    const Pair pair = random_pair(random, 9, scope == Scope::personalized ? seeds : 0);
    if (pair.graph.nodes() < seeds) continue;
    std::vector<Step> steps(1 + random.below(8));
    const bool constant = random.coin();
    for (Step& step : steps) {
      step = constant && &step != &steps[0] ? steps[0] : random_step(random);
      step.restart = 1 - step.walk - step.stay;
    }
    const bool negative = std::ranges::any_of(
        steps, [](const Step& step) { return step.walk < 0 || step.stay < 0 || step.restart < 0; });
    const ClipRule rule{random.log_uniform(1e-4, 0.5), Caps::degree, negative};
    const Vector seed = random_seed(random, pair.graph.nodes(), seeds);
    const double bound = sensitivities_up(step_bounds_up(steps, rule.eta, scope)).back();
    const double seen = end_to_end(pair, steps, rule, scope, seed, seeds);
    ASSERT_LE(seen, bound * rounding) << steps.size() << " steps";
    double& best = worst[scope == Scope::edge];
    if (bound > 0) best = std::max(best, seen / bound);
  }
  EXPECT_GT(worst[0], 0.99);
  EXPECT_GT(worst[1], 0.99);
}

// Personalized: the seed (node 0) feeds both hubs so much that they are saturated.
TEST(Sensitivity, TheDoubleStarComesWithinOnePercent) {
  const std::size_t leaves = 150;
  SmallGraph graph(3 + 2 * leaves);
  graph.link(0, 1), graph.link(0, 2);
  for (std::size_t i = 0; i < leaves; ++i) graph.link(1, 3 + i), graph.link(2, 3 + leaves + i);
  const Pair pair{graph, 1, 2};
  Vector seed(graph.nodes(), 0.0);
  seed[0] = 1;
  for (const auto& [walk, stay] : {std::pair(0.4, 0.4), std::pair(0.8, 0.0)}) {
    const std::vector<Step> steps(2, Step{walk, stay, 0.2});
    // The hubs hold half of the walk's share of 1: just enough to be saturated without the edge.
    const double eta = walk / 2 / static_cast<double>(leaves + 1);
    const double bound = sensitivities_up(step_bounds_up(steps, eta, Scope::personalized)).back();
    const double seen = end_to_end(pair, steps, {eta, Caps::degree, false}, Scope::personalized, seed, 1);
    EXPECT_LE(seen, bound * rounding);
    EXPECT_GT(seen, 0.99 * bound) << walk;
  }
}

TEST(Sensitivity, TheSaturatedPathAttainsIt) {
  const Pair pair = hushwalk::testing::broken_path(4);
  const std::vector<Step> steps(1, Step{0.4, 0.4, 0.2});
  Vector seed(8, 0.0);
  seed[0] = seed[1] = 0.5;
  const double bound = sensitivities_up(step_bounds_up(steps, 1e-3, Scope::edge)).back();
  EXPECT_GT(end_to_end(pair, steps, {1e-3, Caps::degree, false}, Scope::edge, seed, 2), 0.9999999 * bound);
}

}  // namespace
}  // namespace hushwalk::accounting
