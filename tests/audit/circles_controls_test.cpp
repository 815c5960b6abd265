// `circles` with mistakes that are easy to make. Each must be found.
#include <gtest/gtest.h>

#include <array>

#include "accounting/circles.h"
#include "attack_controls.h"
#include "mechanism/circles.h"
#include "support/independent_circles.h"
#include "support/seeded_key.h"

namespace hushwalk::testing {
namespace {

IndependentCircles::Design written_down(const accounting::CirclesDesign& d) {
  return {d.nodes,  d.clusters, d.block,    d.core,    d.epsilon,   d.fine,
          d.coarse, d.forward,  d.backward, d.leaving, d.by_degrees};
}

SmallGraph small(const Graph& graph) {
  SmallGraph result(graph.nodes());
  for (Node v = 0; v < graph.nodes(); ++v)
    for (const Node u : graph.neighbors(v)) result.link(u, v);
  return result;
}

// A release by the independent code, which has a flaw.
class FlawedRelease final : public Release {
 public:
  FlawedRelease(accounting::CirclesDesign design, const Graph& graph, NoiseSource& source, Flaw flaw)
      : design_(design), graph_(small(graph)), source_(source), flaw_(flaw) {
    draw(source);
  }
  void renew(std::uint64_t answer) override { draw(*source_.answer(answer)); }
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t, const Progress&) override {
    return {seeds.size(), released_};
  }
  double scale(const SeedVector&, std::size_t, Node) const override { return design_.fine; }
  std::optional<Centres> centres(const Columns& released, const SeedVector&) const override {
    const auto result =
        IndependentCircles(
            written_down(design_),
            [&](std::size_t column, std::size_t node, std::int64_t) { return released[column][node]; }, flaw_)
            .run(graph_);
    Centres found{Columns(released.size(), Column(design_.nodes)),
                  std::vector(released.size(), std::vector<double>(design_.nodes))};
    for (const auto& [place, number] : result.numbers) {
      found.centre[place.first][place.second] = number.count;
      found.scale[place.first][place.second] = number.scale;
    }
    return found;
  }
  PrivateScores scores(const Columns&, const SeedVector&) const override {
    return {std::vector<double>(design_.nodes)};
  }

 private:
  void draw(NoiseSource& source) {
    const auto column_of = [&](NoiseKind kind, std::uint64_t step, double scale) {
      Column drawn(design_.nodes);
      draw_noise({source, kind, step}, DiscreteLaplace(scale), drawn);
      return drawn;
    };
    const Column degrees = column_of(NoiseKind::circle_degrees, 0, design_.fine),
                 more = column_of(NoiseKind::circle_coarsening, 0, design_.coarse),
                 leaves = column_of(NoiseKind::circle_leaving, 0, design_.leaving);
    std::vector<Column> cells;
    for (std::uint32_t c = 0; c < design_.clusters; ++c)
      cells.push_back(column_of(NoiseKind::circle_forward, c, design_.forward));
    for (std::uint32_t c = 0; c < design_.clusters; ++c)
      cells.push_back(column_of(NoiseKind::circle_backward, c, design_.backward));
    const auto result = IndependentCircles(
                            written_down(design_),
                            [&](std::size_t column, std::size_t v, std::int64_t count) {
                              return count + (column == coarse    ? degrees[v] + more[v]
                                              : column == fine    ? degrees[v]
                                              : column == leaving ? leaves[v]
                                                                  : cells[column - first_cell][v]);
                            },
                            flaw_)
                            .run(graph_);
    released_ = columns_of(result, written_down(design_));
  }

  accounting::CirclesDesign design_;
  SmallGraph graph_;
  NoiseSource& source_;
  Flaw flaw_;
  Columns released_;
};

// Two groups whose nodes are all linked, and a few nodes beside them.
AdjacentPair communities(Node size, auditing::Edge edge) {
  std::vector<auditing::Edge> edges;
  for (const Node first : {Node{0}, Node{1}})
    for (Node a = first; a < 2 * size; a += 2)
      for (Node b = first; b < a; b += 2) edges.emplace_back(b, a);
  return {"communities", 2 * size + 10, edges, edge, 0};
}

// Where one link may decide a label.
AdjacentPair any_pair(Seeded& random) {
  const Pair pair = random_pair(random, 14, 0);
  std::vector<auditing::Edge> edges;
  for (Node a = 0; a < pair.graph.nodes(); ++a)
    for (Node b = 0; b < a; ++b)
      if (pair.graph.linked(a, b)) edges.emplace_back(b, a);
  return {"random", pair.graph.nodes(), edges, {static_cast<Node>(pair.u), static_cast<Node>(pair.v)}, 0};
}

enum class Clusters { three, by_degrees };

// The dearest of many pairs, each under a key of its own; infinity when graphs go on differently.
double worst_ratio(Flaw flaw, std::uint64_t pairs, Clusters clusters) {
  const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
    const Epsilon epsilon = plan.parameters.epsilon;
    return std::make_unique<FlawedRelease>(clusters == Clusters::three
                                               ? accounting::circles_design(graph.nodes(), epsilon, 3, 1)
                                               : accounting::circles_design(graph.nodes(), epsilon),
                                           graph, source, flaw);
  });
  ReleaseParameters request = request_of({"circles", Scope::edge});
  request.epsilon = Epsilon(8);
  const auto plan = auditing::standard_targets(request).front().plan;
  Seeded random(3);
  double worst = 0;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const AdjacentPair pair = i < 20 ? communities(11, {0, i % 2 == 0 ? 1U : 30U}) : any_pair(random);
    const auto found = auditing::compare({control, plan(pair.nodes, 1)}, pair, seeded_key(i));
    worst = std::max(worst, found.leaks.empty() ? found.ratio : INFINITY);
    if (worst > 1.01) break;
  }
  return worst;
}

