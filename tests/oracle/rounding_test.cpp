// Every formula that accounting rounds up, against the same in 100 decimal digits: never below the truth, and
// above it by a few units in the last place. Numbers are random, so that nearly no operation is exact and
// each one that rounds down shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "accounting/accountants.h"
#include "accounting/circles.h"
#include "accounting/conversion.h"
#include "accounting/edge_cost.h"
#include "accounting/lattice_price.h"
#include "accounting/renyi.h"
#include "accounting/round_up.h"
#include "accounting/sensitivity.h"
#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"
#include "support/high_precision.h"
#include "support/seeded.h"

namespace hushwalk::accounting {
namespace {

using hushwalk::testing::Big;
using hushwalk::testing::just_above;
using hushwalk::testing::Seeded;

constexpr double one_rounding = 3e-16, few_roundings = 1e-15, many_roundings = 1e-13;
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(RoundingUp, OfOneOperation) {
  Seeded random(5);
  for (int i = 0; i < 20000; ++i) {
    const double a = random.log_uniform(1e-300, 1e150), b = random.log_uniform(1e-150, 1e150);
    EXPECT_TRUE(just_above(add_up(a, b), Big(a) + b, one_rounding));
    EXPECT_GE(Big(div_up(a, b)), Big(a) / b) << a << ' ' << b;
    if (a > 1e-250 && a / b > 1e-250) {
      EXPECT_TRUE(just_above(div_up(a, b), Big(a) / b, one_rounding));
    }
    EXPECT_GE(Big(mul_up(a, b)), Big(a) * b);
    if (a * b > 1e-250) {
      EXPECT_TRUE(just_above(mul_up(a, b), Big(a) * b, one_rounding));
    }
  }
}

TEST(RoundingUp, OfADifference) {
  Seeded random(6);
  for (int i = 0; i < 20000; ++i) {
    const double a = random.log_uniform(1e-9, 1e9), b = -a * random.uniform();
    EXPECT_TRUE(just_above(add_up(a, b), Big(a) + b, one_rounding)) << a << ' ' << b;
  }
}

// Where the error of an operation is too small to be a double.
TEST(RoundingUp, OfTheSmallestNumbers) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(mul_up(tiny, 0.3), tiny);
  EXPECT_EQ(div_up(tiny, 3), tiny);
  EXPECT_EQ(mul_up(0, 1e300), 0);
  EXPECT_EQ(mul_up(1e-300, 0), 0);
  EXPECT_EQ(div_up(0, 1e-300), 0);
  Seeded random(7);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.log_uniform(1e-290, 1e-260), b = random.log_uniform(1e-10, 1e10);
    EXPECT_TRUE(just_above(mul_up(a, b), Big(a) * b, 2 * few_roundings)) << a << ' ' << b;
    EXPECT_TRUE(just_above(div_up(a, b), Big(a) / b, 2 * few_roundings)) << a << ' ' << b;
    const double x = random.log_uniform(1e-320, 1e-300), y = random.log_uniform(1e-150, 1e-60);
    EXPECT_GE(Big(div_up(x, y)), Big(x) / y) << x << ' ' << y;  // no small quotient, of small numbers
  }
}

TEST(RoundingUp, LeavesWhatIsExact) {
  EXPECT_EQ(add_up(1, 2), 3);
  EXPECT_EQ(mul_up(0.5, 3), 1.5);
  EXPECT_EQ(div_up(3, 2), 1.5);
  EXPECT_EQ(next_up(1), 1 + 0x1p-52);
  EXPECT_EQ(next_up(infinity), infinity);
}

