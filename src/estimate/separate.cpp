// The released numbers are shrunk one kind after the other, each with what the ones before have taught:
// popularity of O, links of N into O, links of O into N, links inside N. Scores are then a mixture of two
// walks: to nodes with many links into N, and to nodes with many links at all.
#include "estimate/separate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "estimate/lanes.h"
#include "estimate/laplace_mixture.h"
#include "estimate/link_rates.h"
#include "estimate/rank_range.h"
#include "estimate/widening_cells.h"

namespace hushwalk {
namespace {

constexpr double grid_ratio = 1.2;   // degrees are told apart by a fifth
constexpr double local_part = 0.75;  // of the score beyond the first step: what the links into N say

std::vector<double> powers_up_to(int last) {
  std::vector<double> powers;
  for (int i = 0; i <= last; ++i) powers.push_back(std::pow(grid_ratio, i));
  return powers;
}

std::vector<double> pick(const std::vector<double>& values, const std::vector<Node>& nodes) {
  std::vector<double> picked;
  picked.reserve(nodes.size());
  for (const Node node : nodes) picked.push_back(values[node]);
  return picked;
}

// Background values that noise of this scale can tell apart: evenly spaced where it is small.
std::vector<double> background_grid(double scale, double top) {
  constexpr double coarse_from = 2;  // links
  constexpr int even_points = 49;    // half a scale apart
  std::vector<double> grid{0};
  if (scale < coarse_from)
    for (int i = 1; i < even_points; ++i) grid.push_back(i * (scale / 2));
  const double last_even = scale < coarse_from ? scale * (even_points - 1) / 2 : 0;
  for (const double power : powers_up_to(static_cast<int>(std::ceil(std::log(top) / std::log(grid_ratio)))))
    if (power > last_even) grid.push_back(power);
  return grid;
}

// How much popularity there is at each power of the ratio. Nodes of about the same popularity are rounded
// together.
std::vector<double> popularity_at_powers(const std::vector<double>& popularity, std::size_t powers) {
  constexpr double per_link = 16;
  using Cells = WideningCells<4>;
  struct Together {
    double sum = 0, nodes = 0;
  };
  std::vector<Together> cells;
  for (const double value : popularity) {
    const std::size_t cell = Cells::place(std::max(value, 0.0) * per_link).cell;
    if (cell >= cells.size()) cells.resize(cell + 1);
    cells[cell].sum += value;
    ++cells[cell].nodes;
  }
  std::vector<double> found(powers);
  for (const auto& [sum, nodes] : cells) {
    if (nodes == 0) continue;
    const double power = std::rint(std::log(std::max(sum / nodes, 1.0)) / std::log(grid_ratio));
    found[static_cast<std::size_t>(std::min(power, static_cast<double>(powers - 1)))] += sum;
  }
  return found;
}

// One meets a neighbour in proportion to its degree, so the degrees of N are spread like those of O, each
// counted as often as it is large.
Prior size_biased_prior(const std::vector<double>& popularity, std::size_t nodes) {
  constexpr double uniform_part = 0.05;
  const std::vector<double> grid =
      powers_up_to(static_cast<int>(std::log(static_cast<double>(nodes)) / std::log(grid_ratio)));
  const std::size_t size = grid.size();
  const std::vector<double> histogram = popularity_at_powers(popularity, size);
  std::vector<double> mass(size);
  for (std::size_t i = 0; i < size; ++i)
    mass[i] = 0.25 * (i > 0 ? histogram[i - 1] : 0) + 0.5 * histogram[i] +
              0.25 * (i + 1 < size ? histogram[i + 1] : 0);
  const double sum = std::max(sum_of(mass), 1e-9);
  for (double& value : mass)
    value = (1 - uniform_part) * value / sum + uniform_part / static_cast<double>(size);
  const double all = sum_of(mass);
  for (double& value : mass) value /= all;
  return {grid, mass};
}

std::vector<double> estimate_near_degrees(const std::vector<double>& noisy, double scale,
                                          const std::vector<double>& popularity, std::size_t nodes) {
  constexpr int rounds = 2;                                               // N is small and the prior good
  if (popularity.empty()) return std::vector<double>(noisy.size(), 1.0);  // no O: all alike
  Prior prior = size_biased_prior(popularity, nodes);
  fit_prior(prior, noisy, scale, rounds);
  return posterior_means(prior, noisy, scale);
}

// The links between N and O were counted from both sides: the mean of both sums, by their variances, not
// below half of what the estimated degrees say, nor below half a link for each node of N.
struct TwoSums {
  double near, near_variance, far, far_variance;
};
double links_between(const TwoSums& sums, double near_degrees, std::size_t near) {
  const double mean = (sums.near / sums.near_variance + sums.far / sums.far_variance) /
                      (1 / sums.near_variance + 1 / sums.far_variance);
  return std::max({mean, near_degrees / 2, static_cast<double>(near) / 2});
}

// Linear shrinkage towards a multiple of the degrees: the spread around it beyond that of the noise says how
// much of a difference to believe.
std::vector<double> estimate_inside(const std::vector<double>& noisy, double scale,
                                    const std::vector<double>& degrees, double least_per_degree) {
  const double per_degree = std::max(sum_of(noisy) / sum_of(degrees), least_per_degree);
  const auto count = static_cast<double>(noisy.size());
  double variance = 0;
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    const double residual = noisy[i] - per_degree * degrees[i];
    variance += residual * residual / count;
  }
  const double slope = variance > 0 ? std::max(0.0, 1 - 2 * scale * scale / variance) : 0;
  std::vector<double> links(noisy.size());
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    const double expected = per_degree * degrees[i];
    links[i] = std::clamp(expected + slope * (noisy[i] - expected), 0.0, count - 1);
  }
  return links;
}

