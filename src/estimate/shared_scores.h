// `shared`: scores from one noisy number for each node, for any number of seeds. What no seed changes is made
// once, so that a seed's best nodes cost as much as there are of them and of its neighbours.
// docs/decisions/0044-everybodys-answers.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diffusion/series.h"
#include "estimate/estimate.h"
#include "estimate/own_links.h"
#include "hushwalk/listing.h"
#include "hushwalk/ranking.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// B with noise of this Laplace scale, in links.
struct NoisyBackground {
  std::vector<double> values;
  double scale;
};

// theta_1 [v ~ s] / d_s + (sum of the further theta) value_v / sum of values, the seeds' own left out.
// Without `own` no neighbours are known (edge scope). Immutable; threads may share one.
class SharedScores {
 public:
  SharedScores(NoisyBackground noisy, const Series& theta);

  Estimate all(const SeedVector& seed, const OwnLinks* own) const;

  // What becomes of a node's value for this seed, and the noise that is left in it.
  double factor(const SeedVector& seed) const;
  // Of exact ranks; none in edge scope, or where noise hides popularity.
  std::optional<RankDoubt> doubt(const OwnLinks* own) const;
  double error(double factor) const;
  const std::vector<double>& values() const { return values_; }
  double first_step() const { return theta_.one; }

 private:
  std::vector<double> values_;     // shrunk, by node; none below 0
  double scale_, slope_ = 0;       // of the noise; how much of a released number its value keeps
  double sum_ = 0, sum_rest_ = 0;  // of the values, in twice the precision of a double: sum_ + sum_rest_
  Series theta_;
};

// The best nodes of any seed.
class SharedRanking {
 public:
  // Makes the order of all nodes.
  SharedRanking(SharedScores scores, Listing listing);

  // The same nodes and scores as top_k() of all(), in O(k + d) and a sort of these.
  std::vector<RankedNode> best(const SeedVector& seed, const OwnLinks* own) const;
  const SharedScores& scores() const { return scores_; }

 private:
  struct Place {
    double value;
    Node node;
  };
  std::vector<Ranked> best_of_all(const SeedVector& seed, const OwnLinks* own) const;
  void add_near(const OwnLinks& own, double factor, std::vector<Ranked>& found) const;
  void add_far(const SeedVector& seed, const OwnLinks* own, double factor, std::vector<Ranked>& found) const;

  SharedScores scores_;
  Listing listing_;
  std::vector<bool> listed_;   // by node; empty: all are
  std::vector<Place> places_;  // those that may be listed, the greatest value first, then by node
};

}  // namespace hushwalk
