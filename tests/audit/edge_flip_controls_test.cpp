// Randomized response that is not what it says, on purpose.
#include <gtest/gtest.h>

#include "attack_controls.h"

namespace hushwalk::testing {
namespace {

const Attacked edge_flip{"edgeflip", Scope::edge};

// Fewer flips: those of an epsilon of 1.5.
Plan with_fewer_flips(Plan plan) {
  ReleaseParameters request = request_of(edge_flip);
  request.epsilon = Epsilon(1.5);
  plan.noise = make_plan(public_facts(10), request).noise;
  return plan;
}

TEST(Controls, TooFewFlipsAreCaughtExactly) {
  Target target = honest(edge_flip);
  target.plan = [plan = target.plan](std::uint64_t nodes, std::uint64_t seeds) {
    return with_fewer_flips(plan(nodes, seeds));
  };
  const AuditReport report = attack(target, Scope::edge, first_pairs(Scope::edge, 1), 0);
  EXPECT_NEAR(report.worst_sensitivity_ratio, 1.5, 1e-9);
  EXPECT_TRUE(report.violated());
}

// Nothing but the numbers can tell: the scale is that of the claim.
AuditReport attack_by_sampling(const Start& start) {
  const Control control(start);
  return attack({"control", control, honest(edge_flip).plan}, Scope::edge, first_pairs(Scope::edge, 1));
}

TEST(Controls, TooFewFlipsAreCaughtBySampling) {
  class Liar final : public ChangedRelease {
   public:
    using ChangedRelease::ChangedRelease;
    double scale(const SeedVector&, std::size_t, Node) const override { return 1; }
  };
  const AuditReport report =
      attack_by_sampling([](const Plan& plan, const Graph& graph, NoiseSource& source) {
        return std::make_unique<Liar>(std::make_unique<OtherPlan>(
            std::make_unique<Plan>(with_fewer_flips(plan)), find_mechanism("edgeflip"), graph, source));
      });
  EXPECT_GT(report.epsilon_lower_bound, 1.2);
  EXPECT_TRUE(report.violated());
}

// Links are added and never taken away: a pair that is not linked was not.
TEST(Controls, FlipsThatKeepTrueLinksAreCaughtBySampling) {
  class Keeping final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                 const Progress& progress) override {
      std::vector<Columns> released = inner_->numbers(seeds, first, progress);
      for (Columns& numbers : released) {
        std::size_t i = 0;
        for (Node v = 0; v < graph_.nodes(); ++v)
          for (Node u = 0; u < v; ++u, ++i)
            if (graph_.adjacent(u, v)) numbers.front()[i] = 1;
      }
      return released;
    }
  };
  const AuditReport report =
      attack_by_sampling([](const Plan& plan, const Graph& graph, NoiseSource& source) {
        return std::make_unique<Keeping>(find_mechanism("edgeflip").start(plan, graph, source, {}), graph);
      });
  EXPECT_GT(report.epsilon_lower_bound, 3);
}

// The answer of a seed's owner, in which the pairs at the seed are true, given to anybody.
TEST(Controls, APersonalizedAnswerInEdgeScopeIsCaughtBySampling) {
  const AuditReport report = attack_by_sampling([](const Plan& plan, const Graph& graph,
                                                   NoiseSource& source) {
    auto personalized = std::make_unique<Plan>(plan);
    personalized->parameters.scope = Scope::personalized;
    return std::make_unique<OtherPlan>(std::move(personalized), find_mechanism("edgeflip"), graph, source);
  });
  EXPECT_GT(report.epsilon_lower_bound, 3);
}

}  // namespace
}  // namespace hushwalk::testing
