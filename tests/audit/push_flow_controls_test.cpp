// Push-flow as the code of its authors has it: every node capped by the largest degree of the graph instead
// of its own.
#include <gtest/gtest.h>

#include <cmath>

#include "accounting/fixed_point.h"
#include "attack_controls.h"

namespace hushwalk::testing {
namespace {

constexpr double teleport = 0.5, cap = 1e-3, unit = 0x1p-40;
constexpr std::uint64_t rounds = 40;

using Cap = std::function<double(const Graph& graph, Node node)>;

double own_degree(const Graph& graph, Node node) { return static_cast<double>(graph.degree(node)); }

double largest_degree(const Graph& graph, Node) {
  std::uint64_t most = 0;
  for (Node v = 0; v < graph.nodes(); ++v) most = std::max(most, graph.degree(v));
  return static_cast<double>(most);
}

// p = a h after the last round of h <- min(s + (1 - a) W h, cap).
std::vector<std::int64_t> flow(const Graph& graph, const SeedVector& seed, const Cap& cap_of) {
  std::vector<double> h(graph.nodes());
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::vector<double> next(h.size());
    for (const auto& [node, weight] : seed.entries()) next[node] = weight;
    for (Node v = 0; v < h.size(); ++v) {
      next[v] += (1 - teleport) / 2 * h[v];
      for (const Node u : graph.neighbors(v)) next[u] += (1 - teleport) / 2 * h[v] / own_degree(graph, v);
    }
    for (Node v = 0; v < h.size(); ++v) h[v] = std::min(next[v], cap * cap_of(graph, v));
  }
  std::vector<std::int64_t> numbers;
  for (const double value : h) numbers.push_back(std::llround(teleport * value / unit));
  return numbers;
}

// Under the noise that the published sensitivity asks for.
AuditReport attack_flow(const Cap& cap_of, std::uint64_t trials) {
  const double sensitivity =
      accounting::pushflow_published_sensitivity_up({teleport, cap, rounds}, Scope::edge) / unit;
  const auto claim = [&](std::uint64_t nodes, std::uint64_t seeds) {
    Plan plan = honest({"pushflow", Scope::edge}).plan(nodes, seeds);
    plan.noise.front().lattice_scale = sensitivity / plan.epsilon();
    return plan;
  };
  // A ring of saturated nodes, every one a seed, and a chord that makes two of them the largest.
  AdjacentPair ring{"ring", 40, {}, {0, 20}, 0};
  std::vector<std::pair<Node, double>> everybody;
  for (Node v = 0; v < ring.nodes; ++v) {
    ring.edges.emplace_back(v, (v + 1) % ring.nodes);
    everybody.emplace_back(v, 1.0);
  }
  ring.seed = SeedVector::weighted(everybody);
  const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
    return std::make_unique<FormulaRelease>(
        Formula{
            [numbers = flow(graph, ring.seed, cap_of)](const Graph&, const SeedVector&) { return numbers; },
            [scale = plan.noise.front().lattice_scale](const Graph&, const SeedVector&, Node) {
              return scale;
            }},
        graph, source);
  });
  return attack({"control", control, claim}, Scope::edge, {ring}, trials);
}

TEST(Controls, PushFlowCappedByTheLargestDegreeIsCaught) {
  const AuditReport report = attack_flow(largest_degree, N);
  EXPECT_GT(report.worst_sensitivity_ratio, 7);  // 40 a c instead of (3 - a) c
  EXPECT_GT(report.epsilon_lower_bound, 1);
  EXPECT_TRUE(report.violated());
}

TEST(Controls, PushFlowCappedByTheOwnDegreeIsFineUnderTheSameNoise) {
  EXPECT_FALSE(attack_flow(own_degree, 0).violated());
}

}  // namespace
}  // namespace hushwalk::testing
