#include "accounting/circles.h"

#include <algorithm>
#include <cmath>

#include "accounting/edge_cost.h"
#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {
namespace {

// The scales of a larger epsilon would fall below what the sampler draws, 2^-4, and counts of links are
// nearly exact at this one.
constexpr double largest_epsilon = 16;
constexpr double backward_share = 0.28;
// What one link in a coarse degree counts for: its noise is the sum of two draws, each cut off at 2^61, which
// is less than this away from noise that is not.
constexpr double coarse_link = 1 + 0x1p-50;

// As many as it would be if all nodes were linked.
std::uint32_t largest_clusters(double nodes, double epsilon) {
  return static_cast<std::uint32_t>(std::clamp(clusters_by_degree(epsilon, nodes, nodes), least_clusters,
                                               static_cast<double>(most_clusters)));
}

// One node at a time as long as a sweep takes a second or two.
std::uint64_t default_block(std::uint64_t nodes) { return std::max<std::uint64_t>(1, nodes >> 17); }

// The first fifth of the nodes, in whole blocks.
std::uint64_t core_of(std::uint64_t nodes, std::uint64_t block) {
  const std::uint64_t fifth = std::max<std::uint64_t>(2, nodes / 5);
  return std::min(nodes, (fifth + block - 1) / block * block);
}

// Rounding up may still leave a little too much.
template <class Cost>
void raise_until(double& scale, double epsilon, const Cost& cost) {
  while (cost() > epsilon) scale = next_up(scale);
}

}  // namespace

// (n m^2)^(3/8), m up to 40, by square roots, for each unit of epsilon; why so:
// docs/decisions/0022-estimates-of-circles.md.
double clusters_by_degree(double epsilon, double nodes, double mean_degree) {
  const double degree = std::min(mean_degree, 40.0);
  const double fourth = std::sqrt(std::sqrt(nodes * degree * degree));
  const double most = std::max(16.0, 64 * epsilon * epsilon);  // more are lost in the noise
  return epsilon * std::min(0.042 * (fourth * std::sqrt(fourth)), most);
}

std::uint32_t clusters_before_degrees(double epsilon) {
  return static_cast<std::uint32_t>(
      std::clamp(std::floor(16 * epsilon + 0.5), least_clusters, static_cast<double>(most_clusters)));
}

double CirclesCost::worst() const {
  return std::max({degrees, stopped_outside, stopped_between, stopped_inside, rows});
}

CirclesCost circles_cost_up(const CirclesDesign& d) {
  CirclesCost cost;
  cost.degrees = laplace_cost_up({{2, d.fine}});
  cost.stopped_outside = cost.degrees;
  cost.stopped_between = laplace_cost_up({{1, d.fine}, {coarse_link, d.coarse}, {1, d.leaving}});
  cost.stopped_inside = laplace_cost_up({{2 * coarse_link, d.coarse}, {1, d.forward}});
  cost.rows = laplace_cost_up({{2 * coarse_link, d.coarse}, {1, d.forward}, {1, d.backward}});
  return cost;
}

CirclesDesign circles_design(std::uint64_t nodes, Epsilon asked, std::uint32_t clusters,
                             std::uint64_t block) {
  if (nodes > most_circles_nodes)
    refuse("{} nodes are too many for circles; at most {}", nodes, most_circles_nodes);
  if (asked.value() < circles_from)
    refuse("at epsilon {} nothing is left for rows of links; circles has them from {} on", asked.value(),
           circles_from);
  CirclesDesign d{.nodes = nodes,
                  .epsilon = std::min(asked.value(), largest_epsilon),
                  .clusters = clusters,
                  .block = block,
                  .core = core_of(nodes, block)};
  d.fine = div_up(2, d.epsilon);
  const double of_degrees = 0.1 + 0.05 * d.epsilon, rest = d.epsilon - of_degrees;
  d.coarse = div_up(2, of_degrees);
  d.forward = div_up(1, (1 - backward_share) * rest);
  d.backward = div_up(1, backward_share * rest);
  d.leaving = div_up(2, rest);
  raise_until(d.backward, d.epsilon, [&] { return circles_cost_up(d).rows; });
  raise_until(d.leaving, d.epsilon, [&] { return circles_cost_up(d).stopped_between; });
  return d;
}

CirclesDesign circles_design(std::uint64_t nodes, Epsilon epsilon) {
  const double used = std::min(epsilon.value(), largest_epsilon);
  const std::uint32_t clusters = largest_clusters(static_cast<double>(nodes), used);
  CirclesDesign d = circles_design(nodes, epsilon, clusters, default_block(nodes));
  d.by_degrees = true;
  return d;
}

}  // namespace hushwalk::accounting
