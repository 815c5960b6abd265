// Releases that answer one seed after the other and use what its owner knows, which is looked up once.
#pragma once

#include <utility>

#include "base/phase.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"

namespace hushwalk {

class SeedBySeed : public Release {
 public:
  SeedBySeed(const Graph& graph, NoiseSource& source) : graph_(graph), source_(source) {}

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Columns> answers;
    each(seeds, first, progress, [&](const SeedVector& seed, const OwnLinks& own, NoiseSource& noise) {
      answers.push_back(counted(seed, own, noise));
    });
    return answers;
  }

  PrivateScores scores(const Columns& columns, const SeedVector& seed) const override {
    return estimated(columns, seed, own_links(graph_, seed));
  }

  void each_answer(std::span<const SeedVector> seeds, std::uint64_t first, const Progress& progress,
                   const Answer& visit) override {
    each(seeds, first, progress, [&](const SeedVector& seed, OwnLinks own, NoiseSource& noise) {
      const Columns columns = counted(seed, own, noise);
      visit(columns, estimated(columns, seed, std::move(own)));
    });
  }

 protected:
  // The numbers of one seed, with noise from the source of its answer.
  virtual Columns noisy(const SeedVector& seed, const OwnLinks& own, NoiseSource& noise) const = 0;
  // After the noise.
  virtual PrivateScores estimate(const Columns& columns, const SeedVector& seed, OwnLinks own) const = 0;

  const Graph& graph_;

 private:
  Columns counted(const SeedVector& seed, const OwnLinks& own, NoiseSource& noise) const {
    const Phase phase("counting links");
    return noisy(seed, own, noise);
  }
  PrivateScores estimated(const Columns& columns, const SeedVector& seed, OwnLinks own) const {
    const Phase phase("estimating scores");
    return estimate(columns, seed, std::move(own));
  }

  template <class Visit>
  void each(std::span<const SeedVector> seeds, std::uint64_t first, const Progress& progress,
            const Visit& visit) {
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      visit(seeds[i], own_links(graph_, seeds[i]), *source_.answer(first + i));
      if (progress) progress("ranking", static_cast<double>(i + 1) / static_cast<double>(seeds.size()));
    }
  }

  NoiseSource& source_;
};

}  // namespace hushwalk
