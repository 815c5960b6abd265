// How close an answer comes to the exact scores. Pure functions; hushwalk/evaluation.h says what each number
// means.
//
// Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002 (NDCG);
// W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped data", JASA 1966.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hushwalk/graph.h"
#include "hushwalk/ranking.h"

namespace hushwalk {

inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// Of one seed. NaN where there is nothing to measure: all relevance is 0, no node is left, all scores tie.
struct Metrics {
  double ndcg = undefined, recall = undefined, new_ndcg = undefined, new_recall = undefined, l1 = undefined,
         kendall = undefined;
  double rank_coverage = undefined, rank_width = undefined, rank_share = undefined;
};

// What the metrics of a seed need, whatever the answer.
class ExactAnswer {
 public:
  // `scores` by Node; `neighbors` of the seed.
  ExactAnswer(std::vector<double> scores, Node seed, const std::vector<Node>& neighbors, std::uint64_t top);

  Metrics compare(std::span<const double> answer) const;
  // How well ranges of exact ranks in a list of this answer hold.
  void measure_ranges(std::span<const RankedNode> list, Metrics& metrics) const;
  const std::vector<double>& scores() const noexcept { return scores_; }
  std::uint64_t top() const noexcept { return top_; }

 private:
  // The best nodes among those that are not left out, and what their order is worth.
  struct Best {
    std::vector<Node> left_out;
    std::vector<Node> nodes;
    double gain = 0;
  };
  Best find_best(std::vector<Node> left_out) const;
  double discounted_gain(std::span<const Node> order) const;
  double ndcg(const Best& best, std::span<const Node> order) const;
  std::uint64_t rank_of(Node node) const;

  std::vector<double> scores_;
  Node seed_;
  std::uint64_t top_;
  Best all_, new_;
};

// The share of `truth` that is in `answer`, both without repeats.
double overlap(std::span<const Node> truth, std::span<const Node> answer);

// Kendall's tau-b: (concordant - discordant) / sqrt(pairs not tied in x * pairs not tied in y), in
// O(n log n). NaN when either side ties everywhere.
double kendall_tau_b(std::span<const double> x, std::span<const double> y);

}  // namespace hushwalk
