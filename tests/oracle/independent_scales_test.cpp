// What plans charge, computed once more from the formulas of docs/math in extended precision: the rounding of
// the lattice (note 18) in every plan that has one, and the weights of every degree that n nodes allow (note
// 12), one by one, for large n.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "accounting/edge_cost.h"
#include "hushwalk/certificate.h"
#include "hushwalk/error.h"
#include "support/independent_links.h"
#include "support/seeded.h"

namespace hushwalk {
namespace {

using nlohmann::json;
using testing::Seeded;
using testing::TaperedWeight;
using Real = long double;
constexpr double infinity = std::numeric_limits<double>::infinity();

json certificate_of(const PublicFacts& facts, const ReleaseParameters& request) {
  return json::parse(certificate_json(make_plan(facts, request)));
}

// A sensitivity in lattice units, and the part of it that is rounding: a bound may charge the rounding of
// infinitely many steps instead of K.
struct Charge {
  Real exact, rounding, rounding_of_all;
  Real most() const { return exact + rounding_of_all; }
};

struct Lattice {
  const PublicFacts& facts;
  const ReleaseParameters& request;
  int bits;

  std::span<const Step> steps() const { return request.diffusion.steps(); }
  Real one() const { return std::ldexp(Real{1}, bits); }
  Real units(double value) const { return std::floor(value * one()); }
  bool personalized() const { return request.scope == Scope::personalized; }

  // What rounding adds to a step.
  Real rounding(const Step& step) const {
    const bool whole = step.stay == std::round(step.stay);
    return (step.walk != 0 ? 2 * Real(facts.max_edges) : 0) + (whole ? 0 : Real(facts.nodes));
  }
  // Over k steps that pass 1 - a of it on.
  static Real summed(Real per_step, Real a, Real k) { return per_step * (1 - std::pow(1 - a, k)) / a; }

  // w_k = gamma w_{k-1} + rho + rounding
  Charge recursion() const {
    Real exact = 0, all = 0;
    for (std::size_t k = personalized() ? 1 : 0; k < steps().size(); ++k) {
      const Real walk = std::abs(steps()[k].walk), gain = walk + std::abs(steps()[k].stay);
      const Real moved = std::max(4 * walk, 2 * gain) * units(request.eta->value());
      exact = gain * exact + moved;
      all = gain * all + moved + rounding(steps()[k]);
    }
    return {exact, all - exact, all - exact};
  }

  // Note 14, for the lazy walk.
  Charge fixed_point() const {
    const Real a = 1 - 2 * Real(steps().front().walk), k = static_cast<Real>(steps().size()),
               per_step = 2 * rounding(steps().front());
    return {units(request.eta->value()) * (1 - a) / a * std::max(Real{1}, 4 * a / (1 + a)) +
                4 * std::pow(1 - a, k) * one(),
            summed(per_step, a, k), per_step / a};
  }

  // Note 15, both forms.
  Charge published_push() const {
    const Real a = 1 - 2 * Real(steps().front().walk), per_step = rounding(steps().front()),
               k = static_cast<Real>(steps().size()) - (personalized() ? 1 : 0);
    return {summed((3 - a) * push_cap(), a, k), summed(per_step, a, k), per_step / a};
  }
  Charge tight_push() const {
    const Real a = 1 - 2 * Real(steps().front().walk), k = static_cast<Real>(steps().size()),
               per_step = 2 * rounding(steps().front());
    return {push_cap() * std::max(1 - a, 2 * a) / a + 2 * std::pow(1 - a, k) * one(), summed(per_step, a, k),
            per_step / a};
  }
  Real push_cap() const { return units(request.eta->value() * (1 - 2 * steps().front().walk)); }

