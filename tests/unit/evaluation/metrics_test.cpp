#include "evaluation/metrics.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hushwalk {
namespace {

// Seed 0 with neighbours 1 and 2; 3, 4 and 5 are further away.
const std::vector<double> exact = {0.4, 0.2, 0.1, 0.16, 0.08, 0.06};
const std::vector<Node> near = {1, 2};

double at_rank(double relevance, int rank) { return relevance / std::log2(rank + 1); }

TEST(Metrics, OfThePerfectAnswer) {
  const Metrics metrics = ExactAnswer(exact, 0, near, 3).compare(exact);
  EXPECT_EQ(metrics.ndcg, 1);
  EXPECT_EQ(metrics.recall, 1);
  EXPECT_EQ(metrics.new_ndcg, 1);
  EXPECT_EQ(metrics.new_recall, 1);
  EXPECT_EQ(metrics.l1, 0);
  EXPECT_EQ(metrics.kendall, 1);
}

TEST(Metrics, ByHand) {
  // The answer's order is 4 1 2 3 5; the true one 1 3 2 4 5.
  const std::vector<double> answer = {0, 0.3, 0.2, 0.1, 0.5, 0.05};
  const Metrics metrics = ExactAnswer(exact, 0, near, 3).compare(answer);
  const double gain = at_rank(0.08, 1) + at_rank(0.2, 2) + at_rank(0.1, 3),
               ideal = at_rank(0.2, 1) + at_rank(0.16, 2) + at_rank(0.1, 3);
  EXPECT_NEAR(metrics.ndcg, gain / ideal, 1e-15);
  EXPECT_NEAR(metrics.recall, 2.0 / 3, 1e-15);
  // Without the neighbours: 4 3 5 against 3 4 5.
  const double new_gain = at_rank(0.08, 1) + at_rank(0.16, 2) + at_rank(0.06, 3),
               new_ideal = at_rank(0.16, 1) + at_rank(0.08, 2) + at_rank(0.06, 3);
  EXPECT_NEAR(metrics.new_ndcg, new_gain / new_ideal, 1e-15);
  EXPECT_EQ(metrics.new_recall, 1);
  EXPECT_NEAR(metrics.l1, 0.1 + 0.1 + 0.06 + 0.42 + 0.01, 1e-15);
  // Of the pairs of 1, 3 and 2 the answer has only (3, 2) the wrong way round.
  EXPECT_NEAR(metrics.kendall, 1.0 / 3, 1e-15);
}

TEST(Metrics, TiesGoToTheFirstId) {
  const std::vector<double> flat(exact.size(), 1.0);
  const Metrics metrics = ExactAnswer(exact, 0, near, 2).compare(flat);  // 1 2
  EXPECT_NEAR(metrics.ndcg, (0.2 + at_rank(0.1, 2)) / (0.2 + at_rank(0.16, 2)), 1e-15);
  EXPECT_EQ(metrics.recall, 0.5);
  EXPECT_TRUE(std::isnan(metrics.kendall));
}

TEST(Metrics, OfNothingNewAreUndefined) {
  const std::vector<Node> everybody = {1, 2, 3, 4, 5};
  const Metrics metrics = ExactAnswer(exact, 0, everybody, 3).compare(exact);
  EXPECT_TRUE(std::isnan(metrics.new_ndcg));
  EXPECT_TRUE(std::isnan(metrics.new_recall));
  EXPECT_EQ(metrics.ndcg, 1);
}

TEST(Metrics, ANegativeScoreIsIrrelevant) {
  const std::vector<double> odd = {0, 0.5, -3}, answer = {0, 1, 2};
  EXPECT_NEAR(ExactAnswer(odd, 0, {}, 2).compare(answer).ndcg, at_rank(0.5, 2) / 0.5, 1e-15);
}

TEST(Kendall, ByHandWithTies) {
  // Pairs: one concordant (0, 2), one discordant (1, 2), (0, 1) tied in x: 0 / (sqrt(2) sqrt(3)).
  EXPECT_EQ(kendall_tau_b(std::vector<double>{1, 1, 2}, std::vector<double>{1, 3, 2}), 0);
  // (0, 1) and (0, 2) concordant, (1, 2) tied in x: 2 / (sqrt(2) sqrt(3)).
  EXPECT_NEAR(kendall_tau_b(std::vector<double>{1, 2, 2}, std::vector<double>{1, 2, 3}), 2 / std::sqrt(6.0),
              1e-15);
}

struct Case {
  std::vector<double> exact, answer;
  std::vector<Node> near;
  std::uint64_t top;
};

Case arbitrary_case() {
  const auto n = *rc::gen::inRange<std::size_t>(2, 30);
  const auto scores = [&] {
    const auto small = *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 12));
    std::vector<double> values;
    for (const int value : small) values.push_back(value / 8.0);
    return values;
  };
  Case made{scores(), scores(), {}, *rc::gen::inRange<std::uint64_t>(1, 40)};
  for (Node node = 1; node < n; ++node)
    if (*rc::gen::arbitrary<bool>()) made.near.push_back(node);
  return made;
}