TEST(CirclesControls, NothingIsCaughtWhereNothingIsWrong) {
  for (const Clusters clusters : {Clusters::three, Clusters::by_degrees}) {
    const double worst = worst_ratio(Flaw::none, 500, clusters);
    EXPECT_LE(worst, 1 + 1e-9);
    EXPECT_GT(worst, 0.95);
  }
}

class CirclesFlaws : public ::testing::TestWithParam<Flaw> {};

TEST_P(CirclesFlaws, AreCaught) {
  const bool varies = GetParam() == Flaw::clusters_by_true_degrees;
  EXPECT_GT(worst_ratio(GetParam(), 2000, varies ? Clusters::by_degrees : Clusters::three), 1.01);
}

std::string name_of(const ::testing::TestParamInfo<Flaw>& tested) {
  constexpr std::array called = {"None",
                                 "LabelsFromTrueCounts",
                                 "OrderByTrueDegree",
                                 "TiesByTrueDegree",
                                 "BlocksByTrueCounts",
                                 "TwoSidedBackwardRows",
                                 "GateOnTrueDegrees",
                                 "StopOnTrueCounts",
                                 "ClustersByTrueDegrees"};
  return called[static_cast<std::size_t>(tested.param)];
}

INSTANTIATE_TEST_SUITE_P(All, CirclesFlaws,
                         ::testing::Values(Flaw::labels_from_true_counts, Flaw::order_by_true_degree,
                                           Flaw::ties_by_true_degree, Flaw::blocks_by_true_counts,
                                           Flaw::two_sided_backward_rows, Flaw::gate_on_true_degrees,
                                           Flaw::stop_on_true_counts, Flaw::clusters_by_true_degrees),
                         name_of);

// The release as it runs, in a design and with samplers that are given.
class DesignedRelease final : public Release {
 public:
  DesignedRelease(CirclesNoise noise, const Graph& graph, NoiseSource& source)
      : noise_(std::move(noise)),
        graph_(graph),
        source_(source),
        numbers_(release_circles(noise_, graph, source)) {}
  void renew(std::uint64_t answer) override {
    numbers_ = release_circles(noise_, graph_, *source_.answer(answer));
  }
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t, const Progress&) override {
    return {seeds.size(), circles_columns(noise_.design, numbers_)};
  }
  double scale(const SeedVector&, std::size_t, Node) const override { return noise_.design.fine; }
  std::optional<Centres> centres(const Columns& released, const SeedVector&) const override {
    CirclesCentres found =
        circles_centres(noise_.design, graph_, circles_numbers_in(noise_.design, released));
    return Centres{std::move(found.centre), std::move(found.scale)};
  }
  PrivateScores scores(const Columns&, const SeedVector&) const override {
    return {std::vector<double>(noise_.design.nodes)};
  }

 private:
  CirclesNoise noise_;
  const Graph& graph_;
  NoiseSource& source_;
  CirclesNumbers numbers_;
};

constexpr double ALPHA = 1e-9;  // that a sound release is called violated

enum class BackwardNoise { drawn, none };

// The edge is between groups so large that nearly every release has rows; on the pairs of the standard audit
// nearly none has.
AuditReport attack_rows(BackwardNoise backward) {
  AuditRequest request;
  request.release = request_of({"circles", Scope::edge});
  request.release.epsilon = Epsilon(4);
  request.trials = 6000;
  request.confidence = 1 - ALPHA;
  const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
    CirclesNoise noise(accounting::circles_design(graph.nodes(), plan.parameters.epsilon, 3, 1));
    // The least there is: one draw in four million is not 0.
    if (backward == BackwardNoise::none) noise.backward = DiscreteLaplace(DiscreteLaplace::min_scale);
    return std::make_unique<DesignedRelease>(std::move(noise), graph, source);
  });
  const Target target{"control", control, auditing::standard_targets(request.release).front().plan};
  const AdjacentPair pair = communities(40, {0, 1});
  return auditing::attack({&target, 1}, {&pair, 1}, request, {});
}

TEST(CirclesControls, RowsWithTheirNoiseAreNotCaughtBySampling) {
  const AuditReport report = attack_rows(BackwardNoise::drawn);
  for (const std::string& finding : report.findings) ADD_FAILURE() << finding;
  EXPECT_GT(report.epsilon_lower_bound, 1);  // of 4: an attack that sees less would mean nothing
}

// Nothing but samples can tell.
TEST(CirclesControls, NoNoiseInBackwardRowsIsCaughtBySampling) {
  const AuditReport report = attack_rows(BackwardNoise::none);
  EXPECT_TRUE(mentions(report, "communities, control: epsilon is at least"));
  EXPECT_GT(report.epsilon_lower_bound, 4);
  EXPECT_LE(report.worst_sensitivity_ratio, 1 + 1e-9);
}

}  // namespace
}  // namespace hushwalk::testing