  Charge smallest() const {
    const auto smaller = [](const Charge& a, const Charge& b) { return a.most() < b.most() ? a : b; };
    if (request.mechanism == "pushflow") return smaller(published_push(), tight_push());
    const bool lazy = request.diffusion.name() == "ppr" && request.mechanism == "output";
    return lazy ? smaller(recursion(), fixed_point()) : recursion();
  }
};

ReleaseParameters random_request(Seeded& random) {
  ReleaseParameters request;
  request.mechanism = std::array{"paper", "output", "pushflow"}[random.below(3)];
  request.scope = random.coin() ? Scope::personalized : Scope::edge;
  request.epsilon = Epsilon(random.log_uniform(0.05, 5));
  request.eta = Eta(random.log_uniform(1e-6, 0.1));
  const double beta = random.uniform(0.1, 0.95);
  const int steps = random.coin() ? random.between(2, 12) : random.between(40, 120);
  request.diffusion = Diffusion::ppr(beta, steps);
  if (request.mechanism == "pushflow" || random.coin()) return request;
  if (random.coin()) request.diffusion = Diffusion::pagerank(beta, steps);
  if (random.coin())
    request.diffusion = Diffusion::custom({{0.5, 0.25, 0.25}, {0, -0.5, 1.5}, {-0.75, 1, 0.75}, {0, 1, 0}});
  return request;
}

PublicFacts random_facts(Seeded& random) {
  const auto nodes = static_cast<std::uint64_t>(random.log_uniform(1000, 2e6));
  if (random.coin()) return public_facts(nodes);
  return public_facts(nodes, nodes + random.below(19 * nodes));
}

TEST(IndependentScales, ChargeTheRoundingOfTheLatticeAsItsNoteSays) {
  Seeded random(1);
  int compared = 0;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    const ReleaseParameters request = random_request(random);
    const PublicFacts facts = random_facts(random);
    json certificate;
    try {
      certificate = certificate_of(facts, request);
    } catch (const Error&) {
      continue;  // too much rounding, or no proof
    }
    const Lattice lattice{facts, request, certificate.at("lattice").at("bits")};
    const Charge charge = lattice.smallest();
    const Real slack = certificate.at("lattice").at("slack").get<double>() * lattice.one(),
               sensitivity = certificate.at("sensitivity").get<double>() * lattice.one(),
               tiny = 5e-14L * charge.most();  // a difference of two sums in double
    EXPECT_GE(slack, charge.rounding - tiny) << certificate.dump(1);
    EXPECT_LE(slack, charge.rounding_of_all * (1 + 1e-9L) + tiny) << certificate.dump(1);
    EXPECT_GE(sensitivity, (charge.exact + charge.rounding) * (1 - 1e-15L)) << certificate.dump(1);
    EXPECT_LE(sensitivity, charge.most() * (1 + 1e-9L)) << certificate.dump(1);
    EXPECT_GT(charge.rounding, 10 * tiny);
    ++compared;
  }
  EXPECT_GT(compared, 900);
}

// Pure plans divide that by epsilon; a part of a unit moves nothing.
TEST(IndependentScales, ArePureSensitivitiesOverEpsilon) {
  Seeded random(2);
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    ReleaseParameters request = random_request(random);
    json certificate;
    try {
      certificate = certificate_of(public_facts(1000, 20000), request);
    } catch (const Error&) {
      continue;
    }
    if (certificate.at("guarantee").at("accountant") != "pure") continue;
    const Real needed = certificate.at("sensitivity").get<double>() / Real(request.epsilon.value());
    const json& use = certificate.at("noise").at(0);
    EXPECT_GE(use.at("laplace_scale").get<double>(), needed * (1 - 1e-12L));
    EXPECT_LE(use.at("laplace_scale").get<double>(), needed * (1 + 1e-12L));
    EXPECT_EQ(use.at("lattice_scale").get<double>(),
              std::ldexp(use.at("laplace_scale").get<double>(), certificate.at("lattice").at("bits")));
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

// On a lattice as fine as this `paper` is its design in real numbers, which
// tests/oracle/accountants_oracle_test prices: the noise, and what it costs beside other releases.
TEST(IndependentScales, OfNoiseInEveryStepAreThoseOfTheDesign) {
  Seeded random(4);
  int not_pure = 0;
  for (int i = 0; i < 30; ++i) {
    ReleaseParameters request = random_request(random);
    request.mechanism = "paper";
    if (random.coin()) request.diffusion = Diffusion::heat(random.uniform(1, 5), random.between(5, 40));
    request.eta = Eta(1e-3);
    request.delta = Delta(random.log_uniform(1e-8, 1e-2));
    const Plan plan = make_plan(public_facts(50, 200), request);
    const std::span<const Step> steps = request.diffusion.steps();
    const NoiseDesign design{
        {steps.begin(), steps.end()}, *request.eta, request.scope, NoisePlacement::every_step, 2};
    const LaplaceScale scale = calibrate(design, request.epsilon, request.delta).laplace_scale;
    EXPECT_NEAR(plan.noise.front().laplace_scale / scale.value(), 1, 1e-6) << certificate_json(plan);
    const PrivacyCost cost = privacy_cost(plan), expected = PrivacyCost::of(NoisyRun{design, scale});
    for (std::size_t order = 0; order < cost.rdp().size(); ++order)
      EXPECT_NEAR(cost.rdp()[order] / expected.rdp()[order], 1, 1e-5) << PrivacyCost::orders()[order];
    if (!plan.guarantee.pure()) ++not_pure;
  }
  EXPECT_GT(not_pure, 10);
}

// max over d = 0..n-2 of W(d+1) + d |W(d) - W(d+1)|, in links, degree by degree. Exact: below 2^53 units.
double moved_by_an_edge(std::uint64_t nodes, double background, double taper) {
  const TaperedWeight weight(background, taper);
  std::int64_t most = 0, here = weight(0);
  for (std::uint64_t d = 0; d + 2 <= nodes; ++d) {
    const std::int64_t next = weight(d + 1);
    most = std::max(most, next + static_cast<std::int64_t>(d) * std::abs(here - next));
    here = next;
  }
  return std::ldexp(static_cast<double>(most), -32);
}

// The smallest double that covers it, or one very near.
void expect_scale(double scale, double sensitivity, double epsilon) {
  EXPECT_GE(std::fma(scale, epsilon, -sensitivity), 0) << "noise below " << sensitivity << " / " << epsilon;
  EXPECT_LE(scale, sensitivity / epsilon * (1 + 1e-14));
}

struct LargePlan {
  std::uint64_t nodes;
  double epsilon;
  double taper;
  std::optional<double> background = {};
};

std::vector<NoiseUse> noise_of(const char* mechanism, const LargePlan& large) {
  const ReleaseParameters request{.mechanism = mechanism,
                                  .epsilon = Epsilon(large.epsilon),
                                  .background = large.background,
                                  .taper = large.taper};
  const json certificate = certificate_of(public_facts(large.nodes), request);
  std::vector<NoiseUse> noise;
  for (const json& use : certificate.at("noise")) {
    noise.push_back({use.at("on"), use.at("laplace_scale"), use.at("lattice_scale"), use.at("draws")});
    EXPECT_EQ(noise.back().lattice_scale, std::ldexp(noise.back().laplace_scale, 32));
  }
  return noise;
}

TEST(IndependentScales, OfSharedCoverEveryDegreeOfManyNodes) {
  for (const LargePlan& large : {LargePlan{10'000'000, 1, 300},
                                 {10'000'000, 0.7, 65'537},
                                 {10'000'000, 3, 1'000'003},
                                 {10'000'000, 0.3, 3'145'728},
                                 {10'000'001, 1, 0x1p31},
                                 {10'000'000, 0.01, infinity},
                                 {30'000'000, 1, 805'306'368}}) {
    const auto noise = noise_of("shared", large);
    ASSERT_EQ(noise.size(), 1U);
    expect_scale(noise[0].laplace_scale, 2 * moved_by_an_edge(large.nodes, 1, large.taper), large.epsilon);
  }
}

TEST(IndependentScales, OfOneScoreCoverEveryDegreeOfManyNodes) {
  for (const LargePlan& large : {LargePlan{10'000'000, 0.2, 300, 0.001},
                                 {20'000'000, 1, 300, 0.002},
                                 {10'000'000, 0.7, 65'537, 0.37},
                                 {10'000'000, 1, 3'145'729, 0.9},
                                 {100'000'000, 1, 300, 0x1p-7},
                                 {10'000'000, 0.05, infinity, 1.0}}) {
    const auto noise = noise_of("twohop", large);
    ASSERT_EQ(noise.size(), 2U);
    expect_scale(noise[0].laplace_scale, 2, large.epsilon);
    expect_scale(noise[1].laplace_scale, 1 + moved_by_an_edge(large.nodes, *large.background, large.taper),
                 large.epsilon);
  }
}

// Of an edge between two kinds of nodes one end pays a share, the other what is left.
void expect_shared(const NoiseUse& one, const NoiseUse& other, double share, double epsilon) {
  const Real pays = 1 / Real(one.laplace_scale), together = pays + 1 / Real(other.laplace_scale);
  EXPECT_NEAR(static_cast<double>(pays / epsilon), share, 1e-14);
  EXPECT_NEAR(static_cast<double>(together / epsilon), 1, 1e-14);
  EXPECT_LE(together, epsilon * (1 + 1e-18L));
}

TEST(IndependentScales, OfSeparateNumbersCoverEveryDegreeOfManyNodes) {
  for (const LargePlan& large :
       {LargePlan{10'000'000, 1, 100}, {10'000'000, 0.5, 1'000'003}, {10'000'000, 4, infinity}}) {
    const double moved = 2 * moved_by_an_edge(large.nodes, 1, large.taper);
    for (const char* mechanism : {"twohop", "frontier"}) {
      const auto noise = noise_of(mechanism, large);
      ASSERT_EQ(noise.size(), mechanism == std::string("twohop") ? 4U : 7U);
      expect_scale(noise[0].laplace_scale, 2, large.epsilon);
      expect_shared(noise[1], noise[2], 0.05, large.epsilon);
      expect_scale(noise[3].laplace_scale, moved, large.epsilon);
      if (noise.size() == 4) continue;
      expect_scale(noise[4].laplace_scale, 2, large.epsilon);
      expect_shared(noise[5], noise[6], 0.5, large.epsilon);
    }
  }
}

// Costs that are rounded up must not exceed epsilon either: that is what a plan is checked by.
TEST(IndependentScales, OfLinksCostNoMoreThanEpsilonRoundedUp) {
  Seeded random(3);
  for (int i = 0; i < 1000; ++i) {
    LargePlan large{1000, random.log_uniform(0.4, 10), static_cast<double>(1 + random.below(2000))};
    const double moved = moved_by_an_edge(large.nodes, 1, large.taper);
    const auto apart = noise_of("twohop", large);
    const accounting::SeparateScales scales{apart[0].laplace_scale, apart[1].laplace_scale,
                                            apart[2].laplace_scale, apart[3].laplace_scale};
    EXPECT_LE(separate_cost_up(scales, moved).worst(), large.epsilon);
    large.background = 1;
    const auto one = noise_of("twohop", large);
    EXPECT_LE(accounting::two_hop_cost_up(one[0].laplace_scale, one[1].laplace_scale, moved).worst(),
              large.epsilon);
  }
}

// With this taper an edge between many nodes moves more than a link, and nothing is proved of the noise.
TEST(IndependentScales, AreRefusedWhereTheBackgroundMovesMoreThanALink) {
  constexpr double taper = 805'306'368;
  EXPECT_GT(moved_by_an_edge(20'000'000, 1, taper), 1);
  const ReleaseParameters request{.mechanism = "twohop", .background = 1, .taper = taper};
  try {
    make_plan(public_facts(20'000'000), request);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused) << error.what();
  }
}

// The control: sensitivities of fewer degrees are smaller for some of these.
TEST(IndependentScales, NeedTheLargestDegrees) {
  EXPECT_LT(moved_by_an_edge(1 << 16, 1, 1'000'003), moved_by_an_edge(10'000'000, 1, 1'000'003));
  EXPECT_LT(moved_by_an_edge(1 << 16, 0.002, 300), moved_by_an_edge(20'000'000, 0.002, 300));
}

}  // namespace
}  // namespace hushwalk
