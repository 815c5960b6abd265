// `frontier` with mistakes that are easy to make. Each must be found.
#include <gtest/gtest.h>

#include "attack_controls.h"
#include "support/frontier_centres.h"
#include "support/seeded_key.h"

namespace hushwalk::testing {
namespace {

SmallGraph small(const Graph& graph) {
  SmallGraph result(graph.nodes());
  for (Node v = 0; v < graph.nodes(); ++v)
    for (const Node u : graph.neighbors(v)) result.link(u, v);
  return result;
}

// A release by the independent code, which has a flaw. Noise by column and node, whoever draws it.
class FlawedRelease final : public Release {
 public:
  FlawedRelease(const Plan& plan, const Graph& graph, NoiseSource& source, FrontierFlaw flaw)
      : graph_(small(graph)), source_(source), flaw_(flaw) {
    design_.most = graph.nodes() / 5;
    design_.taper = *plan.parameters.taper;
    std::ranges::transform(plan.noise, design_.scale.begin(), &NoiseUse::lattice_scale);
  }
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress&) override {
    std::vector<Columns> answers;
    for (const SeedVector& seed : seeds) {
      const auto answer = source_.answer(first + answers.size());
      std::vector<Column> drawn;
      for (std::size_t i = 0; i < 7 * 4; ++i) {
        drawn.emplace_back(graph_.nodes());
        draw_noise({*answer, NoiseKind::step_first, i}, DiscreteLaplace(design_.scale[i / 4]), drawn.back());
      }
      const auto give = [&](std::size_t use, std::size_t column, std::size_t v, std::int64_t count) {
        return count + drawn[4 * use + column][v];
      };
      answers.push_back(columns_of(IndependentFrontier(design_, give, flaw_).run(graph_, seed)));
    }
    return answers;
  }
  double scale(const SeedVector&, std::size_t, Node) const override { return design_.scale[0]; }
  std::optional<Centres> centres(const Columns& released, const SeedVector& seed) const override {
    return centres_of(IndependentFrontier(design_, as_released(released), flaw_).run(graph_, seed));
  }
  PrivateScores scores(const Columns&, const SeedVector&) const override {
    return {std::vector<double>(graph_.nodes())};
  }

 private:
  IndependentFrontier::Design design_{};
  SmallGraph graph_;
  NoiseSource& source_;
  FrontierFlaw flaw_;
};

AdjacentPair any_pair(Seeded& random) {
  const Pair pair = random_pair(random, 14, 1);
  std::vector<auditing::Edge> edges;
  for (Node a = 0; a < pair.graph.nodes(); ++a)
    for (Node b = 0; b < a; ++b)
      if (pair.graph.linked(a, b)) edges.emplace_back(b, a);
  return {"random", pair.graph.nodes(), edges, {static_cast<Node>(pair.u), static_cast<Node>(pair.v)}, 0};
}

// The dearest of many pairs, each under a key of its own; infinity when graphs go on differently.
double worst_ratio(FrontierFlaw flaw, std::uint64_t pairs) {
  const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
    return std::make_unique<FlawedRelease>(plan, graph, source, flaw);
  });
  ReleaseParameters request = request_of({"frontier", Scope::personalized});
  request.taper = 2;
  const auto plan = auditing::standard_targets(request).front().plan;
  Seeded random(3);
  double worst = 0;
  for (std::uint64_t i = 0; i < pairs && worst <= 1.01; ++i) {
    const AdjacentPair pair = any_pair(random);
    const auto found = auditing::compare({control, plan(pair.nodes, 1)}, pair, seeded_key(i));
    worst = std::max(worst, found.leaks.empty() ? found.ratio : INFINITY);
  }
  return worst;
}

TEST(FrontierControls, NothingIsCaughtWhereNothingIsWrong) {
  const double worst = worst_ratio(FrontierFlaw::none, 500);
  EXPECT_LE(worst, 1 + 1e-9);
  EXPECT_GT(worst, 0.95);
}

class FrontierFlaws : public ::testing::TestWithParam<FrontierFlaw> {};

TEST_P(FrontierFlaws, AreCaught) { EXPECT_GT(worst_ratio(GetParam(), 2000), 1.01); }

INSTANTIATE_TEST_SUITE_P(
    All, FrontierFlaws,
    ::testing::Values(FrontierFlaw::set_from_true_counts, FrontierFlaw::stop_on_true_counts,
                      FrontierFlaw::inside_set_at_half_the_noise, FrontierFlaw::true_degrees_as_weights,
                      FrontierFlaw::degrees_of_all_in_the_rest,
                      FrontierFlaw::degrees_of_the_graph_in_the_rest, FrontierFlaw::background_on_top));

// Links out of the set as they are, though it says that they have noise.
class NoNoiseOutOfSet final : public ChangedRelease {
 public:
  using ChangedRelease::ChangedRelease;
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Columns> answers = inner_->numbers(seeds, first, progress);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const Centres centres = *inner_->centres(answers[i], seeds[i]);
      for (Node v = 0; v < answers[i][3].size(); ++v)
        if (answers[i][3][v] != 0) answers[i][1][v] = centres.centre[1][v];
    }
    return answers;
  }
};

// Nothing but samples can tell.
TEST(FrontierControls, NoNoiseOutOfTheSetIsCaughtBySampling) {
  const Control control([](const Plan& plan, const Graph& graph, NoiseSource& source) {
    return std::make_unique<NoNoiseOutOfSet>(find_mechanism("frontier").start(plan, graph, source, {}));
  });
  const auto plan = honest({"frontier", Scope::personalized}).plan;
  const AuditReport report = attack({"control", control, plan}, Scope::personalized,
                                    auditing::worst_pairs(Scope::personalized), 4000);
  EXPECT_TRUE(mentions(report, "edge out of the nodes of a second look, control: epsilon is at least"));
  EXPECT_LE(report.worst_sensitivity_ratio, 1 + 1e-9);
}

TEST(FrontierControls, EdgesOfASecondLookAreSampled) {
  const AuditReport report = attack(honest({"frontier", Scope::personalized}), Scope::personalized,
                                    auditing::worst_pairs(Scope::personalized), 200);
  for (const char* graphs : {"edge among nodes of a second look", "edge out of the nodes of a second look"})
    EXPECT_TRUE(std::ranges::any_of(report.cases, [&](const AuditCase& one) {
      return one.graphs == graphs && one.epsilon_lower_bound;
    })) << graphs;
}

}  // namespace
}  // namespace hushwalk::testing
