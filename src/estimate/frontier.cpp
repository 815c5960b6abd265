// A second look tells how many links a node has into a set A of nodes that look near. What is beyond its
// popularity there is evidence for links into N: a curve from one to the other is fitted, without assuming
// more than that it rises, and gives the rates at which links into N are expected.
#include "estimate/frontier.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "estimate/lanes.h"

namespace hushwalk {
namespace {

// Links into N: what popularity explains, and what the second look explains.
struct Explained {
  double per_popularity = 0;
  std::vector<double> beyond;  // by place in O
  double part = 0;             // of all links into N that is the latter
  double evidence = 0;         // how much closer to the numbers than popularity alone, in variances of noise
};

// Means of values in the order of `order`, largest first, which fall along it: pooled where they would rise.
// The first piece has 16 values, each further one a little more.
std::vector<double> falling_means(const std::vector<double>& values, const std::vector<std::size_t>& order) {
  constexpr double first_piece = 16, growth = 1.15;
  struct Piece {
    double mean;
    std::size_t count;
  };
  std::vector<Piece> pieces;
  double size = first_piece;
  for (std::size_t begin = 0; begin < order.size(); size = std::floor(size * growth)) {
    const auto usual = static_cast<std::size_t>(size);
    const std::size_t left = order.size() - begin, count = left >= 2 * usual ? usual : left;
    double sum = 0;
    for (std::size_t i = begin; i < begin + count; ++i) sum += values[order[i]];
    pieces.push_back({sum / static_cast<double>(count), count});
    while (pieces.size() > 1 && pieces[pieces.size() - 2].mean < pieces.back().mean) {
      const Piece last = pieces.back();
      pieces.pop_back();
      Piece& pool = pieces.back();
      const auto a = static_cast<double>(pool.count), b = static_cast<double>(last.count);
      pool = {(pool.mean * a + last.mean * b) / (a + b), pool.count + last.count};
    }
    begin += count;
  }
  std::vector<double> means(values.size());
  std::size_t place = 0;
  for (const Piece& piece : pieces)
    for (std::size_t i = 0; i < piece.count; ++i) means[order[place++]] = piece.mean;
  return means;
}

// From the node with the most links into A beyond its popularity, in units of their spread, to the least.
std::vector<std::size_t> order_by_excess(const std::vector<double>& into_set, double scale, double by_chance,
                                         const std::vector<double>& popularity) {
  std::vector<double> excess(into_set.size());
  for (std::size_t i = 0; i < excess.size(); ++i) {
    const double expected = by_chance * popularity[i];
    excess[i] = (into_set[i] - expected) / std::sqrt(2 * scale * scale + expected);
  }
  std::vector<std::size_t> order(excess.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return excess[i]; });
  return order;
}

double squares_left(const std::vector<double>& values, const std::vector<double>& popularity,
                    const Explained& by) {
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double left = values[i] - by.per_popularity * popularity[i] - by.beyond[i];
    squares += left * left;
  }
  return squares;
}

// After the best fit by least squares.
double squares_left_by_popularity(const std::vector<double>& values, const std::vector<double>& popularity) {
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const double factor = product(values, popularity) / std::max(product(popularity, popularity), 1e-9);
  return squares_left(
      values, popularity,
      {.per_popularity = std::max(factor, 0.0), .beyond = std::vector<double>(values.size())});
}

// Both parts in turn, each fitted to what the other leaves.
Explained explain(const NoisyCounts& counts, const std::vector<double>& popularity,
                  const std::vector<std::size_t>& order) {
  constexpr int rounds = 4;
  Explained found{.per_popularity = counts.total / std::max(sum_of(popularity), 1.0), .beyond = {}};
  std::vector<double> left(popularity.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < left.size(); ++i)
      left[i] = counts.values[i] - found.per_popularity * popularity[i];
    found.beyond = falling_means(left, order);
    for (double& links : found.beyond) links = std::max(links, 0.0);
    double squares = 1e-9, products = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double rate = std::max(0.0, found.per_popularity * popularity[i] + found.beyond[i]);
      const double weight = popularity[i] / (2 * counts.scale * counts.scale + rate);
      squares += weight * popularity[i];
      products += weight * (counts.values[i] - found.beyond[i]);
    }
    found.per_popularity = std::max(1e-9, products / squares);
  }
  found.evidence = (squares_left_by_popularity(counts.values, popularity) -
                    squares_left(counts.values, popularity, found)) /
                   (2 * counts.scale * counts.scale);
  const double beyond = sum_of(found.beyond);
  found.part = beyond / std::max(beyond + found.per_popularity * sum_of(popularity), 1e-9);
  return found;
}

