// `circles` with mistakes that are easy to make. Each must be found.
#include <gtest/gtest.h>

#include <array>

#include "accounting/circles.h"
#include "attack_controls.h"
#include "support/independent_circles.h"

namespace hushwalk::testing {
namespace {

IndependentCircles::Design written_down(const accounting::CirclesDesign& d) {
  return {d.nodes, d.clusters, d.block, d.core, d.epsilon, d.fine, d.coarse, d.forward, d.backward, d.leaving};
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
  std::optional<Centres> centres(const Columns& released) const override {
    const auto result = IndependentCircles(written_down(design_),
                                           [&](std::size_t column, std::size_t node, std::int64_t) {
                                             return released[column][node];
                                           },
                                           flaw_)
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
    const auto result =
        IndependentCircles(written_down(design_),
                           [&](std::size_t column, std::size_t v, std::int64_t count) {
                             return count + (column == coarse    ? degrees[v] + more[v]
                                             : column == fine    ? degrees[v]
                                             : column == leaving ? leaves[v]
                                                                 : cells[column - first_cell][v]);
                           },
                           flaw_)
            .run(graph_);
    released_.assign(4 + 2 * std::size_t{design_.clusters}, Column(design_.nodes));
    released_.back().assign(design_.nodes, result.branch);
    for (const auto& [place, number] : result.numbers) released_[place.first][place.second] = number.released;
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

AuditReport attack_flawed(Flaw flaw, double epsilon, std::uint32_t clusters, std::uint64_t trials) {
  const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
    return std::make_unique<FlawedRelease>(
        accounting::circles_design(graph.nodes(), plan.parameters.epsilon, clusters, 1), graph, source, flaw);
  });
  ReleaseParameters request = request_of({"circles", Scope::edge});
  request.epsilon = Epsilon(epsilon);
  std::vector<AdjacentPair> pairs = auditing::worst_pairs(Scope::edge);
  pairs.push_back(communities(11, {0, 1}));  // dense enough for rows
  pairs.push_back(communities(11, {0, 30}));
  Seeded random(3);
  for (int i = 0; i < 60; ++i) pairs.push_back(any_pair(random));
  for (AdjacentPair& pair : pairs) pair.seed = 0;
  AuditRequest audit;
  audit.release = request;
  audit.trials = trials;
  const Target target{"control", control, auditing::standard_targets(request).front().plan};
  return auditing::attack(std::span(&target, 1), pairs, audit, {});
}

TEST(CirclesControls, NothingIsCaughtWhereNothingIsWrong) {
  for (const double epsilon : {1.0, 8.0}) {
    const AuditReport report = attack_flawed(Flaw::none, epsilon, 3, 100);
    EXPECT_FALSE(report.violated()) << report.findings.front();
    EXPECT_GT(report.worst_sensitivity_ratio, 0.95);
  }
}

class CirclesFlaws : public ::testing::TestWithParam<Flaw> {};

TEST_P(CirclesFlaws, AreCaught) { EXPECT_TRUE(attack_flawed(GetParam(), 8, 3, 0).violated()); }

std::string name_of(const ::testing::TestParamInfo<Flaw>& tested) {
  constexpr std::array called = {"None",
                                 "LabelsFromTrueCounts",
                                 "OrderByTrueDegree",
                                 "TiesByTrueDegree",
                                 "BlocksByTrueCounts",
                                 "TwoSidedBackwardRows",
                                 "GateOnTrueDegrees",
                                 "StopOnTrueCounts"};
  return called[static_cast<std::size_t>(tested.param)];
}

INSTANTIATE_TEST_SUITE_P(All, CirclesFlaws,
                         ::testing::Values(Flaw::labels_from_true_counts, Flaw::order_by_true_degree,
                                           Flaw::ties_by_true_degree, Flaw::blocks_by_true_counts,
                                           Flaw::two_sided_backward_rows, Flaw::gate_on_true_degrees,
                                           Flaw::stop_on_true_counts),
                         name_of);

}  // namespace
}  // namespace hushwalk::testing
