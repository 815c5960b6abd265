// What Coq computed from the formulas that its theorems are about (proofs/cases.v), compared with the
// program.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "accounting/circles.h"
#include "accounting/edge_cost.h"
#include "accounting/round_up.h"
#include "accounting/sensitivity.h"
#include "accounting/taper.h"
#include "hushwalk/plan.h"
#include "support/golden.h"

namespace hushwalk {
namespace {

using boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

// The numbers of one case, read from the left. A double stands as m, k for m / 2^k.
class Row {
 public:
  explicit Row(const std::string& line) {
    std::istringstream text(line);
    for (cpp_int number; text >> number;) numbers_.push_back(number);
  }
  cpp_int integer() { return numbers_.at(at_++); }
  std::uint64_t count() { return static_cast<std::uint64_t>(integer()); }
  double real() {
    const auto mantissa = static_cast<double>(integer());
    return std::ldexp(mantissa, -static_cast<int>(integer()));
  }
  Rational fraction() {
    const cpp_int numerator = integer();
    return Rational(numerator, integer());
  }
  accounting::Taper taper() {
    const std::uint64_t taper = count();
    return taper == 0 ? accounting::Taper() : taper;
  }
  bool at_end() const { return at_ == numbers_.size(); }

 private:
  std::vector<cpp_int> numbers_;
  std::size_t at_ = 0;
};

std::vector<Row> rows_of(int kind) {
  std::vector<Row> rows;
  std::ifstream file(testing::golden_path("proofs.txt"));
  for (std::string line; std::getline(file, line);) {
    Row row(line);
    if (row.integer() == kind) rows.push_back(row);
  }
  return rows;
}

// Rounded up, by one unit in the last place for each operation.
void expect_up(double rounded, const Rational& exact, int operations = 8) {
  EXPECT_GE(Rational(rounded), exact);
  EXPECT_LE(Rational(rounded), exact * (1 + Rational(operations, cpp_int(1) << 53)));
}

// The scales are those of the notes, but for rounding.
void expect_formulas(Row& row, const std::vector<double>& scales) {
  for (const double scale : scales) {
    const Rational exact = row.fraction(), off = Rational(scale) - exact;
    EXPECT_LE(abs(off), exact / (cpp_int(1) << 50));
  }
  EXPECT_TRUE(row.at_end());
}

Plan plan_of(const char* mechanism, Scope scope, double epsilon, accounting::Taper taper, std::uint64_t nodes,
             std::optional<double> background = {}) {
  ReleaseParameters asked{.mechanism = mechanism, .scope = scope, .epsilon = Epsilon(epsilon)};
  asked.taper = taper ? static_cast<double>(*taper) : std::numeric_limits<double>::infinity();
  asked.background = background;
  return make_plan(public_facts(nodes), asked);
}

void expect_scales(const Plan& plan, const std::vector<double>& scales) {
  ASSERT_EQ(plan.noise.size(), scales.size());
  for (std::size_t i = 0; i < scales.size(); ++i) EXPECT_EQ(plan.noise[i].laplace_scale, scales[i]);
}

TEST(ProofsGolden, WeightsAreThoseOfTheTheorems) {
  std::vector<Row> rows = rows_of(1);
  ASSERT_EQ(rows.size(), 240U);
  for (Row& row : rows) {
    const double background = row.real();
    const accounting::QuantisedTaper taper(background, row.taper());
    const std::uint64_t degree = row.count();
    EXPECT_EQ(taper.weight(degree), row.count());
    EXPECT_TRUE(row.at_end());
  }
}

TEST(ProofsGolden, SensitivitiesAreThoseOfTheTheorems) {
  std::vector<Row> rows = rows_of(2);
  ASSERT_EQ(rows.size(), 96U);
  for (Row& row : rows) {
    const double background = row.real();
    const accounting::QuantisedTaper taper(background, row.taper());
    const std::uint64_t nodes = row.count();
    EXPECT_EQ(taper.sensitivity(nodes), row.count());
  }
}

TEST(ProofsGolden, ScalesOfSharedAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(3);
  ASSERT_EQ(rows.size(), 72U);
  for (Row& row : rows) {
    const double epsilon = row.real();
    const accounting::Taper taper = row.taper();
    const std::uint64_t nodes = row.count();
    const double moved = 2 * std::ldexp(static_cast<double>(row.count()), -32), scale = row.real();
    expect_scales(plan_of("shared", Scope::edge, epsilon, taper, nodes), {scale});
    expect_up(accounting::laplace_cost_up({{moved, scale}}), row.fraction());
    EXPECT_EQ(row.count(), 1U) << "the exact cost exceeds epsilon";
    expect_formulas(row, {scale});
  }
}

void expect_costs(Row& row, const accounting::EdgeCost& cost) {
  expect_up(cost.inside, row.fraction());
  expect_up(cost.between, row.fraction());
  expect_up(cost.outside, row.fraction());
  EXPECT_EQ(row.count(), 1U) << "an exact cost exceeds epsilon";
}

TEST(ProofsGolden, ScalesOfSeparateNumbersAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(4);
  ASSERT_EQ(rows.size(), 54U);
  for (Row& row : rows) {
    const double epsilon = row.real();
    const accounting::Taper taper = row.taper();
    const std::uint64_t nodes = row.count();
    const double moved = std::ldexp(static_cast<double>(row.count()), -32);
    const double b1 = row.real(), b2 = row.real(), b3 = row.real(), b4 = row.real();
    expect_scales(plan_of("twohop", Scope::personalized, epsilon, taper, nodes), {b1, b2, b3, b4});
    expect_costs(row, accounting::separate_cost_up({b1, b2, b3, b4}, moved));
    expect_formulas(row, {b1, b2, b3, b4});
  }
}

TEST(ProofsGolden, ScalesOfOneScoreAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(5);
  ASSERT_EQ(rows.size(), 72U);
  for (Row& row : rows) {
    const double epsilon = row.real(), background = row.real();
    const accounting::Taper taper = row.taper();
    const std::uint64_t nodes = row.count();
    const double moved = std::ldexp(static_cast<double>(row.count()), -32);
    const double b_in = row.real(), b_out = row.real();
    expect_scales(plan_of("twohop", Scope::personalized, epsilon, taper, nodes, background), {b_in, b_out});
    expect_costs(row, accounting::two_hop_cost_up(b_in, b_out, moved));
    expect_formulas(row, {b_in, b_out});
  }
}

TEST(ProofsGolden, ScalesOfFrontierAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(11);
  ASSERT_EQ(rows.size(), 54U);
  for (Row& row : rows) {
    const double epsilon = row.real();
    const accounting::Taper taper = row.taper();
    const std::uint64_t nodes = row.count();
    const double moved = std::ldexp(static_cast<double>(row.count()), -32);
    const double b1 = row.real(), b2 = row.real(), b3 = row.real(), b4 = row.real();
    const double among = row.real(), into = row.real(), out_of = row.real();
    expect_scales(plan_of("frontier", Scope::personalized, epsilon, taper, nodes),
                  {b1, b2, b3, b4, among, into, out_of});
    const accounting::FrontierCost cost =
        accounting::frontier_cost_up({b1, b2, b3, b4}, {among, into, out_of}, moved);
    expect_up(cost.separate.inside, row.fraction());
    expect_up(cost.separate.between, row.fraction());
    expect_up(cost.separate.outside, row.fraction());
    expect_up(cost.among, row.fraction());
    expect_up(cost.across, row.fraction());
    EXPECT_EQ(row.count(), 1U) << "an exact cost exceeds epsilon";
    expect_formulas(row, {b1, b2, b3, b4, among, into, out_of});
  }
}

TEST(ProofsGolden, ScalesOfCirclesAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(8);
  ASSERT_EQ(rows.size(), 11U);
  for (Row& row : rows) {
    const Epsilon epsilon(row.real());
    const double fine = row.real(), coarse = row.real(), forward = row.real(), backward = row.real(),
                 leaving = row.real();
    const Plan plan =
        make_plan(public_facts(1000), {.mechanism = "circles", .scope = Scope::edge, .epsilon = epsilon});
    expect_scales(plan, {coarse, forward, backward, fine, leaving});
    const accounting::CirclesCost cost =
        accounting::circles_cost_up(accounting::circles_design(1000, epsilon));
    expect_up(cost.degrees, row.fraction());
    expect_up(cost.stopped_between, row.fraction());
    expect_up(cost.stopped_inside, row.fraction());
    expect_up(cost.rows, row.fraction());
    EXPECT_EQ(row.count(), 1U) << "an exact cost exceeds epsilon";
  }
}

// Of both ends of an edge, as of the fine degrees of `circles`.
TEST(ProofsGolden, ScalesOfDegreesAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(9);
  ASSERT_EQ(rows.size(), 4U);
  for (Row& row : rows) {
    const double epsilon = row.real(), fine = row.real();
    EXPECT_EQ(accounting::div_up(2, epsilon), fine);
    expect_up(accounting::laplace_cost_up({{2, fine}}), row.fraction());
    EXPECT_EQ(row.count(), 1U) << "the exact cost exceeds epsilon";
  }
}

// The scale of the skips, from which the bias of a coin follows.
TEST(ProofsGolden, SkipsOfEdgeFlippingAreWithinEpsilon) {
  std::vector<Row> rows = rows_of(10);
  ASSERT_EQ(rows.size(), 12U);
  for (Row& row : rows) {
    const Epsilon epsilon(row.real());
    const Plan plan =
        make_plan(public_facts(100), {.mechanism = "edgeflip", .scope = Scope::edge, .epsilon = epsilon});
    EXPECT_EQ(plan.noise.front().lattice_scale, row.real());
    EXPECT_EQ(row.count(), 1U) << "the bias is too small for epsilon";
  }
}

TEST(ProofsGolden, DistortionOfAStep) {
  std::vector<Row> rows = rows_of(6);
  ASSERT_EQ(rows.size(), 15U);
  for (Row& row : rows) {
    const double walk = row.real(), stay = row.real(), eta = row.real();
    expect_up(accounting::distortion_up({walk, stay, 0}, eta), row.fraction());
  }
}

TEST(ProofsGolden, SensitivityOfManySteps) {
  std::vector<Row> rows = rows_of(12);
  ASSERT_EQ(rows.size(), 60U);
  for (Row& row : rows) {
    const double walk = row.real(), stay = row.real(), eta = row.real();
    const Scope scope = row.count() == 1 ? Scope::personalized : Scope::edge;
    const std::vector<Step> steps(row.count(), Step{walk, stay, 0});
    const std::vector<double> w = accounting::sensitivities_up(accounting::step_bounds_up(steps, eta, scope));
    expect_up(w.back(), row.fraction(), 32);
  }
}

TEST(ProofsGolden, SlackOfAStep) {
  std::vector<Row> rows = rows_of(7);
  ASSERT_EQ(rows.size(), 12U);
  for (Row& row : rows) {
    const Step step{row.count() == 1 ? 0.5 : 0, row.count() == 1 ? 0.5 : 1, 0};
    const std::uint64_t nodes = row.count(), edges = row.count();
    EXPECT_EQ(accounting::lattice_slack_up(step, nodes, edges, 1), static_cast<double>(row.count()));
  }
}

}  // namespace
}  // namespace hushwalk
