#include "graph/generate/weights.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "graph/generate/permutation.h"

namespace hushwalk {
namespace {

constexpr double tail_exponent = 2.5;

// weight(rank) for every node, ranks dealt out at random so that ids say nothing about degrees.
template <class WeightOfRank>
std::vector<double> deal_out(std::uint64_t nodes, std::uint64_t seed, const WeightOfRank& weight) {
  const Permutation rank(nodes, CounterRandom(seed, Stream::labels));
  std::vector<double> weights(nodes);
  parallel_for(nodes, 1 << 14, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) weights[v] = weight(static_cast<double>(rank(v)));
  });
  return weights;
}

// The offset o at which the largest of the weights (rank + o)^-s is at most `share` of their sum.
double offset_for(double nodes, double s, double share) {
  const auto largest_share = [&](double o) {
    const double sum = (std::pow(nodes + o, 1 - s) - std::pow(o, 1 - s)) / (1 - s);
    return std::pow(o, -s) / sum;
  };
  double low = 1, high = nodes + 1;
  if (largest_share(low) <= share) return low;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (largest_share(middle) > share ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<double> power_law_weights(const GraphSize& size, std::uint64_t seed) {
  const double s = 1 / (tail_exponent - 1);
  const double ends = 2 * static_cast<double>(size.edges);
  const double offset = offset_for(static_cast<double>(size.nodes), s, 1 / std::sqrt(std::max(ends, 1.0)));
  return deal_out(size.nodes, seed, [=](double rank) { return std::pow(rank + offset, -s); });
}

std::vector<double> knotted_weights(std::uint64_t nodes, std::span<const WeightKnot> knots,
                                    std::uint64_t seed) {
  const auto weight = [&](double rank) {
    const double above = (rank + 0.5) / static_cast<double>(nodes);
    const auto right = std::ranges::find_if(knots, [&](const WeightKnot& k) { return k.above <= above; });
    if (right == knots.end()) return knots.back().weight;
    if (right == knots.begin()) return knots.front().weight;
    const WeightKnot &a = *(right - 1), &b = *right;
    const double t = std::log(above / a.above) / std::log(b.above / a.above);
    return a.weight * std::pow(b.weight / a.weight, t);
  };
  return deal_out(nodes, seed, weight);
}

}  // namespace hushwalk
