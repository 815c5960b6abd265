// Answers that tell about edges by other ways than their numbers, on purpose.
#include <gtest/gtest.h>

#include <cmath>

#include "attack_controls.h"
#include "graph/graph_impl.h"
#include "hushwalk/error.h"
#include "hushwalk/ranking.h"

namespace hushwalk::testing {
namespace {

// `twohop`, or another, whose release is changed by a Bug.
template <class Bug>
AuditReport attack_release(const std::string& mechanism = "twohop", double epsilon = 1) {
  ReleaseParameters request = request_of({mechanism, Scope::personalized});
  request.epsilon = Epsilon(epsilon);
  const Target claimed = auditing::standard_targets(request).front();
  const Control control([&](const Plan& plan, const Graph& graph, NoiseSource& source) {
    return std::make_unique<Bug>(claimed.mechanism.start(plan, graph, source, {}), graph);
  });
  std::vector<AdjacentPair> pairs = auditing::worst_pairs(Scope::personalized);
  // With the edge, two nodes away from the seed overtake a third in the order of degrees.
  pairs.push_back({"edge that changes rows", 5, {{0, 1}}, {3, 4}, 0});
  return attack({"control", control, claimed.plan}, Scope::personalized, pairs, 0);
}

constexpr const char* differing_scores = "scores made from the same noisy numbers differ";

TEST(Controls, NothingIsCaughtWhereNothingIsWrong) {
  EXPECT_FALSE(attack_release<ChangedByGraph>().violated());
}

// What a recipient sees of an answer is an order. Nodes that cannot be reached on the flipped graph are
// equal.
class Ranking : public ChangedByGraph {
 public:
  using ChangedByGraph::ChangedByGraph;
  PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
    const std::vector<double> values = inner_->scores(numbers, seed).scores;
    std::vector<Node> order(values.size());
    for (Node v = 0; v < order.size(); ++v) order[v] = v;
    std::ranges::stable_sort(order, {}, [&](Node v) { return tie_break(v); });
    std::ranges::stable_sort(order, std::greater(), [&](Node v) { return values[v]; });
    PrivateScores answer{std::vector<double>(values.size())};
    for (std::size_t i = 0; i < order.size(); ++i) answer.scores[order[i]] = -static_cast<double>(i);
    return answer;
  }

 protected:
  virtual std::uint64_t tie_break(Node node) const { return node; }
};

TEST(Controls, TiesInTheOrderOfIdsAreFine) {
  EXPECT_FALSE(attack_release<Ranking>("edgeflip", 3).violated());
}

TEST(Controls, TiesInTheOrderOfRowsAreCaught) {
  class ByRow final : public Ranking {
   public:
    using Ranking::Ranking;

   private:
    std::uint64_t tie_break(Node node) const override { return csr_of(graph_).row_of_node[node]; }
  };
  EXPECT_TRUE(mentions(attack_release<ByRow>("edgeflip", 3), differing_scores));
}

// A release for the nodes that edges name: a node vanishes with its only edge.
TEST(Controls, AnNThatComesFromTheEdgesIsCaught) {
  class LinkedOnly final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                 const Progress& progress) override {
      std::vector<Columns> released = inner_->numbers(seeds, first, progress);
      for (Columns& numbers : released)
        for (auto& column : numbers) {
          Node node = 0;
          std::erase_if(column, [&](std::int64_t) { return graph_.degree(node++) == 0; });
        }
      return released;
    }
  };
  EXPECT_TRUE(mentions(attack_release<LinkedOnly>("output"), "the number of released numbers differs"));
}

TEST(Controls, AnAnswerThatDependsOnTheNumberOfEdgesIsCaught) {
  class Scores final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
      PrivateScores answer = inner_->scores(numbers, seed);
      *answer.far_error /= static_cast<double>(graph_.secret_edges());
      return answer;
    }
  };
  EXPECT_TRUE(mentions(attack_release<Scores>(), differing_scores));
}

TEST(Controls, ARangeOfRanksThatDependsOnTheNumberOfEdgesIsCaught) {
  class Doubt final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
      PrivateScores answer = inner_->scores(numbers, seed);
      answer.doubt = RankDoubt{.near = static_cast<double>(graph_.secret_edges())};
      return answer;
    }
  };
  EXPECT_TRUE(mentions(attack_release<Doubt>(), differing_scores));
}

TEST(Controls, AScaleThatDependsOnDegreesIsCaught) {
  class Scale final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    double scale(const SeedVector& seed, std::size_t column, Node node) const override {
      return inner_->scale(seed, column, node) * static_cast<double>(1 + graph_.degree(node));
    }
  };
  EXPECT_TRUE(mentions(attack_release<Scale>(), "the noise scale of node"));
}