bool within(double value, double low) { return std::isnan(value) || (value >= low && value <= 1); }

RC_GTEST_PROP(Metrics, AreWithinTheirBounds, ()) {
  const Case c = arbitrary_case();
  const Metrics m = ExactAnswer(c.exact, 0, c.near, c.top).compare(c.answer);
  RC_ASSERT(within(m.ndcg, 0) && within(m.recall, 0) && within(m.new_ndcg, 0) && within(m.new_recall, 0));
  RC_ASSERT(within(m.kendall, -1) && m.l1 >= 0);
}

// Ranking metrics see the order only, l1 the values.
RC_GTEST_PROP(Metrics, DoNotChangeWhenTheAnswerIsScaled, ()) {
  const Case c = arbitrary_case();
  std::vector<double> scaled = c.answer;
  for (double& value : scaled) value = 4 * value - 1;
  const ExactAnswer truth(c.exact, 0, c.near, c.top);
  const Metrics a = truth.compare(c.answer), b = truth.compare(scaled);
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  RC_ASSERT(same(a.ndcg, b.ndcg) && same(a.recall, b.recall) && same(a.new_ndcg, b.new_ndcg) &&
            same(a.new_recall, b.new_recall) && same(a.kendall, b.kendall));
}

RC_GTEST_PROP(Metrics, DoNotDependOnTheScoreOfTheSeed, ()) {
  const Case c = arbitrary_case();
  std::vector<double> other = c.answer;
  other[0] = 99;
  const ExactAnswer truth(c.exact, 0, c.near, c.top);
  const Metrics a = truth.compare(c.answer), b = truth.compare(other);
  RC_ASSERT(a.l1 == b.l1);
  RC_ASSERT(a.recall == b.recall);
}

// With distinct scores no tie is broken by id, so that names do not matter.
RC_GTEST_PROP(Metrics, DoNotDependOnTheNamesOfNodes, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 20);
  const auto random_order = [&] {
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    const auto keys = *rc::gen::container<std::vector<int>>(n, rc::gen::arbitrary<int>());
    std::ranges::sort(values, {}, [&](double v) { return keys[static_cast<std::size_t>(v) - 1]; });
    return values;
  };
  const auto truth = random_order(), answer = random_order(), places = random_order();
  std::vector<double> truth2(n), answer2(n);
  const auto place = [&](std::size_t node) { return static_cast<Node>(places[node]) - 1; };
  for (std::size_t i = 0; i < n; ++i) {
    truth2[place(i)] = truth[i];
    answer2[place(i)] = answer[i];
  }
  const Metrics a = ExactAnswer(truth, 0, {1}, n / 2).compare(answer),
                b = ExactAnswer(truth2, place(0), {place(1)}, n / 2).compare(answer2);
  RC_ASSERT(a.ndcg == b.ndcg && a.recall == b.recall);
  RC_ASSERT(a.new_ndcg == b.new_ndcg && a.new_recall == b.new_recall);
  RC_ASSERT(a.l1 == b.l1 && (a.kendall == b.kendall || std::isnan(a.kendall)));
}

// The definition, pair by pair.
double slow_tau_b(const std::vector<double>& x, const std::vector<double>& y) {
  double agreement = 0, untied_x = 0, untied_y = 0;
  const auto sign = [](double v) { return (v > 0) - (v < 0); };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      agreement += sign(x[i] - x[j]) * sign(y[i] - y[j]);
      untied_x += x[i] != x[j];
      untied_y += y[i] != y[j];
    }
  return agreement / std::sqrt(untied_x * untied_y);
}

RC_GTEST_PROP(Kendall, IsWhatTheDefinitionSays, ()) {
  const Case c = arbitrary_case();
  const double fast = kendall_tau_b(c.exact, c.answer), slow = slow_tau_b(c.exact, c.answer);
  RC_ASSERT((std::isnan(fast) && std::isnan(slow)) || std::abs(fast - slow) < 1e-12);
}

TEST(Ranges, AreMeasuredAgainstExactRanks) {
  const ExactAnswer exact({0.9, 0.5, 0.3, 0.2, 0.2}, 0, {},
                          4);  // node 0 is the seed; node 3 comes before node 4
  Metrics metrics;
  exact.measure_ranges(std::vector<RankedNode>{{2, 1, {}, RankRange{1, 1}},  // its rank is 2
                                               {1, 1, {}, RankRange{1, 2}},  // 1
                                               {4, 1, {}, RankRange{4, 4}},  // 4
                                               {3, 1}},
                       metrics);
  EXPECT_DOUBLE_EQ(metrics.rank_coverage, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.rank_width, 4.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.rank_share, 0.75);
  Metrics none;
  exact.measure_ranges(std::vector<RankedNode>{{2, 1}}, none);
  EXPECT_TRUE(std::isnan(none.rank_coverage) && std::isnan(none.rank_width));
  EXPECT_EQ(none.rank_share, 0);
}

}  // namespace
}  // namespace hushwalk
