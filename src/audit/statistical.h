// A lower bound on epsilon that holds with a stated confidence, from nothing but released numbers. Half of
// the trials choose the attack: where the two worlds are centred, which statistic, which threshold. The other
// half counts how often it succeeds, and Clopper-Pearson intervals turn the counts into a bound.
#pragma once

#include <functional>

#include "audit/exact_loss.h"
#include "audit/sampling.h"

namespace hushwalk::auditing {

// ln((p - delta) / q) with p below the probability of an event in one world and q above that in the other,
// each failing with probability at most `alpha`; 0 when that is negative.
double epsilon_bound(std::uint64_t hits, std::uint64_t other_hits, std::uint64_t trials, double delta,
                     double alpha);

// Guesses from released numbers which of the two worlds they come from: large means without the edge.
class WorldStatistic {
 public:
  // By the centres (medians) of both worlds in a pilot sample. Where noise comes last, the worlds are the
  // same up to `change`, which then makes better centres of both together.
  WorldStatistic(const Sample& without, const Sample& with, const Comparison& known);

  // 0: the log-likelihood ratio of one Laplace draw on each number; 1: of two.
  static constexpr int kinds = 2;
  double operator()(std::span<const std::int64_t> numbers, int kind) const;

  std::int64_t center_without(std::size_t place) const { return center_without_[place]; }

 private:
  std::vector<std::int64_t> center_without_, center_with_;
  std::vector<double> scale_;
};

struct Sampled {
  double epsilon_lower_bound = 0;
  std::vector<Place> quiet;  // where there is less noise than the scale and the draws of the plan say
};

// `trials` releases in each world; anything in the result is wrong with probability at most `alpha`.
Sampled sampled_attack(const Subject& subject, const AdjacentPair& pair, const Comparison& known,
                       std::uint64_t trials, double alpha, const std::function<void(double)>& done = {});

}  // namespace hushwalk::auditing