// One answer more for every edge: more words are drawn.
TEST(Controls, DrawsThatDependOnEdgesAreCaught) {
  class Draws final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                 const Progress& progress) override {
      const std::vector<SeedVector> more(graph_.secret_edges(), seeds.front());
      inner_->numbers(more, first + 1, progress);
      return inner_->numbers(seeds, first, progress);
    }
  };
  EXPECT_TRUE(mentions(attack_release<Draws>(), "the random words asked for differ"));
}

// Degrees, each with a draw of the scale that two of them need.
class Degrees : public Release {
 public:
  Degrees(const Plan& plan, const Graph& graph, NoiseSource& source)
      : graph_(graph), source_(source), scale_(0x1p33 / plan.epsilon()), noise_(scale_) {}

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress&) override {
    std::vector<Columns> answers;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      std::vector<std::int64_t> numbers = draw(*source_.answer(first + i));
      for (Node v = 0; v < numbers.size(); ++v)
        numbers[v] += static_cast<std::int64_t>(graph_.degree(v)) << 32;
      answers.push_back({std::move(numbers)});
    }
    return answers;
  }
  double scale(const SeedVector&, std::size_t, Node) const override { return scale_; }
  PrivateScores scores(const Columns&, const SeedVector&) const override { return {}; }

 protected:
  virtual std::vector<std::int64_t> draw(NoiseSource& answer) const {
    std::vector<std::int64_t> drawn(graph_.nodes());
    draw_noise({answer, NoiseKind::step_first}, noise_, drawn);
    return drawn;
  }

  const Graph& graph_;
  NoiseSource& source_;
  double scale_;
  DiscreteLaplace noise_;
};

template <class Bug>
AuditReport attack_degrees() {
  const Control control([](const Plan& plan, const Graph& graph, NoiseSource& source) {
    return std::make_unique<Bug>(plan, graph, source);
  });
  const auto plan = [](std::uint64_t nodes, std::uint64_t seeds) {
    Plan made = honest({"shared", Scope::edge}).plan(nodes, seeds);
    made.artefact = Artefact::none;
    return made;
  };
  std::vector<AdjacentPair> pairs = first_pairs(Scope::edge, 2);
  pairs.push_back({"edge that changes rows", 5, {{0, 1}}, {3, 4}, 0});
  return attack({"control", control, plan}, Scope::edge, pairs, 0);
}

TEST(Controls, NoiseInTheOrderOfNodesIsFine) {
  const AuditReport report = attack_degrees<Degrees>();
  EXPECT_FALSE(report.violated());
  EXPECT_NEAR(report.worst_sensitivity_ratio, 1, 1e-9);
}

// Rows are ordered by degree.
TEST(Controls, NoiseInTheOrderOfRowsIsCaught) {
  class ByRow final : public Degrees {
   public:
    using Degrees::Degrees;

   private:
    std::vector<std::int64_t> draw(NoiseSource& answer) const override {
      const std::vector<std::int64_t> by_row = Degrees::draw(answer);
      std::vector<std::int64_t> drawn;
      for (Node v = 0; v < by_row.size(); ++v) drawn.push_back(by_row[csr_of(graph_).row_of_node[v]]);
      return drawn;
    }
  };
  EXPECT_GT(attack_degrees<ByRow>().worst_sensitivity_ratio, 1.01);
}

TEST(Controls, NoNoiseForNodesWithoutLinksIsCaught) {
  class Linked final : public Degrees {
   public:
    using Degrees::Degrees;

   private:
    std::vector<std::int64_t> draw(NoiseSource& answer) const override {
      std::vector<std::int64_t> drawn(graph_.nodes());
      for (Node v = 0; v < drawn.size(); ++v)
        if (graph_.degree(v) > 0)
          draw_noise({answer, NoiseKind::step_first, v}, noise_, std::span(drawn).subspan(v, 1));
      return drawn;
    }
  };
  EXPECT_TRUE(mentions(attack_degrees<Linked>(), "the random words asked for differ"));
}

TEST(Controls, AnErrorThatDependsOnEdgesIsCaught) {
  class Errors final : public ChangedByGraph {
   public:
    using ChangedByGraph::ChangedByGraph;
    std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                                 const Progress& progress) override {
      for (Node v = 0; v < graph_.nodes(); ++v)
        if (graph_.degree(v) == 0) throw Error(ErrorCode::failed, "an isolated node");
      return inner_->numbers(seeds, first, progress);
    }
  };
  EXPECT_TRUE(mentions(attack_release<Errors>(), "an isolated node"));
}

}  // namespace
}  // namespace hushwalk::testing
