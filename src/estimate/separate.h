// Scores from the separate numbers of `twohop`. Like all of estimate.h it comes after the noise and never
// sees the graph.
#pragma once

#include <functional>
#include <vector>

#include "accounting/edge_cost.h"
#include "estimate/estimate.h"
#include "estimate/link_rates.h"

namespace hushwalk {

// Noisy numbers in links, by Node, and the Laplace scales of their noise; a seed's entries mean nothing.
struct SeparateNumbers {
  std::vector<double> into_near;  // links into N
  std::vector<double> into_far;   // for v in N links into O, for v in O tapered links inside O
  accounting::SeparateScales scales;
};

// The errors are those of the links into N alone, without the shrinkage, which makes them smaller at the
// price of a bias: sqrt(2) scale times the factor with which such a link enters a score.
Estimate estimate_separate(const SeparateNumbers& noisy, const SeedVector& seed, const OwnLinks& own,
                           const Series& theta);

// Its parts, for whoever knows more. O in ascending order:
std::vector<Node> far_nodes(std::size_t nodes, const SeedVector& seed, const std::vector<Node>& near);
// Links in all of the nodes of O, from numbers with noise of this scale; `nodes` is how many there are.
std::vector<double> estimate_background(const std::vector<double>& noisy, double scale, std::size_t nodes);
// How to estimate the links into N of each node of O, given its popularity. Mechanisms differ in this alone.
using CountLinks = std::function<std::vector<double>(const NoisyCounts&, const std::vector<double>&)>;
struct Popularity {
  std::vector<Node> far;
  std::vector<double> of;  // each of them
};
Estimate estimate_from(const SeparateNumbers& noisy, const Popularity& popularity,
                       const CountLinks& count_links, const OwnLinks& own, const Series& theta);

}  // namespace hushwalk