// For ranges of ranks.
NearLinks links_of_near(const std::vector<double>& into_near, const std::vector<double>& into_far,
                        const accounting::SeparateScales& scales) {
  const double root = std::sqrt(static_cast<double>(into_near.size()));
  const double of_one = std::numbers::sqrt2 * std::hypot(scales.in_links_in, scales.in_links_out);
  std::vector<double> links(into_near.size());
  std::ranges::transform(into_near, into_far, links.begin(), std::plus());
  return {.near = links.size(),
          .sum = sum_of(links),
          .noise = of_one / root,
          .spread = spread_of(links),
          .number_noise = of_one,
          .among = sum_of(into_near),
          .among_noise = std::numbers::sqrt2 * scales.in_links_in * root};
}

// One part of the nodes, N or O, with what was estimated of each: links into N, and all links.
struct Part {
  const std::vector<Node>& nodes;
  std::vector<double> local, links;
};

}  // namespace

std::vector<Node> far_nodes(std::size_t nodes, const SeedVector& seed, const std::vector<Node>& near) {
  std::vector<char> is_far(nodes, 1);
  for (const auto& [node, weight] : seed.entries()) is_far[node] = 0;
  for (const Node node : near) is_far[node] = 0;
  std::vector<Node> far(nodes);
  std::size_t found = 0;
  for (Node node = 0; node < nodes; ++node) {
    far[found] = node;
    found += static_cast<std::size_t>(is_far[node]);
  }
  far.resize(found);
  return far;
}

std::vector<double> estimate_background(const std::vector<double>& noisy, double scale, std::size_t nodes) {
  constexpr int rounds = 30;
  if (noisy.empty()) return {};
  const double top = std::max(2.0, std::min(static_cast<double>(nodes), std::ranges::max(noisy)));
  Prior prior{background_grid(scale, top), {}};
  prior.mass.assign(prior.grid.size(), 1 / static_cast<double>(prior.grid.size()));
  fit_prior(prior, noisy, scale, rounds);
  return posterior_means(prior, noisy, scale);
}

Estimate estimate_separate(const SeparateNumbers& noisy, const SeedVector& seed, const OwnLinks& own,
                           const Series& theta) {
  const std::size_t nodes = noisy.into_near.size();
  Popularity popularity{far_nodes(nodes, seed, own.near), {}};
  popularity.of =
      estimate_background(pick(noisy.into_far, popularity.far), noisy.scales.out_background, nodes);
  return estimate_from(
      noisy, popularity,
      [](const NoisyCounts& counts, const std::vector<double>& of) { return posterior_counts(counts, of); },
      own, theta);
}

Estimate estimate_from(const SeparateNumbers& noisy, const Popularity& known, const CountLinks& count_links,
                       const OwnLinks& own, const Series& theta) {
  const accounting::SeparateScales& scales = noisy.scales;
  const std::size_t nodes = noisy.into_near.size();
  const std::vector<Node>&near = own.near, &far = known.far;
  const std::vector<double>& popularity = known.of;
  const double all_popularity = sum_of(popularity);
  Estimate estimate{.scores = std::vector<double>(nodes)};

  if (near.empty()) {  // nothing but the popularity can be told
    const double factor = theta.beyond_one() / std::max(all_popularity, 1.0);
    for (std::size_t i = 0; i < far.size(); ++i) estimate.scores[far[i]] = factor * popularity[i];
    estimate.far_error = std::numbers::sqrt2 * scales.out_background * std::abs(factor);
    return estimate;
  }

  const std::vector<double> near_into_far = pick(noisy.into_far, near),
                            near_into_near = pick(noisy.into_near, near),
                            far_into_near = pick(noisy.into_near, far);
  const std::vector<double> near_degrees =
      estimate_near_degrees(near_into_far, scales.in_links_out, popularity, nodes);
  double total = static_cast<double>(near.size()) / 2;
  Part outside{far, {}, popularity}, inside{near, {}, near_degrees};
  if (!far.empty()) {
    const auto variance = [](double scale, std::size_t count) {
      return scale * scale * static_cast<double>(count);
    };
    total = links_between({sum_of(near_into_far), variance(scales.in_links_out, near.size()),
                           sum_of(far_into_near), variance(scales.out_links_in, far.size())},
                          sum_of(near_degrees), near.size());
    outside.local =
        count_links({far_into_near, scales.out_links_in, static_cast<int>(near.size()), total}, popularity);
  }
  inside.local = estimate_inside(near_into_near, scales.in_links_in, near_degrees,
                                 total / std::max(all_popularity, 1.0));

  const double all_local = sum_of(outside.local) + sum_of(inside.local);
  const double all_links = all_local + all_popularity + sum_of(inside.links);
  const double per_local = theta.beyond_one() * local_part / std::max(all_local, 1.0);
  const double per_link = theta.beyond_one() * (1 - local_part) / std::max(all_links, 1.0);
  for (const Part* part : {&outside, &inside})
    for (std::size_t i = 0; i < part->nodes.size(); ++i)
      estimate.scores[part->nodes[i]] =
          per_local * part->local[i] + per_link * (part->links[i] + part->local[i]);
  for (std::size_t i = 0; i < near.size(); ++i) estimate.scores[near[i]] += theta.one * own.share[i];
  estimate.doubt = rank_doubt(links_of_near(near_into_near, near_into_far, scales), nodes, theta,
                              std::numbers::sqrt2 * scales.out_links_in);
  estimate.near_error = std::numbers::sqrt2 * scales.in_links_in * std::abs(per_local);
  estimate.far_error = std::numbers::sqrt2 * scales.out_links_in * std::abs(per_local);
  return estimate;
}

}  // namespace hushwalk
