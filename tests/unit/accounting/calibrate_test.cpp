// account() and calibrate() belong together; both move the right way with their parameters.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <type_traits>

#include "accounting/reproduction.h"
#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"
#include "hushwalk/error.h"

namespace hushwalk {
namespace {

double log_uniform(double low, double high) {
  const double share = *rc::gen::inRange(0, 1'000'001) / 1e6;
  return low * std::pow(high / low, share);
}

NoiseDesign arbitrary_design() {
  const int steps = *rc::gen::inRange(2, 40);
  const double beta = *rc::gen::inRange(1, 100) / 100.0;
  const Diffusion diffusion = *rc::gen::element(Diffusion::ppr(beta, steps), Diffusion::pagerank(beta, steps),
                                                Diffusion::heat(beta * steps, steps));
  return {{diffusion.steps().begin(), diffusion.steps().end()},
          Eta(log_uniform(1e-8, 1e-2)),
          *rc::gen::element(Scope::edge, Scope::personalized),
          *rc::gen::element(NoisePlacement::every_step, NoisePlacement::at_end),
          *rc::gen::inRange(1, 4)};
}

std::optional<Delta> arbitrary_delta() {
  if (*rc::gen::inRange(0, 4) == 0) return std::nullopt;
  return Delta(log_uniform(1e-12, 0.9));
}

void expect_exact(const NoiseDesign& design, double target, std::optional<Delta> delta) {
  const Calibration found = calibrate(design, Epsilon(target), delta);
  const Guarantee again = account({design, found.laplace_scale}, delta);
  RC_ASSERT(again.epsilon == found.guarantee.epsilon);
  RC_ASSERT(again.accountant == found.guarantee.accountant);
  RC_ASSERT(again.epsilon <= target);
  // The second term is what one unit in the last place of the scale moves.
  RC_ASSERT(again.epsilon >= target * (1 - 1e-9) - 1e-14 * again.pure_epsilon);
  for (const double step : {1e-10, 1e-3}) {
    const LaplaceScale less(found.laplace_scale.value() * (1 - step));
    RC_ASSERT(account({design, less}, delta).epsilon > target);
  }
}

RC_GTEST_PROP(Calibrate, MeetsTheTargetAndNotMore, ()) {
  expect_exact(arbitrary_design(), log_uniform(1e-3, 50), arbitrary_delta());
}

RC_GTEST_PROP(Calibrate, MeetsTinyTargetsToo, ()) {
  expect_exact(arbitrary_design(), log_uniform(1e-12, 1e-3), arbitrary_delta());
}

// A delta near half of 0.1 % of epsilon makes a pure guarantee about 0.1 % dearer than the best.
RC_GTEST_PROP(Calibrate, MeetsTheTargetWhereThePreferenceForPureFades, ()) {
  NoiseDesign design = arbitrary_design();
  design.placement = NoisePlacement::at_end;
  design.draws = 1;
  const double target = log_uniform(1e-6, 1);
  expect_exact(design, target, Delta(target * log_uniform(4e-4, 1.2e-3)));
}

TEST(Calibrate, TheCertificateIsContinuousWhereThePreferenceForPureFades) {
  const Diffusion lazy = Diffusion::ppr(0.8, 20);
  const NoiseDesign design{
      {lazy.steps().begin(), lazy.steps().end()}, Eta(1e-6), Scope::personalized, NoisePlacement::at_end, 1};
  bool pure = false, faded = false, best = false;
  double before = 1e-3;
  for (double share = 4e-4; share < 1.2e-3; share *= 1.0001) {
    const double scale = proven_sensitivity(design).value / 1e-3;
    const Guarantee here = account({design, LaplaceScale(scale)}, Delta(1e-3 * share));
    const double smallest =
        account({design, LaplaceScale(scale)}, Delta(1e-3 * share), Accountant::shift).epsilon;
    EXPECT_GE(here.epsilon, smallest);
    EXPECT_LE(here.epsilon, smallest * 1.001);
    EXPECT_NEAR(here.epsilon / before, 1, 1e-6);
    before = here.epsilon;
    (here.pure() ? pure : here.epsilon > smallest ? faded : best) = true;
  }
  EXPECT_TRUE(pure && faded && best);
}

// One unit in the last place of the scale moves epsilon by 1e-4 of such a target: no scale is nearer.
TEST(Calibrate, ATinyEpsilonBesideALargeDeltaIsMetToTheLastPlaceOfTheScale) {
  const Diffusion lazy = Diffusion::ppr(0.8, 20);
  const NoiseDesign design{{lazy.steps().begin(), lazy.steps().end()}, Eta(1e-6)};
  const Calibration found = calibrate(design, Epsilon(1e-12), Delta(0.5));
  EXPECT_LE(found.guarantee.epsilon, 1e-12);
  EXPECT_GE(found.guarantee.epsilon, 1e-12 - 1e-14 * found.guarantee.pure_epsilon);
}

TEST(Calibrate, ManyStepsOfDifferentGainsAreAffordable) {
  std::vector<Step> steps;
  for (int k = 0; k < 500; ++k) steps.push_back({0.5 + 0.3 * (499 - k) / 499, 0.5, -0.3 * (499 - k) / 499});
  const NoiseDesign design{steps, Eta(1e-6), Scope::edge};
  const Calibration found = calibrate(design, Epsilon(1), Delta(1e-6));
  EXPECT_LE(found.guarantee.epsilon, 1);
  EXPECT_GE(found.guarantee.epsilon, 1 - 1e-9);
}

RC_GTEST_PROP(Account, BestIsTheSmallestAndPrefersPure, ()) {
  const NoisyRun run{arbitrary_design(), LaplaceScale(log_uniform(1e-6, 1))};
  const std::optional<Delta> delta = arbitrary_delta();
  const Guarantee best = account(run, delta);
  double smallest = best.pure_epsilon;
  for (const Accountant accountant : all_accountants) {
    if (!unfit_reason(accountant, run.design).empty()) continue;
    const Guarantee one = account(run, delta, accountant);
    RC_ASSERT(best.epsilon <= one.epsilon * 1.001);
    RC_ASSERT(best.pure_epsilon <= one.pure_epsilon * (1 + 1e-10));
    smallest = std::min(smallest, one.epsilon);
    RC_ASSERT((accountant == Accountant::theorem) == one.tau.has_value());
  }
  RC_ASSERT(best.pure() == (best.pure_epsilon <= smallest * 1.001));
  // From 0.2 % on nothing is left of the preference for pure.
  RC_ASSERT((best.epsilon == smallest || best.pure_epsilon < smallest * 1.002));
  RC_ASSERT(best.epsilon >= smallest);
  RC_ASSERT(best.epsilon <= best.pure_epsilon);
  RC_ASSERT((delta || best.pure()));
}

TEST(Account, AnOrderWithoutADeltaAsksForADivergence) {
  const Diffusion lazy = Diffusion::ppr(0.8, 100);
  const NoisyRun run{{{lazy.steps().begin(), lazy.steps().end()}, Eta(1e-6)}, LaplaceScale(8e-6)};
  const Guarantee asked = account(run, {}, {}, RenyiOrder(2)), pure = account(run, {});
  EXPECT_EQ(asked.epsilon, pure.epsilon);
  EXPECT_EQ(asked.pure_epsilon, pure.epsilon);
  EXPECT_EQ(asked.accountant, Accountant::pure);
  EXPECT_TRUE(asked.pure());
  EXPECT_EQ(asked.order, 2);
  EXPECT_EQ(asked.rdp, account(run, {}, Accountant::shift, RenyiOrder(2)).rdp);
  EXPECT_FALSE(asked.tau.has_value());
}

RC_GTEST_PROP(Account, ImprovesWithNoiseAndEta, ()) {
  NoisyRun run{arbitrary_design(), LaplaceScale(log_uniform(1e-6, 1))};
  const Delta delta(1e-6);
  for (const Accountant accountant : all_accountants) {
    if (!unfit_reason(accountant, run.design).empty()) continue;
    const double before = account(run, delta, accountant).epsilon, slack = 1 + 1e-9;
    NoisyRun more_noise = run, smaller_eta = run, larger_delta = run, all_edges = run, more_steps = run;
    more_noise.laplace_scale = LaplaceScale(run.laplace_scale.value() * 1.1);
    smaller_eta.design.eta = Eta(run.design.eta.value() / 1.1);
    all_edges.design.scope = Scope::edge;
    more_steps.design.steps.push_back(run.design.steps.back());
    RC_ASSERT(account(more_noise, delta, accountant).epsilon <= before * slack);
    RC_ASSERT(account(smaller_eta, delta, accountant).epsilon <= before * slack);
    RC_ASSERT(account(larger_delta, Delta(1e-5), accountant).epsilon <= before * slack);
    RC_ASSERT(account(all_edges, delta, accountant).epsilon >= before / slack);
    // The fixed-point bound of `output` falls towards its limit with the steps; everything else grows.
    const bool falls = run.design.placement == NoisePlacement::at_end;
    RC_ASSERT((falls || account(more_steps, delta, accountant).epsilon >= before / slack));
  }
}

RC_GTEST_PROP(Account, GrowsWithTheOrder, ()) {
  const NoisyRun run{arbitrary_design(), LaplaceScale(log_uniform(1e-6, 1))};
  const double order = 1 + log_uniform(1e-5, 1e5);
  for (const Accountant accountant : all_accountants) {
    if (!unfit_reason(accountant, run.design).empty()) continue;
    const double here = account(run, {}, accountant, RenyiOrder(order)).rdp;
    RC_ASSERT(here <= account(run, {}, accountant, RenyiOrder(order * 1.5)).rdp * (1 + 1e-9));
    RC_ASSERT(here <= account(run, {}, accountant, RenyiOrder::infinite()).rdp * (1 + 1e-9));
  }
}

NoisyRun paper(double scale, Scope scope = Scope::personalized) {
  const Diffusion lazy = Diffusion::ppr(0.8, 100);
  return {{{lazy.steps().begin(), lazy.steps().end()}, Eta(1e-6), scope}, LaplaceScale(scale)};
}

TEST(Account, InThePapersSettingTheBestIsPure) {
  for (const double epsilon : {0.1, 1.0, 3.0, 10.0}) {
    const Calibration found = calibrate(paper(1).design, Epsilon(epsilon), Delta(1e-6));
    EXPECT_EQ(found.guarantee.accountant, Accountant::pure);
    EXPECT_TRUE(found.guarantee.pure());
    EXPECT_FALSE(found.guarantee.tau.has_value());
  }
}

TEST(Account, TheoremAtOrderInfinityIsThePureBound) {
  const Guarantee theorem = account(paper(8e-6), {}, Accountant::theorem);
  EXPECT_EQ(theorem.tau, 99U);
  EXPECT_NEAR(theorem.epsilon, account(paper(8e-6), {}).epsilon, 1e-12);
}

TEST(Account, GainsOfOneTieToTheSmallestTau) {
  const Diffusion heat = Diffusion::heat(3, 30);
  const NoisyRun run{{{heat.steps().begin(), heat.steps().end()}, Eta(1e-6), Scope::edge},
                     LaplaceScale(1e-4)};
  EXPECT_EQ(account(run, {}, Accountant::theorem).tau, 0U);
}

TEST(Account, GrowthIsAbsorbedAtOnce) {
  const NoisyRun run{{std::vector<Step>(30, Step{1.2, 0.3, -0.5}), Eta(1e-3), Scope::edge}, LaplaceScale(1)};
  const double rho = 4 * 1.2 * 1e-3;
  EXPECT_NEAR(account(run, {}).epsilon, 30 * rho, 1e-9);
  EXPECT_GT(account(run, {}, Accountant::pure).epsilon, 100 * rho);
}

TEST(Account, AMillionStepsAreAffordable) {
  const Diffusion lazy = Diffusion::ppr(0.9, 1'000'000);
  const NoisyRun run{{{lazy.steps().begin(), lazy.steps().end()}, Eta(1e-6), Scope::edge},
                     LaplaceScale(1e-4)};
  EXPECT_NEAR(account(run, {}).epsilon, 2 * 0.9 * 1e-6 / 0.1 / 1e-4, 1e-9);
}

TEST(Calibrate, LongDiffusionsAreAffordable) {
  for (const double walk : {0.5, 0.5 + 1e-5}) {  // gains of one, and a little above
    const NoiseDesign design{std::vector<Step>(5000, Step{walk, 0.5, 0.5 - walk}), Eta(1e-6)};
    const double pure = calibrate(design, Epsilon(5), {}).laplace_scale.value();
    EXPECT_LT(calibrate(design, Epsilon(5), Delta(1e-6)).laplace_scale.value(), pure / 10);
  }
}

TEST(Calibrate, UsesTheSmallestProvenSensitivityAndNamesIt) {
  NoiseDesign output = paper(1).design;
  output.placement = NoisePlacement::at_end;
  output.draws = 1;
  const Sensitivity sensitivity = proven_sensitivity(output);
  // eta (1-a)/a max(1, 4a/(1+a)) + 4 (1-a)^K with a = 0.2: half of w_K, and what 100 steps leave.
  EXPECT_NEAR(sensitivity.value, 4e-6 + 4 * std::pow(0.8, 100), 1e-18);
  EXPECT_GE(sensitivity.value, 4e-6 + 4 * std::pow(0.8, 100));
  EXPECT_EQ(sensitivity.bound, "fixed point of the lazy walk (docs/math/14-output-half.md)");
  // Its proof needs the lazy walk, noise at the end only, and enough steps to be the smaller one.
  const std::string recursion = "recursion w_K (docs/math/02-sensitivity.md)";
  EXPECT_EQ(proven_sensitivity(paper(1).design).bound, recursion);
  NoiseDesign simple = output, few = output;
  for (Step& step : simple.steps) step = {.walk = 0.8, .stay = 0, .restart = 0.2};
  few.steps.resize(20);
  EXPECT_EQ(proven_sensitivity(simple).bound, recursion);
  EXPECT_EQ(proven_sensitivity(few).bound, recursion);
}

// --- what may not be certified
// -----------------------------------------------------------------------------------

using accounting::UnsoundBound;
static_assert(!std::is_convertible_v<UnsoundBound, double>);
static_assert(!std::is_constructible_v<double, UnsoundBound>);
static_assert(!std::is_constructible_v<UnsoundBound, double>);
static_assert(!std::is_constructible_v<Guarantee, UnsoundBound>);
static_assert(!std::is_constructible_v<PrivacyCost, UnsoundBound>);
static_assert(!std::is_constructible_v<Epsilon, UnsoundBound>);

TEST(Reproduction, TheoremTwoAsPrintedCertifiesNothing) {
  const accounting::ConstantChain chain{100, 0.8, 1.6e-6, 1e-30};  // hardly any noise
  EXPECT_EQ(accounting::printed_theorem_2(chain, 8).value_for_plots_only(), 0);
  EXPECT_GT(account(paper(1e-30), Delta(1e-6)).epsilon, 1e20);
}

TEST(Reproduction, DiametersBoundTheSameTerms) {
  const accounting::ConstantChain chain{100, 0.8, 1.6e-6, 1e-4};
  const double theorem = account(paper(1e-4, Scope::edge), {}, Accountant::theorem, RenyiOrder(8)).rdp;
  EXPECT_GT(accounting::diameter_bound(chain, 1, 8).value_for_plots_only(), theorem);
  // A diameter as small as the tracked distance gives no less than the theorem, which tracks it from step to
  // step.
  EXPECT_NEAR(accounting::diameter_bound(chain, 1.6e-6 / 0.2, 8).value_for_plots_only(), theorem,
              0.01 * theorem);
}

}  // namespace
}  // namespace hushwalk
