// Values of an independent high-precision implementation.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "accounting/conversion.h"
#include "accounting/renyi.h"
#include "accounting/taper.h"
#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"
#include "support/golden.h"

namespace hushwalk {
namespace {

using Json = nlohmann::json;

constexpr double tolerance = 1e-10;

using testing::golden;

#define EXPECT_CLOSE(actual, expected) EXPECT_NEAR((actual), (expected), tolerance* std::abs(expected))

NoiseDesign design_of(const Json& row) {
  const double beta = row.at("beta");
  const int steps = row.at("steps");
  const Diffusion diffusion =
      row.at("diffusion") == "ppr" ? Diffusion::ppr(beta, steps) : Diffusion::pagerank(beta, steps);
  return {{diffusion.steps().begin(), diffusion.steps().end()},
          Eta(row.at("eta")),
          row.at("scope") == "edge" ? Scope::edge : Scope::personalized};
}

TEST(AccountingGolden, Theorems) {
  const Json rows = golden("accounting.json").at("rows");
  ASSERT_EQ(rows.size(), 16U);
  for (const Json& row : rows) {
    SCOPED_TRACE(row.dump());
    const NoisyRun run{design_of(row), LaplaceScale(row.at("laplace_scale"))};
    const Delta delta(row.at("delta"));
    const RenyiOrder order(row.at("order"));
    const Guarantee theorem = account(run, delta, Accountant::theorem, order);
    EXPECT_CLOSE(distortion(run.design), row.at("distortion").get<double>());
    EXPECT_CLOSE(proven_sensitivity(run.design).value, row.at("sensitivity").get<double>());
    EXPECT_CLOSE(theorem.rdp, row.at("rdp").get<double>());
    EXPECT_EQ(theorem.tau, row.at("tau").get<std::size_t>());
    EXPECT_CLOSE(theorem.epsilon, row.at("epsilon_improved").get<double>());
    EXPECT_CLOSE(accounting::mironov_epsilon_up(order.value(), theorem.rdp, delta.value()),
                 row.at("epsilon_mironov").get<double>());
    EXPECT_CLOSE(theorem.pure_epsilon, row.at("pure_epsilon").get<double>());
    EXPECT_CLOSE(account(run, {}).epsilon, row.at("pure_epsilon").get<double>());
    EXPECT_CLOSE(account(run, delta, Accountant::composition, order).rdp,
                 row.at("rdp_composition").get<double>());
    EXPECT_LE(account(run, delta, Accountant::shift, order).rdp, theorem.rdp);
  }
}

TEST(AccountingGolden, Calibration) {
  const Json rows = golden("accounting.json").at("calibration");
  ASSERT_EQ(rows.size(), 4U);
  for (const Json& row : rows) {
    SCOPED_TRACE(row.dump());
    const NoiseDesign design = design_of(row);
    const Epsilon epsilon(row.at("epsilon"));
    const Delta delta(row.at("delta"));
    const double pure = row.at("laplace_scale_pure"), composition = row.at("laplace_scale_composition_about");
    EXPECT_CLOSE(calibrate(design, epsilon, {}).laplace_scale.value(), pure);
    // A delta never makes it worse; spread over many draws the shift accountant saves up to 0.3 % here.
    const Calibration with_delta = calibrate(design, epsilon, delta);
    EXPECT_LE(with_delta.laplace_scale.value(), pure * (1 + tolerance));
    EXPECT_GE(with_delta.laplace_scale.value(), pure * 0.997);
    if (with_delta.guarantee.pure()) {
      EXPECT_CLOSE(with_delta.laplace_scale.value(), pure);
    }
    const double by_composition =
        account({design, LaplaceScale(composition)}, delta, Accountant::composition).epsilon;
    EXPECT_NEAR(by_composition, epsilon.value(), 1e-3 * epsilon.value());
  }
}

double number(const Json& text) { return std::stod(text.get<std::string>()); }

TEST(AccountingGolden, LaplaceCurve) {
  const Json rows = golden("accounting.json").at("laplace");
  ASSERT_EQ(rows.size(), 36U);
  for (const Json& row : rows)
    EXPECT_NEAR(accounting::laplace_renyi_up(number(row.at("order")), number(row.at("shift_over_scale"))) /
                    row.at("rdp").get<double>(),
                1, 1e-12)
        << row;
}

TEST(AccountingGolden, DiscreteLaplaceCurve) {
  const Json rows = golden("accounting.json").at("discrete_laplace");
  ASSERT_EQ(rows.size(), 27U);
  for (const Json& row : rows)
    EXPECT_NEAR(
        accounting::discrete_laplace_renyi_up(number(row.at("order")), row.at("shift"), row.at("scale")) /
            row.at("rdp").get<double>(),
        1, 1e-12)
        << row;
}

TEST(AccountingGolden, Taper) {
  const Json rows = golden("twohop.json").at("taper");
  ASSERT_EQ(rows.size(), 8U);
  for (const Json& row : rows) {
    const accounting::Taper taper =
        row.at("taper").is_null() ? accounting::Taper() : row.at("taper").get<std::uint64_t>();
    const double expected = row.at("taper_sensitivity");
    const std::uint64_t nodes = row.at("nodes");
    EXPECT_CLOSE(accounting::taper_sensitivity_up(taper), expected);
    // Rounding a weight moves it by less than a unit, and degrees multiply that.
    const double units = static_cast<double>(accounting::QuantisedTaper(1, taper).sensitivity(nodes));
    EXPECT_NEAR(units * 0x1p-32, expected, static_cast<double>(nodes) * 0x1p-32);
  }
}

}  // namespace
}  // namespace hushwalk
