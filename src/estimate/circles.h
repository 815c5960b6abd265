// Answers from the numbers of `circles`. A degree-corrected block model: nodes have classes, each seen softly
// in its rows; empirical Bayes says how many links a node has into each cluster. Everything comes after the
// noise. docs/decisions/0022-estimates-of-circles.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "estimate/circles_run.h"
#include "estimate/shared_scores.h"

namespace hushwalk {

// Immutable once made; threads may share one.
class CirclesModel {
 public:
  // Error{failed} when the numbers are not those of such a release.
  CirclesModel(const CirclesDesign& design, const CirclesNumbers& numbers);

  // Without `own` no neighbours are known (edge scope): the released rows of the seeds stand for them.
  std::vector<double> answer(const SeedVector& seed, const OwnLinks* own, const Series& theta) const;
  // Of the exact ranks of the seed's owner.
  std::optional<RankDoubt> doubt(const OwnLinks& own, const Series& theta) const;

 private:
  friend class CirclesRanking;

  // The classes a node may belong to, the likeliest first, and how likely each is.
  static constexpr std::size_t kept_classes = 4;
  struct Classes {
    std::array<std::uint8_t, kept_classes> which{};
    std::array<float, kept_classes> weight{};
  };
  using Matrix = std::vector<double>;  // K x K

  friend class CirclesFit;

  // An answer, before it is looked up for a node v of classes a with weights w_a: the score of v is
  //   sum over clusters c of links_v[c] (further[c] + sum over a of w_a flow[a][c]) + popular degree_v.
  struct Terms {
    Matrix flow;
    std::vector<double> further;
    double popular;
  };
  Terms terms(const SeedVector& seed, const OwnLinks* own, const Series& theta) const;
  double score(Node v, const Terms& terms) const;

  const float* links(Node v) const { return links_.data() + std::size_t{v} * clusters_; }
  std::vector<double> classes_near(const std::vector<Node>& near) const;
  void add_flow(Node u, double share, const std::vector<double>& favour, Matrix& flow) const;
  double reached(Node v, const Matrix& flow) const;
  struct Spread {
    double all;                // what reaches all nodes
    std::vector<double> mass;  // and those of each class
  };
  Spread spread(const Matrix& flow, const SeedVector& seed) const;
  void sum_links();

  std::size_t clusters_ = 0;    // 0: degrees are all that is known
  std::vector<double> degree_;  // noisy, or what they come to where there are rows
  double degree_scale_ = 0, degree_sum_ = 0;
  double degree_doubt_ = 0;       // the noise in degrees; infinite where it hides what most of them are
  std::vector<float> links_;      // of a node into a cluster: node * K + cluster
  std::vector<Classes> classes_;  // by node
  Matrix between_;                // links between classes and clusters
  Matrix share_;                  // the same, each row summing to 1
  std::vector<double> class_share_, cluster_links_;
  double trust_ = 0;  // in the rows, from 0 to 1
  // Sums over all nodes v, so that no answer makes them: w_a links_v[c], at a * K + c, and w_b w_a
  // links_v[c], at (b * K + a) * K + c.
  std::vector<double> class_links_, pair_links_;
};

// The best nodes of any seed: as top_k() of the scores, most of which are never computed. Immutable.
class CirclesRanking {
 public:
  CirclesRanking(CirclesModel model, const Series& theta, Listing listing);
  std::vector<RankedNode> best(const SeedVector& seed, const OwnLinks* own) const;
  std::optional<RankDoubt> doubt(const OwnLinks& own) const { return model_.doubt(own, theta_); }

 private:
  struct Place {
    double links;   // of the node, into all clusters
    double degree;  // the greatest from here on
    Node node;
  };
  std::vector<Ranked> best_of_all(const SeedVector& seed, const OwnLinks* own) const;

  CirclesModel model_;
  Series theta_;
  Listing listing_;
  std::vector<bool> listed_;              // by node; empty: all are
  std::vector<Place> places_;             // those that may be listed, most links first
  std::optional<SharedRanking> degrees_;  // where degrees are all that is known
};

}  // namespace hushwalk
