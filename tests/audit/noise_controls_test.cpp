// Less noise than claimed, on purpose: a control that an audit does not catch is a finding about the audit.
#include <gtest/gtest.h>

#include <cmath>

#include "attack_controls.h"

namespace hushwalk::testing {
namespace {

TEST(Controls, AScaleDividedByTheRootOfTwoIsCaughtExactly) {
  for (const Attacked& one : everything) {
    Target target = honest(one);
    target.plan = [plan = target.plan](std::uint64_t nodes, std::uint64_t seeds) {
      Plan made = plan(nodes, seeds);
      divide_noise(made, std::sqrt(2.0));
      return made;
    };
    const AuditReport report = attack(target, one.scope, first_pairs(one.scope, 1), 0);
    EXPECT_NEAR(report.worst_sensitivity_ratio, std::sqrt(2.0), 0.02) << one.mechanism;
    EXPECT_TRUE(report.violated()) << one.mechanism;
  }
}

// Its numbers are judged together, by their likelihood, and none by itself.
bool in_blocks(const Attacked& one) { return one.mechanism == "frontier"; }

// The release claims the full scale, so that nothing but its numbers can tell.
TEST(Controls, AScaleDividedByTheRootOfTwoIsCaughtBySampling) {
  for (const Attacked& one : everything) {
    const Target claimed = honest(one);
    class Liar final : public ChangedRelease {
     public:
      using ChangedRelease::ChangedRelease;
      double scale(const SeedVector& seed, std::size_t column, Node node) const override {
        return inner_->scale(seed, column, node) * std::sqrt(2.0);
      }
      std::optional<Centres> centres(const Columns& released, const SeedVector& seed) const override {
        std::optional<Centres> found = inner_->centres(released, seed);
        if (found)
          for (auto& column : found->scale)
            for (double& scale : column) scale *= std::sqrt(2.0);
        return found;
      }
    };
    const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
      auto smaller = std::make_unique<Plan>(plan);
      divide_noise(*smaller, std::sqrt(2.0));
      return std::make_unique<Liar>(
          std::make_unique<OtherPlan>(std::move(smaller), claimed.mechanism, graph, source));
    });
    const Target target{"control", control, claimed.plan};
    // That of the others grows well above 1 with the trials, and so would that of `paper`, in the end.
    const std::uint64_t trials = one.mechanism == "paper" ? N : 5 * N;
    const AuditReport report = attack(target, one.scope, first_pairs(one.scope, 2), trials);
    EXPECT_TRUE(report.violated()) << one.mechanism;
    EXPECT_EQ(mentions(report, "less noise"), !in_blocks(one)) << one.mechanism;
    EXPECT_EQ(report.epsilon_lower_bound > 1, one.mechanism != "paper") << report.epsilon_lower_bound;
  }
}

TEST(Controls, NoiseOnEveryOtherNodeIsCaughtBySampling) {
  for (const Attacked& one : everything) {
    const Target claimed = honest(one);
    class Half final : public ChangedRelease {
     public:
      Half(std::unique_ptr<Release> inner, std::unique_ptr<NoiseSource> other,
           std::unique_ptr<Release> silent)
          : ChangedRelease(std::move(inner)), other_(std::move(other)), silent_(std::move(silent)) {}
      std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                   const Progress& progress) override {
        auto noisy = inner_->numbers(seeds, first, progress),
             silent = silent_->numbers(seeds, first, progress);
        for (std::size_t i = 0; i < noisy.size(); ++i)
          for (std::size_t column = 0; column < noisy[i].size(); ++column)
            for (std::size_t v = 0; v < noisy[i][column].size(); v += 2)
              noisy[i][column][v] = silent[i][column][v];
        return noisy;
      }

     private:
      std::unique_ptr<NoiseSource> other_;
      std::unique_ptr<Release> silent_;
    };
    const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
      auto without = std::make_unique<Plan>(plan);
      for (NoiseUse& use : without->noise) use.lattice_scale = 1;
      auto other = source.answer(std::uint64_t{1} << 40);
      NoiseSource& silent = *other;
      return std::make_unique<Half>(
          claimed.mechanism.start(plan, graph, source, {}), std::move(other),
          std::make_unique<OtherPlan>(std::move(without), claimed.mechanism, graph, silent));
    });
    const AuditReport report =
        attack({"control", control, claimed.plan}, one.scope, first_pairs(one.scope, 2), 5000);
    EXPECT_GT(report.epsilon_lower_bound, 1) << one.mechanism;
    EXPECT_EQ(mentions(report, "less noise"), !in_blocks(one)) << one.mechanism;
  }
}

// `paper` with the one draw a step of the printed algorithm, where the plan says two.
TEST(Controls, OneDrawInsteadOfTwoIsCaughtBySampling) {
  for (const Scope scope : {Scope::personalized, Scope::edge}) {
    const Target claimed = honest({"paper", scope}), other = honest({"output", scope});
    const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
      return other.mechanism.start(plan, graph, source, {});
    });
    const AuditReport report = attack({"control", control, claimed.plan}, scope, first_pairs(scope, 1));
    EXPECT_TRUE(mentions(report, "less noise"));
  }
}

}  // namespace
}  // namespace hushwalk::testing
