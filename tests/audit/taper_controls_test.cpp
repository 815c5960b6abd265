// Tapers that one edge moves by more than is claimed, on purpose.
#include <gtest/gtest.h>

#include <cmath>

#include "attack_controls.h"
#include "audit/climb.h"

namespace hushwalk::testing {
namespace {

constexpr double one_link = 0x1p32;
using Weight = std::function<double(std::uint64_t degree)>;

// `shared` with another taper, under the noise that S_w = 1 would need.
Start shared_with(const Weight& weight) {
  return [weight](const Plan& plan, const Graph& graph, NoiseSource& source) {
    const Formula formula{
        [weight](const Graph& of, const SeedVector&) {
          std::vector<std::int64_t> links(of.nodes());
          for (Node v = 0; v < of.nodes(); ++v)
            for (const Node u : of.neighbors(v))
              links[v] += static_cast<std::int64_t>(one_link * weight(of.degree(u)));
          return links;
        },
        [scale = 2 * one_link / plan.epsilon()](const Graph&, const SeedVector&, Node) { return scale; }};
    return std::make_unique<FormulaRelease>(formula, graph, source);
  };
}

Plan edge_plan(std::uint64_t nodes, std::uint64_t seeds) {
  Plan plan = honest({"shared", Scope::edge}).plan(nodes, seeds);
  plan.artefact = Artefact::none;
  return plan;
}

TEST(Controls, ThisSoftTaperIsFineUnderTheSameNoise) {
  const Weight soft = [](std::uint64_t d) {
    const auto degree = static_cast<double>(d);
    return d <= 8 ? 1 - degree / 16 : 4 / degree;
  };
  for (const Node degree : {1U, 3U, 8U, 16U})
    EXPECT_LE(
        worst_ratio(shared_with(soft), edge_plan, Scope::edge, auditing::worst_pairs(Scope::edge, degree)),
        1 + 1e-9);
}

TEST(Controls, AHardTaperIsCaughtExactly) {
  const Weight hard = [](std::uint64_t d) { return std::min(1.0, 16 / static_cast<double>(d)); };
  EXPECT_GT(worst_ratio(shared_with(hard), edge_plan, Scope::edge, auditing::worst_pairs(Scope::edge, 16)),
            1.8);
}

TEST(Controls, ACoarselyQuantisedTaperIsCaughtExactly) {
  const Weight coarse = [](std::uint64_t d) {
    const auto degree = static_cast<double>(d);
    return std::floor(8 * (d <= 4 ? 1 - degree / 8 : 2 / degree)) / 8;
  };
  EXPECT_GT(worst_ratio(shared_with(coarse), edge_plan, Scope::edge, auditing::worst_pairs(Scope::edge, 16)),
            1.8);
}

// `twohop` whose taper reads degrees inside O only: a node of O moves all its links into N.
TEST(Controls, DegreesInsideOAreCaughtExactly) {
  const Start start = [](const Plan& plan, const Graph& graph, NoiseSource& source) {
    const Formula formula{
        [](const Graph& of, const SeedVector& seed) {
          const OwnLinks own = own_links(of, seed);
          const auto near = [&](Node v) { return std::ranges::binary_search(own.near, v); };
          const auto far = [&](Node v) { return !near(v) && !seed.contains(v); };
          const auto weight = [&](Node u) {
            double degree = 0;
            for (const Node v : of.neighbors(u)) degree += far(v);
            return degree <= 4 ? 1 - degree / 8 : 2 / degree;
          };
          std::vector<std::int64_t> links(of.nodes());
          for (Node v = 0; v < of.nodes(); ++v)
            for (const Node u : of.neighbors(v))
              if (!seed.contains(v))
                links[v] += static_cast<std::int64_t>(one_link * (near(u) ? 1 : far(u) ? weight(u) : 0));
          return links;
        },
        [plan](const Graph& of, const SeedVector& seed, Node node) {
          return plan.noise[std::ranges::binary_search(own_links(of, seed).near, node) ? 0 : 1].lattice_scale;
        }};
    return std::make_unique<FormulaRelease>(formula, graph, source);
  };
  const auto plan = [](std::uint64_t nodes, std::uint64_t seeds) {
    return auditing::standard_targets(request_of({"twohop", Scope::personalized})).back().plan(nodes, seeds);
  };
  AdjacentPair crowd{"crowd", 33, {}, {1, 2}, 0};  // node 1 is linked to all of N, node 2 to nobody
  for (Node near = 3; near < crowd.nodes; ++near)
    crowd.edges.insert(crowd.edges.end(), {{0, near}, {1, near}});
  EXPECT_GT(worst_ratio(start, plan, Scope::personalized, {crowd}), 2);
  const Control control(start);
  EXPECT_GT(auditing::climb({"control", control, plan}, Scope::personalized, 1500, 1).comparison.ratio, 1.01);
}

}  // namespace
}  // namespace hushwalk::testing