Step random_step(Seeded& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

TEST(RoundingUp, OfAStepAndWhatItMoves) {
  Seeded random(21);
  for (int i = 0; i < 5000; ++i) {
    const Step step = random_step(random);
    const double eta = random.log_uniform(1e-9, 1);
    const Big walk = std::abs(step.walk), gain = walk + std::abs(step.stay);
    EXPECT_TRUE(just_above(gain_up(step), gain, one_rounding));
    EXPECT_TRUE(just_above(distortion_up(step, eta, Caps::uniform), 2 * walk * eta, one_rounding));
    EXPECT_TRUE(just_above(distortion_up(step, eta), max(Big(4 * walk), Big(2 * gain)) * eta, few_roundings));
    const StepBound bound{random.uniform(0, 2), random.log_uniform(1e-9, 1), random.log_uniform(1e-12, 1)};
    const double before = random.log_uniform(1e-6, 10);
    EXPECT_TRUE(just_above(next_sensitivity_up(bound, before, 1),
                           Big(bound.gain) * before + bound.distortion + bound.slack, few_roundings));
  }
}

// Counts above 2^53 are no doubles.
TEST(RoundingUp, OfTheSlackOfALattice) {
  Seeded random(22);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t nodes = random.below(std::uint64_t{1} << random.between(1, 62)) + 1;
    const std::uint64_t edges = random.below(std::uint64_t{1} << random.between(1, 62)) + 1;
    const double unit = random.log_uniform(1e-20, 1);
    const double walk = random.coin() ? 0 : random.uniform(-1, 1);
    const double stay = random.coin() ? random.between(-2, 2) : random.uniform(-1, 1);
    Big units = 0;
    if (walk != 0) units += 2 * Big(edges);
    if (stay != std::round(stay)) units += nodes;
    const double found = lattice_slack_up({walk, stay, 0}, nodes, edges, unit);
    if (units == 0)
      EXPECT_EQ(found, 0);
    else
      EXPECT_TRUE(just_above(found, units * unit, few_roundings)) << walk << ' ' << stay;
  }
}

