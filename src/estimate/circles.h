// Answers from the numbers of `circles`. A degree-corrected block model: nodes have classes, each seen softly
// in its rows; empirical Bayes says how many links a node has into each cluster. Everything comes after the
// noise. docs/decisions/0022-estimates-of-circles.md.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "estimate/circles_run.h"
#include "estimate/estimate.h"

namespace hushwalk {

// Immutable once made; threads may share one.
class CirclesModel {
 public:
  // Error{failed} when the numbers are not those of such a release.
  CirclesModel(const CirclesDesign& design, const CirclesNumbers& numbers);

  // Without `own` no neighbours are known (edge scope): the released rows of the seeds stand for them.
  std::vector<double> answer(const SeedVector& seed, const OwnLinks* own, const Series& theta) const;

 private:
  // The classes a node may belong to, the likeliest first, and how likely each is.
  static constexpr std::size_t kept_classes = 4;
  struct Classes {
    std::array<std::uint8_t, kept_classes> which{};
    std::array<float, kept_classes> weight{};
  };
  using Matrix = std::vector<double>;  // K x K

  friend class CirclesFit;

  const float* links(Node v) const { return links_.data() + std::size_t{v} * clusters_; }
  std::vector<double> classes_near(const std::vector<Node>& near) const;
  void add_flow(Node u, double share, const std::vector<double>& favour, Matrix& flow) const;
  std::vector<double> spread_flow(const Matrix& flow) const;

  std::size_t clusters_ = 0;    // 0: degrees are all that is known
  std::vector<double> degree_;  // noisy, or what they come to where there are rows
  double degree_scale_ = 0, degree_sum_ = 0;
  std::vector<float> links_;      // of a node into a cluster: node * K + cluster
  std::vector<Classes> classes_;  // by node
  Matrix between_;                // links between classes and clusters
  Matrix share_;                  // the same, each row summing to 1
  std::vector<double> class_share_, cluster_links_;
  double trust_ = 0;  // in the rows, from 0 to 1
};

}  // namespace hushwalk
