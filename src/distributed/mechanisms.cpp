// Mechanisms in the first process of a job: a release is started in all processes, and the numbers of a seed
// are counted and get their noise in all of them at once.
#include <utility>

#include "base/fail.h"
#include "diffusion/rows.h"
#include "distributed/team.h"
#include "plan/certificate.h"

namespace hushwalk {
namespace {

class TogetherRelease final : public Release {
 public:
  TogetherRelease(const Team& team, std::uint64_t number, const Mechanism& mechanism, const Plan& plan,
                  const Graph& graph, NoiseSource& noise, const Progress& progress)
      : team_(team), number_(number), one_artefact_(plan.one_artefact()) {
    team.run({{"do", "start"}, {"release", number}, {"plan", plan_document(plan)}}, [&] {
      noise_ = std::make_unique<SendingNoise>(team.job(), noise);
      inner_ = mechanism.start(plan, graph, *noise_, progress);
    });
  }
  ~TogetherRelease() override {
    team_.run({{"do", "end"}, {"release", number_}}, [] {});
  }

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Columns> found;
    in_all(seeds, first, [&] { found = inner_->numbers(seeds, first, progress); });
    return found;
  }
  void each_answer(std::span<const SeedVector> seeds, std::uint64_t first, const Progress& progress,
                   const Answer& visit) override {
    in_all(seeds, first, [&] { inner_->each_answer(seeds, first, progress, visit); });
  }
  std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, std::uint64_t first,
                                    const Progress& progress) override {
    std::vector<PrivateScores> found;
    in_all(seeds, first, [&] { found = inner_->answer(seeds, first, progress); });
    return found;
  }
  double scale(const SeedVector& seed, std::size_t column, Node node) const override {
    return inner_->scale(seed, column, node);
  }
  PrivateScores scores(const Columns& columns, const SeedVector& seed) const override {
    return inner_->scores(columns, seed);
  }
  void each_released(const Columns& columns, const Bytes& visit) const override {
    inner_->each_released(columns, visit);
  }

 private:
  // One artefact serves all answers: it was released when it was started, and all processes have had their
  // part in it.
  void in_all(std::span<const SeedVector> seeds, std::uint64_t first,
              const std::function<void()>& work) const {
    if (one_artefact_) return work();
    team_.run({{"do", "numbers"}, {"release", number_}, {"seeds", seeds_json(seeds)}, {"first", first}},
              work);
  }

  const Team& team_;
  std::uint64_t number_;
  bool one_artefact_;
  std::unique_ptr<SendingNoise> noise_;
  std::unique_ptr<Release> inner_;
};

class Together final : public Mechanism {
 public:
  Together(const Team& team, std::unique_ptr<Mechanism> inner) : team_(team), inner_(std::move(inner)) {}

  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress& progress) const override {
    if (!spread_rows(graph)) return inner_->start(plan, graph, noise, progress);
    return std::make_unique<TogetherRelease>(team_, started_++, *inner_, plan, graph, noise, progress);
  }
  std::vector<std::int64_t> artefact(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                     const Progress& progress) const override {
    if (!spread_rows(graph)) return inner_->artefact(plan, graph, noise, progress);
    std::vector<std::int64_t> values;
    team_.run({{"do", "artefact"}, {"plan", plan_document(plan)}}, [&] {
      SendingNoise sending(team_.job(), noise);
      values = inner_->artefact(plan, graph, sending, progress);
    });
    return values;
  }
  void check_artefact(const Plan& plan, std::span<const std::int64_t> values) const override {
    inner_->check_artefact(plan, values);
  }
  std::vector<PrivateScores> answers(const Plan& plan, std::span<const std::int64_t> values,
                                     const Graph& graph, std::span<const SeedVector> seeds) const override {
    return inner_->answers(plan, values, graph, seeds);
  }
  std::unique_ptr<ArtefactAnswers> list(const Plan& plan, std::span<const std::int64_t> values,
                                        const Graph& graph, const Listing& listing) const override {
    return inner_->list(plan, values, graph, listing);
  }

 private:
  const Team& team_;
  std::unique_ptr<Mechanism> inner_;
  static inline std::uint64_t started_ = 0;
};

class Alone final : public Mechanism {
 public:
  Alone(std::string name, std::unique_ptr<Mechanism> inner)
      : name_(std::move(name)), inner_(std::move(inner)) {}
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress& progress) const override {
    if (spread_rows(graph))
      fail_usage("{} needs all rows of a graph in one place; choose another `mechanism`, or use one machine",
                 name_);
    return inner_->start(plan, graph, noise, progress);
  }

 private:
  std::string name_;
  std::unique_ptr<Mechanism> inner_;
};

}  // namespace

std::unique_ptr<Mechanism> together(const Team& team, std::unique_ptr<Mechanism> inner) {
  return std::make_unique<Together>(team, std::move(inner));
}

std::unique_ptr<Mechanism> alone(std::string name, std::unique_ptr<Mechanism> inner) {
  return std::make_unique<Alone>(std::move(name), std::move(inner));
}

}  // namespace hushwalk