// Notes 14 and 15: rounding over infinitely many steps, and the sum with what is not rounding.
TEST(RoundingUp, OfTheFixedPointOnALattice) {
  Seeded random(24);
  constexpr double margin = 2e-14;  // of the teleport probability, which is rounded itself
  int of_output = 0, of_published = 0;
  for (int i = 0; i < 2000; ++i) {
    const Diffusion walk = Diffusion::ppr(random.uniform(0.3, 0.95), random.coin() ? 200 : 3);
    const std::span<const Step> steps = walk.steps();
    LatticeDesign design{.steps = {steps.begin(), steps.end()},
                         .scope = random.coin() ? Scope::edge : Scope::personalized,
                         .cap = std::floor(random.log_uniform(1e9, 1e12)),
                         .bits = random.between(30, 50),
                         .nodes = 2 + random.below(1000),
                         .max_edges = 1 + random.below(100'000)};
    const Big rounding = 2 * Big(design.max_edges) + design.nodes,
              teleport = 1 - 2 * Big(design.steps.front().walk);
    const LatticePrice output = price_at_end(design), push = price_push_flow(design);
    if (output.bound != by_recursion) {
      ++of_output;
      EXPECT_TRUE(just_above(output.slack, 2 * rounding / teleport, margin)) << i;
      const auto half = output_half_sensitivity_up(design.steps, std::ldexp(design.cap, -design.bits));
      EXPECT_TRUE(
          just_above(output.sensitivity, Big(std::ldexp(*half, design.bits)) + output.slack, one_rounding));
    }
    const PushFlow flow = *push_flow_of(design.steps, design.cap);
    EXPECT_TRUE(just_above(flow.cap, Big(design.cap) / flow.teleport, one_rounding)) << i;
    const bool published = push.bound.starts_with("published");
    of_published += published ? 1 : 0;
    EXPECT_TRUE(just_above(push.slack, (published ? 1 : 2) * rounding / teleport, margin)) << i;
    if (published) {
      const Big without = pushflow_published_sensitivity_up(flow, design.scope);
      EXPECT_TRUE(just_above(push.sensitivity, without + push.slack, one_rounding)) << i;
    }
  }
  EXPECT_GT(of_output, 500);
  EXPECT_GT(of_published, 100);
  EXPECT_LT(of_published, 1900);
}

void expect_kinds(const EdgeCost& found, const Big& inside, const Big& between, const Big& outside) {
  EXPECT_TRUE(just_above(found.inside, inside, few_roundings));
  EXPECT_TRUE(just_above(found.between, between, few_roundings));
  EXPECT_TRUE(just_above(found.outside, outside, few_roundings));
}

TEST(RoundingUp, OfWhatAnEdgeCosts) {
  Seeded random(23);
  const auto scale = [&] { return random.log_uniform(0.01, 1000); };
  for (int i = 0; i < 5000; ++i) {
    const double in = scale(), out = scale(), moved = random.uniform();
    const Big background = Big(moved) / std::min(in, out);
    expect_kinds(two_hop_cost_up(in, out, moved), 2 / Big(in), 1 / Big(out) + background, 2 * background);
    expect_kinds(two_hop_plain_cost_up(in, out, moved), 2 / Big(in), 1 / Big(out) + moved / Big(in),
                 2 * moved / Big(out));
    const SeparateScales separate{scale(), scale(), scale(), scale()};
    const FrontierScales frontier{scale(), scale(), scale()};
    const FrontierCost found = frontier_cost_up(separate, frontier, moved);
    for (const EdgeCost& cost : {separate_cost_up(separate, moved), found.separate})
      expect_kinds(cost, 2 / Big(separate.in_links_in),
                   1 / Big(separate.in_links_out) + 1 / Big(separate.out_links_in),
                   2 * moved / Big(separate.out_background));
    EXPECT_TRUE(just_above(found.among, 2 / Big(frontier.among), few_roundings));
    EXPECT_TRUE(just_above(found.across, 1 / Big(frontier.into) + 1 / Big(frontier.out_of), few_roundings));
    EXPECT_EQ(found.worst(), std::max({found.separate.worst(), found.among, found.across}));
    EXPECT_TRUE(just_above(laplace_cost_up({{moved, in}, {2, out}, {1, frontier.among}}),
                           Big(moved) / in + 2 / Big(out) + 1 / Big(frontier.among), few_roundings));
  }
}

TEST(RoundingUp, OfAMechanismFromOutside) {
  Seeded random(24);
  for (int i = 0; i < 2000; ++i) {
    ReleasedNumbers released;
    for (int column = random.between(1, 4); column > 0; --column)
      released.columns.push_back({"numbers", random.log_uniform(0.1, 10)});
    for (int kind = random.between(1, 3); kind > 0; --kind) {
      released.effects.push_back({"a kind", {}});
      for (std::size_t c = 0; c < released.columns.size(); ++c)
        released.effects.back().moved.push_back(random.uniform(0, 3));
    }
    const double epsilon = random.log_uniform(0.01, 10);
    const std::vector<double> scales = scales_for(released, Epsilon(epsilon));
    Big dearest = 0, widest = 0;
    for (const EdgeEffect& effect : released.effects) {
      Big cost = 0, sum = 0;
      for (std::size_t c = 0; c < scales.size(); ++c) {
        cost += Big(effect.moved[c]) / scales[c];
        sum += effect.moved[c];
      }
      dearest = max(dearest, cost);
      widest = max(widest, sum);
    }
    EXPECT_LE(dearest, epsilon);
    EXPECT_GE(dearest, epsilon * (1 - 10 * few_roundings));
    EXPECT_TRUE(just_above(cost_up(released, scales), dearest, few_roundings));
    EXPECT_TRUE(just_above(most_moved_up(released), widest, few_roundings));
  }
}

// A link counts for a little more than one in a coarse degree, whose noise is the sum of two draws (note 26).
TEST(RoundingUp, OfCircles) {
  Seeded random(25);
  for (int i = 0; i < 5000; ++i) {
    const double epsilon = random.log_uniform(0.25, 15.9);
    const CirclesDesign d = circles_design(1000, Epsilon(epsilon), 8, 1);
    const CirclesCost cost = circles_cost_up(d);
    EXPECT_LE(cost.worst(), epsilon);
    const Big link = 1 + Big(0x1p-50), coarse = 2 * link / d.coarse;
    EXPECT_TRUE(just_above(cost.degrees, 2 / Big(d.fine), few_roundings));
    EXPECT_EQ(cost.stopped_outside, cost.degrees);
    EXPECT_TRUE(just_above(cost.stopped_between, 1 / Big(d.fine) + link / d.coarse + 1 / Big(d.leaving),
                           few_roundings));
    EXPECT_TRUE(just_above(cost.stopped_inside, coarse + 1 / Big(d.forward), few_roundings));
    EXPECT_TRUE(just_above(cost.rows, coarse + 1 / Big(d.forward) + 1 / Big(d.backward), few_roundings));
    const double of_degrees = 0.1 + 0.05 * epsilon, rest = epsilon - of_degrees;
    EXPECT_TRUE(just_above(d.fine, 2 / Big(epsilon), one_rounding));
    EXPECT_TRUE(just_above(d.coarse, 2 / Big(of_degrees), one_rounding));
    EXPECT_TRUE(just_above(d.forward, 1 / Big((1 - 0.28) * rest), one_rounding));
    EXPECT_TRUE(just_above(d.backward, 1 / Big(0.28 * rest), 100 * few_roundings));
    EXPECT_TRUE(just_above(d.leaving, 2 / Big(rest), 100 * few_roundings));
  }
}

// Random steps with two draws each, and what they add up to.
struct RandomChain {
  RandomChain(Seeded& random, double least_gain, double most_gain) : scale(random.log_uniform(0.1, 100)) {
    Big before = 0;
    for (int k = random.between(1, 12); k > 0; --k) {
      const StepBound bound{random.uniform(least_gain, most_gain), random.uniform(0.1, 1),
                            random.log_uniform(1e-6, 0.1)};
      steps.push_back({bound, 2});
      own.push_back(Big(bound.distortion) + bound.slack);
      before = bound.gain * before + own.back();
      w.push_back(before);
      sum += own.back();
    }
  }
  double price(Accountant accountant) const {
    return FittingChain(accountant, Chain(steps, Noise::laplace, scale)).renyi_up(infinite_order).rdp;
  }
  // Theorem 1 at order infinity: the shifts from a step on, and all that came before it at once.
  Big theorem() const {
    Big best = infinity, from = 0, product = 1;
    for (std::size_t k = steps.size(); k-- > 0;) {
      from += own[k];
      product *= steps[k].bound.gain;
      best = min(best, Big(from + product * (k > 0 ? w[k - 1] : Big(0))));
    }
    return best / scale;
  }

  double scale;
  std::vector<ChainStep> steps;
  std::vector<Big> own, w;
  Big sum = 0;
};

TEST(RoundingUp, OfAccountantsAtOrderInfinity) {
  Seeded random(26);
  for (int i = 0; i < 3000; ++i) {
    const RandomChain any(random, 0, 2), growing(random, 1, 2), shrinking(random, 0, 0.99);
    for (const RandomChain& chain : {any, growing, shrinking}) {
      EXPECT_TRUE(just_above(chain.price(Accountant::composition), chain.sum / chain.scale, many_roundings));
      EXPECT_TRUE(just_above(chain.price(Accountant::pure), chain.w.back() / chain.scale, many_roundings));
      EXPECT_TRUE(just_above(chain.price(Accountant::theorem), chain.theorem(), many_roundings));
    }
    // Everything is absorbed at once where it would grow, and at the end where it shrinks.
    EXPECT_TRUE(just_above(growing.price(Accountant::shift), growing.sum / growing.scale, many_roundings));
    EXPECT_TRUE(
        just_above(shrinking.price(Accountant::shift), shrinking.w.back() / shrinking.scale, many_roundings));
  }
}

double price_at_infinity(Accountant accountant, const std::vector<ChainStep>& steps, Noise noise) {
  return FittingChain(accountant, Chain(steps, noise, 1)).renyi_up(infinite_order).rdp;
}

// Everything but one product is exact, so that nothing else hides its rounding.
TEST(RoundingUp, OfASingleProduct) {
  Seeded random(29);
  for (int i = 0; i < 3000; ++i) {
    const double g = random.uniform(0.1, 1), h = random.uniform(0.1, 1);
    const std::vector<ChainStep> product = {{{1, 1, 0}, 2}, {{g, 0, 0}, 2}, {{h, 0, 0}, 2}};
    for (const Accountant accountant : {Accountant::theorem, Accountant::shift})
      EXPECT_TRUE(
          just_above(price_at_infinity(accountant, product, Noise::laplace), Big(g) * h, one_rounding));
    const std::vector<ChainStep> alike(random.between(2, 12), {{1, g, 0}, 1});
    EXPECT_TRUE(just_above(price_at_infinity(Accountant::composition, alike, Noise::laplace),
                           Big(g) * alike.size(), one_rounding));
  }
}

// What is left after each step is rounded, and what is lost of it is absorbed by nobody. The last step has
// most of the draws, so that half a unit in the last place of nearly everything is at stake each time: up to
// ten times renyi_margin in all. All draws absorb alike in the optimum, because the curve is convex.
TEST(RoundingUp, OfWhatIsLeftAfterTenThousandSteps) {
  Seeded random(33);
  constexpr int steps = 10'000, last_draws = 100'000, draws = steps - 1 + last_draws;
  constexpr double margin = 2 * renyi_margin + 2.0 * steps * 0x1p-52;
  for (int i = 0; i < 20; ++i) {
    const double shift = random.uniform(1.2, 2), scale = random.log_uniform(1e-5, 1),
                 order = 1 + random.log_uniform(0.01, 100);
    std::vector<ChainStep> alike(steps, {{1, 0, 0}, 1});
    alike.front().bound.distortion = shift;
    alike.back().draws = last_draws;
    const FittingChain chain(Accountant::shift, Chain(std::move(alike), Noise::laplace, scale));
    EXPECT_TRUE(just_above(chain.renyi_up(order).rdp,
                           draws * testing::big_laplace(order, Big(shift) / draws / scale), margin))
        << order << ' ' << shift << ' ' << scale;
  }
}

// Theorem 1 on the lattice at order infinity: the smallest over tau of what the steps after it absorb in
// whole numbers, and all else at once.
Big theorem_on_the_lattice(const std::vector<ChainStep>& steps) {
  std::vector<Big> w = {0};
  for (const ChainStep& step : steps)
    w.push_back(floor(step.bound.gain * w.back() + step.bound.distortion + step.bound.slack));
  Big best = infinity, absorbed = 0, left = 0, product = 1;
  for (std::size_t tau = steps.size(); tau-- > 0;) {
    const Big own = Big(steps[tau].bound.distortion) + steps[tau].bound.slack;
    absorbed += floor(own);
    left += product * (own - floor(own));
    product *= steps[tau].bound.gain;
    best = min(best, Big(absorbed + floor(product * w[tau] + left)));
  }
  return best;
}

// Fractions that add up to one and less than a unit in the last place more: a sum that is rounded down loses
// a whole number.
TEST(RoundingUp, OfFractionsThatAddUpToAWholeNumber) {
  Seeded random(30);
  for (int i = 0; i < 5000; ++i) {
    const int count = random.between(3, 8);
    const bool exact = random.coin();  // then nothing but the sum is rounded
    std::vector<ChainStep> steps;
    Big rest = 1;
    for (int k = 1; k < count; ++k) {
      const double product = std::ldexp(1, count - k), whole = k == 1 || random.coin() ? 1 : 0;
      const double fraction = exact && whole > 0 ? 0 : random.uniform(0, 0.5) / (product * count);
      steps.push_back({{2, whole, fraction}, 2});
      rest -= product * Big(fraction);
    }
    const double nearest = rest.convert_to<double>();
    steps.push_back({{2, 0, Big(nearest) < rest ? next_up(nearest) : nearest}, 2});
    const double found = price_at_infinity(Accountant::theorem, steps, Noise::discrete_laplace);
    EXPECT_GE(Big(found), theorem_on_the_lattice(steps));
    EXPECT_LE(Big(found), theorem_on_the_lattice(steps) + 1);
  }
}

TEST(RoundingUp, OfWholeShiftsOverSeveralDraws) {
  Seeded random(31);
  for (int i = 0; i < 20000; ++i) {
    const double scale = random.log_uniform(1, 100), shift = std::ceil(random.log_uniform(1, 1000));
    EXPECT_TRUE(just_above(absorb_evenly_up(Chain({}, Noise::discrete_laplace, scale), infinite_order, shift,
                                            random.between(1, 5)),
                           Big(shift) / scale, few_roundings));
  }
}

TEST(RoundingUp, OfAShiftOverSeveralDraws) {
  Seeded random(27);
  for (int i = 0; i < 2000; ++i) {
    const double scale = random.log_uniform(1, 100), order = 1 + random.log_uniform(0.01, 100);
    const int draws = random.between(1, 5);
    const double shift = random.log_uniform(1, 1000), whole_shift = std::ceil(shift);
    const Chain smooth({}, Noise::laplace, scale), lattice({}, Noise::discrete_laplace, scale);
    EXPECT_TRUE(just_above(absorb_evenly_up(smooth, infinite_order, shift, draws), Big(shift) / scale,
                           few_roundings));
    EXPECT_TRUE(just_above(absorb_evenly_up(smooth, order, shift, draws),
                           draws * testing::big_laplace(order, Big(shift) / draws / scale),
                           2 * renyi_margin + few_roundings));
    Big parts = 0;  // as even as whole numbers can be
    for (int draw = 0; draw < draws; ++draw) {
      const double part = std::floor((whole_shift + draw) / draws);
      if (part > 0) parts += testing::big_discrete_laplace(order, part, scale);
    }
    EXPECT_TRUE(just_above(absorb_evenly_up(lattice, order, whole_shift, draws), parts,
                           2 * renyi_margin + few_roundings));
  }
}

// Where what is taken off is nearly all there is, and no term is as large as another.
TEST(RoundingUp, OfTheConversionAtLargeOrders) {
  Seeded random(32);
  for (int i = 0; i < 20000; ++i) {
    const double order = random.log_uniform(1e9, 1e40), delta = random.log_uniform(1e-12, 1);
    const Big off = -testing::big_improved_epsilon(order, 0, delta);
    if (off <= 0) continue;
    const double rdp = Big(off * (1 + random.log_uniform(1e-15, 1e-12))).convert_to<double>();
    const Big truth = testing::big_improved_epsilon(order, rdp, delta);
    EXPECT_GE(Big(improved_epsilon_up(order, rdp, delta)), truth) << order << ' ' << rdp << ' ' << delta;
  }
}

TEST(RoundingUp, OfManyReleases) {
  Seeded random(28);
  for (int i = 0; i < 200; ++i) {
    const PrivacyCost one = PrivacyCost::of(Epsilon(random.log_uniform(0.01, 3))),
                      other = PrivacyCost::of(Epsilon(random.log_uniform(0.01, 3)));
    const std::uint64_t count = random.below(std::uint64_t{1} << random.between(1, 60)) + 1;
    PrivacyCost both = one;
    both += other;
    const PrivacyCost many = one.times(count);
    for (std::size_t k = 0; k < one.rdp().size(); ++k) {
      EXPECT_TRUE(just_above(both.rdp()[k], Big(one.rdp()[k]) + other.rdp()[k], one_rounding));
      EXPECT_TRUE(just_above(many.rdp()[k], Big(one.rdp()[k]) * count, few_roundings));
    }
  }
}

}  // namespace
}  // namespace hushwalk::accounting
