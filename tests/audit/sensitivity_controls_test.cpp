// Columns that one edge moves by more than is claimed, on purpose.
#include <gtest/gtest.h>

#include <cmath>

#include "accounting/reproduction.h"
#include "attack_controls.h"
#include "audit/climb.h"

namespace hushwalk::testing {
namespace {

// The plan of `output`, priced for eta, runs with caps sixteen times as high.
TEST(Controls, NoClipIsCaughtExactly) {
  for (const Scope scope : {Scope::personalized, Scope::edge}) {
    ReleaseParameters request = request_of({"output", scope});
    request.diffusion = Diffusion::ppr(0.8, scope == Scope::edge ? 1 : 2);
    const auto plan = [request](std::uint64_t nodes, std::uint64_t seeds) {
      ReleaseParameters small = request, large = request;
      small.seeds_per_ranking = large.seeds_per_ranking = seeds;
      small.eta = Eta(0.003);
      large.eta = Eta(16 * 0.003);
      const Plan priced = make_plan(public_facts(nodes), small);
      Plan run = make_plan(public_facts(nodes), large);
      run.noise = priced.noise;
      run.noise.front().lattice_scale = std::ldexp(priced.noise.front().laplace_scale, run.lattice_bits);
      return run;
    };
    const AuditReport report =
        attack({"control", find_mechanism("output"), plan}, scope, first_pairs(scope, 1), N);
    EXPECT_GT(report.worst_sensitivity_ratio, 10);
    EXPECT_GT(report.epsilon_lower_bound, 1);
  }
}

// Theorem 2 as printed certifies any noise, a millionth of what is needed included.
TEST(Controls, ThePrintedTheoremTwoIsCaught) {
  const Target claimed = honest({"paper", Scope::personalized});
  const auto plan = [&](std::uint64_t nodes, std::uint64_t seeds) {
    Plan made = claimed.plan(nodes, seeds);
    divide_noise(made, 1e6);
    return made;
  };
  const double scale = plan(3, 1).noise.front().laplace_scale;
  EXPECT_EQ(accounting::printed_theorem_2({2, 0.8, 0.048, scale}, 2).value_for_plots_only(), 0);
  const AuditReport report = attack({"control", claimed.mechanism, plan}, Scope::personalized,
                                    first_pairs(Scope::personalized, 1), N);
  EXPECT_GT(report.worst_sensitivity_ratio, 1000);
  EXPECT_GT(report.epsilon_lower_bound, 1);
}

// A lattice of 2^-9 whose rounding is not charged.
TEST(Controls, SlackLeftOutOnACoarseLatticeIsCaughtByClimbing) {
  ReleaseParameters request = request_of({"output", Scope::edge});
  request.diffusion = Diffusion::pagerank(0.8, 3);
  request.eta = Eta(0x1p-8);
  const auto plan = [request](std::uint64_t nodes, std::uint64_t seeds) {
    ReleaseParameters made = request;
    made.seeds_per_ranking = seeds;
    Plan result = make_plan(public_facts(nodes), made);
    result.lattice_bits = 9;
    result.noise.front().lattice_scale = std::ldexp(result.noise.front().laplace_scale, 9);
    return result;
  };
  const Target target{"control", find_mechanism("output"), plan};
  const auditing::Summit found = auditing::climb(target, Scope::edge, 20'000, 1);
  EXPECT_GT(found.comparison.ratio, 1.05);
}

}  // namespace
}  // namespace hushwalk::testing
