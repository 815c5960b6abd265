// Mechanisms from outside: they count, the library adds the noise.
#include "hushwalk/extend.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "estimate/estimate.h"
#include "mechanism/mechanism.h"
#include "mechanism/node_noise.h"
#include "plan/outside.h"

namespace hushwalk {
namespace {

class OutsideRelease final : public Release {
 public:
  OutsideRelease(const OutsideMechanism& mechanism, const Plan& plan, const Graph& graph, NoiseSource& source)
      : mechanism_(mechanism), plan_(plan), graph_(graph), source_(source) {
    for (const NoiseUse& use : plan.noise) noise_.emplace_back(use.lattice_scale);
  }

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Columns> answers;
    for (const SeedVector& seed : seeds) {
      answers.push_back(noisy_columns(seed, *source_.answer(first + answers.size())));
      if (progress)
        progress("ranking", static_cast<double>(answers.size()) / static_cast<double>(seeds.size()));
    }
    return answers;
  }

  double scale(const SeedVector&, std::size_t column, Node) const override {
    return plan_.noise[column].lattice_scale;
  }

  PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
    std::vector<std::vector<double>> columns;
    for (const Column& column : numbers) columns.push_back(to_links(column));
    PrivateScores answer{mechanism_.score(columns, seed)};
    if (answer.scores.size() != graph_.nodes())
      fail("'{}' gives {} scores for {} nodes", mechanism_.name, answer.scores.size(), graph_.nodes());
    return answer;
  }

 private:
  Columns noisy_columns(const SeedVector& seed, NoiseSource& answer) const {
    Columns columns = mechanism_.count(graph_, seed, plan_.parameters);
    if (columns.size() != noise_.size())
      fail("'{}' counts {} columns and released {}", mechanism_.name, columns.size(), noise_.size());
    std::vector<std::int64_t> draws(graph_.nodes());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].size() != draws.size())
        fail("'{}' counts {} numbers for {} nodes", mechanism_.name, columns[i].size(), draws.size());
      draw_noise({answer, NoiseKind::outside, i}, noise_[i], draws);
      // Clamped first, which moves no two numbers further apart: plus_noise wants them below 2^62.
      for (std::size_t v = 0; v < draws.size(); ++v)
        columns[i][v] = plus_noise(std::clamp(columns[i][v], -largest_limit, largest_limit), draws[v]);
    }
    return columns;
  }

  const OutsideMechanism& mechanism_;
  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  std::vector<DiscreteLaplace> noise_;
};

class Outside final : public Mechanism {
 public:
  explicit Outside(OutsideMechanism mechanism) : mechanism_(std::move(mechanism)) {}
  bool can_be_spread() const override { return false; }  // it counts on a whole graph
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source,
                                 const Progress&) const override {
    return std::make_unique<OutsideRelease>(mechanism_, plan, graph, source);
  }

 private:
  OutsideMechanism mechanism_;
};

}  // namespace

void register_mechanism(OutsideMechanism mechanism) {
  if (!mechanism.released || !mechanism.count || !mechanism.score)
    fail_usage("a mechanism needs all three: what is released, how it is counted and how it is scored");
  const std::string name = mechanism.name;
  add_planner(outside_planner(name, mechanism.proof, mechanism.released));
  add_mechanism(name, std::make_unique<Outside>(std::move(mechanism)));
}

}  // namespace hushwalk
