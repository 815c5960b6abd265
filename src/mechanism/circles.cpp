// `circles` as a mechanism: its release (circles_release.cpp) and answers from it (estimate/circles.cpp).
#include "mechanism/circles.h"

#include <optional>
#include <utility>

#include "estimate/circles.h"
#include "estimate/rank_range.h"
#include "mechanism/links.h"
#include "plan/circles.h"

namespace hushwalk {
namespace {

CirclesDesign design_of(const Plan& plan) {
  return accounting::circles_design(plan.graph.nodes, plan.parameters.epsilon);
}

PrivateScores scores_from(const CirclesModel& model, const Plan& plan, const Graph& graph,
                          const SeedVector& seed) {
  const Series theta = series_of(plan.parameters.diffusion.steps());
  if (plan.parameters.scope == Scope::edge) return {model.answer(seed, nullptr, theta)};
  OwnLinks own = own_links(graph, seed);
  std::vector<double> scores = model.answer(seed, &own, theta);
  const auto doubt = model.doubt(own, theta);
  return {std::move(scores), std::move(own.near), {}, {}, doubt};
}

class CirclesAnswers final : public ArtefactAnswers {
 public:
  CirclesAnswers(const Plan& plan, Graph graph, CirclesModel model, const Listing& listing)
      : scope_(plan.parameters.scope),
        graph_(std::move(graph)),
        ranking_(std::move(model), series_of(plan.parameters.diffusion.steps()), listing),
        ranges_(graph_.nodes(), listing) {}
  std::vector<RankedNode> best(const SeedVector& seed) const override {
    check_seeds(std::span(&seed, 1), graph_.nodes());
    if (scope_ == Scope::edge) return ranking_.best(seed, nullptr);
    const OwnLinks own = own_links(graph_, seed);
    std::vector<RankedNode> nodes = ranking_.best(seed, &own);
    ranges_.add_to(nodes, seed, own.near, ranking_.doubt(own));
    return nodes;
  }

 private:
  Scope scope_;
  Graph graph_;
  CirclesRanking ranking_;
  RankRanges ranges_;
};

class CirclesRelease final : public Release {
 public:
  CirclesRelease(const Plan& plan, const Graph& graph, NoiseSource& source, const Progress& progress)
      : plan_(plan),
        graph_(graph),
        source_(source),
        noise_(design_of(plan)),
        numbers_(release_circles(noise_, graph, source, progress)) {}

  void renew(std::uint64_t answer) override {
    model_.reset();
    numbers_ = release_circles(noise_, graph_, *source_.answer(answer));
  }
  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t, const Progress&) override {
    return {seeds.size(), circles_columns(design_, numbers_)};
  }
  // That of the first block; the others depend on what was released: see centres().
  double scale(const SeedVector&, std::size_t column, Node) const override {
    return column == 0 ? design_.coarse : design_.fine;
  }
  std::optional<Centres> centres(const Columns& released, const SeedVector&) const override {
    CirclesCentres found = circles_centres(design_, graph_, circles_numbers_in(design_, released));
    return Centres{std::move(found.centre), std::move(found.scale)};
  }
  PrivateScores scores(const Columns& columns, const SeedVector& seed) const override {
    return scores_from(CirclesModel(design_, circles_numbers_in(design_, columns)), plan_, graph_, seed);
  }
  std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, std::uint64_t,
                                    const Progress& progress) override {
    if (!model_) model_.emplace(design_, numbers_);
    std::vector<PrivateScores> answers;
    for (const SeedVector& seed : seeds) {
      answers.push_back(scores_from(*model_, plan_, graph_, seed));
      if (progress)
        progress("ranking", static_cast<double>(answers.size()) / static_cast<double>(seeds.size()));
    }
    return answers;
  }

 private:
  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  CirclesNoise noise_;
  const CirclesDesign& design_ = noise_.design;
  CirclesNumbers numbers_;
  std::optional<CirclesModel> model_;
};

class Circles final : public Mechanism {
 public:
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source,
                                 const Progress& progress) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->start(plan, graph, source, progress);
    return std::make_unique<CirclesRelease>(plan, graph, source, progress);
  }

  std::vector<std::int64_t> artefact(const Plan& plan, const Graph& graph, NoiseSource& source,
                                     const Progress& progress) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->artefact(plan, graph, source, progress);
    const CirclesDesign design = design_of(plan);
    return circles_values(design, release_circles(CirclesNoise(design), graph, source, progress));
  }
  void check_artefact(const Plan& plan, std::span<const std::int64_t> values) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->check_artefact(plan, values);
    const CirclesDesign design = design_of(plan);
    replay_circles(design, circles_numbers(design, values));
  }
  std::vector<PrivateScores> answers(const Plan& plan, std::span<const std::int64_t> values,
                                     const Graph& graph, std::span<const SeedVector> seeds) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->answers(plan, values, graph, seeds);
    const CirclesDesign design = design_of(plan);
    const CirclesModel model(design, circles_numbers(design, values));
    std::vector<PrivateScores> found;
    for (const SeedVector& seed : seeds) found.push_back(scores_from(model, plan, graph, seed));
    return found;
  }
  std::unique_ptr<ArtefactAnswers> list(const Plan& plan, std::span<const std::int64_t> values,
                                        const Graph& graph, const Listing& listing) const override {
    if (!releases_rows(plan.parameters)) return without_rows_->list(plan, values, graph, listing);
    const CirclesDesign design = design_of(plan);
    return std::make_unique<CirclesAnswers>(plan, graph,
                                            CirclesModel(design, circles_numbers(design, values)), listing);
  }

 private:
  std::unique_ptr<Mechanism> without_rows_ = shared_mechanism();
};

}  // namespace

std::unique_ptr<Mechanism> circles_mechanism() { return std::make_unique<Circles>(); }

}  // namespace hushwalk
