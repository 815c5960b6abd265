// One step on the integer lattice, as a release computes it, against the bound with its slack.
#include <gtest/gtest.h>

#include <cstdint>

#include "accounting/sensitivity.h"
#include "support/small_graph.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::Pair;
using hushwalk::testing::Seeded;
using hushwalk::testing::SmallGraph;
using State = std::vector<std::int64_t>;

enum class Rounding { down, toward_zero };

std::int64_t rounded(Rounding rounding, std::int64_t a, std::int64_t b) {
  return a / b - (rounding == Rounding::down && a % b < 0 ? 1 : 0);
}

// Coefficients are multiples of 1/16, so that everything here is exact.
struct LatticeStep {
  std::int64_t walk, stay;  // in sixteenths
  std::int64_t eta;         // in units
  bool two_sided;
  Rounding rounding;
  Step real() const { return {static_cast<double>(walk) / 16, static_cast<double>(stay) / 16, 0}; }
};

// Clip to eta d, one rounded outflow a source, kept values rounded once.
State run(const SmallGraph& graph, const LatticeStep& step, State x) {
  State y(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    const std::int64_t cap = step.eta * static_cast<std::int64_t>(graph.degree(v));
    x[v] = std::min(std::max(x[v], step.two_sided ? -cap : 0), cap);
    y[v] += rounded(step.rounding, step.stay * x[v], 16);
  }
  for (std::size_t u = 0; u < x.size(); ++u) {
    if (graph.degree(u) == 0) continue;
    const std::int64_t outflow =
        rounded(step.rounding, step.walk * x[u], 16 * static_cast<std::int64_t>(graph.degree(u)));
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

State random_state(Seeded& random, std::size_t nodes, std::int64_t top) {
  State x(nodes);
  for (std::int64_t& value : x) value = random.between(static_cast<int>(-top / 2), static_cast<int>(top));
  return x;
}

// Close to the first, because rounding shows where real differences are small.
State moved(Seeded& random, State x) {
  for (std::int64_t& value : x)
    if (random.coin()) value += random.between(-1, 1);
  return x;
}

class LatticeSlackOf : public ::testing::TestWithParam<Rounding> {};

TEST_P(LatticeSlackOf, NoStepExceedsTheBoundWithIt) {
  Seeded random(1);
  double worst = 0, worst_without_nodes = 0, worst_same_graph = 0;
  for (int i = 0; i < 200000; ++i) {
    const Pair pair = random_pair(random, 9, 0);
    const LatticeStep step{random.between(-16, 16), random.between(-16, 16), random.between(1, 40),
                           random.coin(), GetParam()};
    const Step real = step.real();
    const SmallGraph other = pair.neighbor();
    const State x = random_state(random, pair.graph.nodes(), 4 * step.eta), near = moved(random, x);
    const double base = gain_up(real) * distance(x, near);
    const double rho = distortion_up(real, static_cast<double>(step.eta));
    const double slack = lattice_slack_up(real, other.nodes(), other.edges(), 1);
    const double links = real.walk != 0 ? 2 * static_cast<double>(other.edges()) : 0;
    const double seen = distance(run(pair.graph, step, x), run(other, step, near));
    ASSERT_LE(seen, base + rho + slack) << step.walk << ' ' << step.stay;
    const double same = distance(run(pair.graph, step, x), run(pair.graph, step, near));
    ASSERT_LE(same, base + slack);
    if (slack > 0) {
      worst = std::max(worst, (seen - base - rho) / slack);
      worst_same_graph = std::max(worst_same_graph, (same - base) / slack);
    }
    if (links + base > 0) worst_without_nodes = std::max(worst_without_nodes, same / (base + links));
  }
  EXPECT_GT(worst_same_graph, 0.3);
  EXPECT_GT(worst, 0.1);  // something is needed beyond the real bound
  EXPECT_GT(worst_without_nodes, 1.2);
}

INSTANTIATE_TEST_SUITE_P(Rounding, LatticeSlackOf, ::testing::Values(Rounding::down, Rounding::toward_zero),
                         [](const auto& one) { return one.param == Rounding::down ? "Down" : "TowardZero"; });

TEST(LatticeSlack, CountsOnlyWhatIsRounded) {
  EXPECT_EQ(lattice_slack_up({0.4, 0.4, 0.2}, 10, 20, 1), 50);
  EXPECT_EQ(lattice_slack_up({0.4, 1, -0.4}, 10, 20, 1), 40);
  EXPECT_EQ(lattice_slack_up({0, 0.4, 0.6}, 10, 20, 1), 10);
  EXPECT_EQ(lattice_slack_up({0, -1, 2}, 10, 20, 1), 0);
  EXPECT_EQ(lattice_slack_up({0.8, 0, 0.2}, 10, 20, 0.25), 10);
}

}  // namespace
}  // namespace hushwalk::accounting
