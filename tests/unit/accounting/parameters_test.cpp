// Parameters that cannot hold nonsense, and errors that name what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"
#include "hushwalk/error.h"

namespace hushwalk {
namespace {

using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nonsense[] = {std::nan(""), infinity, -infinity, 0.0, -0.0, -1.0, 5e-324, 1e-310, 1e300};

void expect_error(ErrorCode code, const std::string& text, const std::function<void()>& action) {
  try {
    action();
    ADD_FAILURE() << "no error with '" << text << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(Parameters, NonsenseHasANamedError) {
  for (const double value : nonsense) {
    expect_error(ErrorCode::usage, "epsilon", [&] { Epsilon{value}; });
    expect_error(ErrorCode::usage, "eta", [&] { Eta{value}; });
    expect_error(ErrorCode::usage, "laplace_scale", [&] { LaplaceScale{value}; });
  }
  for (const double value : {std::nan(""), infinity, 0.0, -1e-6, 5e-324, 1.0, 1e300})
    expect_error(ErrorCode::usage, "delta", [&] { Delta{value}; });
  for (const double value : {std::nan(""), -infinity, 0.0, 1.0, 0.5, 1 + 1e-9, 1e7, 1e300})
    expect_error(ErrorCode::usage, "order", [&] { RenyiOrder{value}; });
}

TEST(Parameters, OrdinaryValuesAreKept) {
  EXPECT_EQ(Epsilon(0.1).value(), 0.1);
  EXPECT_EQ(Delta(1e-6).value(), 1e-6);
  EXPECT_EQ(Eta(1e-6).value(), 1e-6);
  EXPECT_EQ(LaplaceScale(8e-6).value(), 8e-6);
  EXPECT_EQ(RenyiOrder::infinite().value(), infinity);
}

NoiseDesign design(std::vector<Step> steps, Scope scope = Scope::edge, int draws = 2) {
  return {std::move(steps), Eta(1e-6), scope, NoisePlacement::every_step, draws};
}

TEST(Parameters, DesignsWithoutSense) {
  const NoisyRun empty{design({}), LaplaceScale(1)};
  expect_error(ErrorCode::usage, "at least one step", [&] { account(empty, {}); });
  for (const int draws : {-1, 0, 1001})
    expect_error(ErrorCode::usage, "draws",
                 [&] { account({design({{0.5, 0, 0.5}}, Scope::edge, draws), LaplaceScale(1)}, {}); });
  expect_error(ErrorCode::usage, "finite",
               [&] { account({design({{std::nan(""), 0, 1}}), LaplaceScale(1)}, {}); });
}

TEST(Parameters, ASensitivityThatOverflowsIsRefused) {
  const NoiseDesign wild = design(std::vector<Step>(2000, Step{10, 0, -9}));
  expect_error(ErrorCode::refused, "overflows", [&] { calibrate(wild, Epsilon(1), {}); });
  expect_error(ErrorCode::refused, "overflows", [&] { account({wild, LaplaceScale(1)}, {}); });
}

TEST(Parameters, OnePersonalizedStepNeedsNoNoise) {
  const NoiseDesign one = design({{0.8, 0, 0.2}}, Scope::personalized);
  expect_error(ErrorCode::usage, "needs no noise", [&] { calibrate(one, Epsilon(1), {}); });
  EXPECT_EQ(account({one, LaplaceScale(1)}, Delta(1e-6)).epsilon, 0);
}

TEST(Parameters, AnAccountantThatDoesNotFitIsRefused) {
  const Diffusion lazy = Diffusion::ppr(0.8, 10);
  const std::vector<Step> steps(lazy.steps().begin(), lazy.steps().end());
  const NoisyRun one_draw{design(steps, Scope::edge, 1), LaplaceScale(1e-5)};
  expect_error(ErrorCode::refused, "two independent draws",
               [&] { account(one_draw, {}, Accountant::theorem); });
  EXPECT_GT(account(one_draw, {}, Accountant::shift).epsilon, 0);
  NoisyRun at_end = one_draw;
  at_end.design.placement = NoisePlacement::at_end;
  for (const Accountant accountant : {Accountant::theorem, Accountant::composition})
    expect_error(ErrorCode::refused, "every step", [&] { account(at_end, {}, accountant); });
  EXPECT_GT(account(at_end, {}, Accountant::pure).epsilon, 0);
}

}  // namespace
}  // namespace hushwalk