// Where popularity explains most links into N, or noise could as well explain the rest, nothing better is
// known than it. Else rates are given in units of popularity, for which posterior_counts has its bounds.
std::vector<double> count_links(const NoisyCounts& counts, const std::vector<double>& popularity,
                                const std::vector<std::size_t>& order) {
  constexpr double least_part = 0.5;
  constexpr double least_evidence = 5;
  constexpr double least_rate = 0.02;    // of the mean
  constexpr double further_steps = 0.3;  // a walk goes on to where the second look found links
  const Explained found = explain(counts, popularity, order);
  if (found.part < least_part || found.evidence < least_evidence) return posterior_counts(counts, popularity);
  const double floor = least_rate * counts.total / static_cast<double>(popularity.size());
  std::vector<double> rate(popularity.size());
  for (std::size_t i = 0; i < rate.size(); ++i)
    rate[i] = std::max(floor, found.per_popularity * popularity[i] + found.beyond[i]);
  const double popularity_per_link = sum_of(popularity) / sum_of(rate);
  for (double& links : rate) links *= popularity_per_link;
  std::vector<double> links = posterior_counts(counts, rate);
  for (std::size_t i = 0; i < links.size(); ++i) links[i] += further_steps * found.beyond[i];
  return links;
}

// Links in all of the nodes of O that are in A, or of those that are not, put in their places.
void estimate_part(const FrontierNumbers& noisy, bool in_set, const std::vector<Node>& far,
                   std::vector<double>& popularity) {
  const auto& scales = noisy.scales;
  const double scale = in_set ? std::hypot(scales.out_of, scales.among)
                              : std::hypot(noisy.separate.scales.out_background, scales.into);
  std::vector<std::size_t> places;
  std::vector<double> links;
  for (std::size_t i = 0; i < far.size(); ++i)
    if ((noisy.in_set[far[i]] != 0) == in_set) {
      places.push_back(i);
      links.push_back(noisy.separate.into_far[far[i]] + noisy.into_set[far[i]]);
    }
  const std::vector<double> found = estimate_background(links, scale, noisy.in_set.size());
  for (std::size_t i = 0; i < places.size(); ++i) popularity[places[i]] = found[i];
}

}  // namespace

Estimate estimate_frontier(const FrontierNumbers& noisy, const SeedVector& seed, const OwnLinks& own,
                           const Series& theta) {
  if (std::ranges::count(noisy.in_set, 1) == 0) return estimate_separate(noisy.separate, seed, own, theta);
  Popularity popularity{far_nodes(noisy.in_set.size(), seed, own.near), {}};
  const std::vector<Node>& far = popularity.far;
  popularity.of.resize(far.size());
  for (const bool in_set : {false, true}) estimate_part(noisy, in_set, far, popularity.of);
  std::vector<double> into_set(far.size());
  double of_set = 0;
  for (std::size_t i = 0; i < far.size(); ++i) {
    into_set[i] = noisy.into_set[far[i]];
    if (noisy.in_set[far[i]]) of_set += popularity.of[i];
  }
  const double by_chance = of_set / std::max(sum_of(popularity.of), 1e-9);
  const std::vector<std::size_t> order =
      order_by_excess(into_set, noisy.scales.among, by_chance, popularity.of);
  return estimate_from(
      noisy.separate, popularity,
      [&](const NoisyCounts& counts, const std::vector<double>& of) {
        return count_links(counts, of, order);
      },
      own, theta);
}

}  // namespace hushwalk
