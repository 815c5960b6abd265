#include "estimate/shared_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <utility>

#include "base/parallel.h"
#include "diffusion/best.h"
#include "estimate/rank_range.h"

namespace hushwalk {
namespace {

struct Moments {
  double mean = 0, variance = 0;
};
Moments moments(const std::vector<double>& values) {
  Moments found;
  const double count = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / count;
  for (const double value : values) found.variance += (value - found.mean) * (value - found.mean) / count;
  return found;
}

// Adds, keeping what a double drops (Neumaier 1974): a seed's value can be taken out of the sum again, and
// what is left is right even where it is a small part.
void add_exactly(double& sum, double& rest, double value) {
  const double next = sum + value;
  rest += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
  sum = next;
}

}  // namespace

// Linear empirical Bayes: the spread of B beyond that of its noise says how much of a difference to believe.
// Two floors keep the order of the noisy numbers where nothing can be believed: equal values would be ranked
// by their ids, which may follow the edges.
SharedScores::SharedScores(NoisyBackground noisy, const Series& theta)
    : values_(std::move(noisy.values)), scale_(noisy.scale), theta_(theta) {
  constexpr double least_slope = 0.05;  // in means per scale of noise
  const auto [raw_mean, variance] = moments(values_);
  const double b = scale_, count = static_cast<double>(values_.size());
  const double mean = std::max(raw_mean, b * std::sqrt(2 / count));
  // Pure noise has the variance 2 b^2, and a sample of it strays by sqrt(5 / n) of that.
  const double noise_variance = 2 * b * b * (1 + 2 * std::sqrt(5 / count));
  const double believed = variance > 0 ? 1 - noise_variance / variance : 0;
  slope_ = std::min(1.0, std::max(believed, least_slope * mean / b));
  for (double& value : values_) {
    value = std::max(0.0, mean + slope_ * (value - mean));
    add_exactly(sum_, sum_rest_, value);
  }
}

double SharedScores::factor(const SeedVector& seed) const {
  double sum = sum_, rest = sum_rest_;
  for (const auto& [node, weight] : seed.entries()) add_exactly(sum, rest, -values_[node]);
  sum += rest;
  return sum > 0 ? theta_.beyond_one() / sum : 0;
}

double SharedScores::error(double factor) const {
  return std::numbers::sqrt2 * slope_ * std::abs(factor) * scale_;
}

Estimate SharedScores::all(const SeedVector& seed, const OwnLinks* own) const {
  const double by = factor(seed);
  std::vector<double> scores = values_;
  for (const auto& [node, weight] : seed.entries()) scores[node] = 0;  // never listed
  for (double& score : scores) score *= by;
  if (own != nullptr) own->add_to(scores, theta_.one);
  return {std::move(scores), error(by), error(by), doubt(own)};
}

// The released number of a node is (value - mean) / slope + mean; values stand for it where they keep most
// of it.
std::optional<RankDoubt> SharedScores::doubt(const OwnLinks* own) const {
  constexpr double least_kept = 0.5;
  if (own == nullptr) return {};
  NearLinks links = near_links(*own, values_, std::numbers::sqrt2 * scale_);
  if (slope_ < least_kept) links.sum = 0;
  links.number_noise *= slope_;
  return rank_doubt(links, values_.size(), theta_);
}

SharedRanking::SharedRanking(SharedScores scores, Listing listing)
    : scores_(std::move(scores)),
      listing_(std::move(listing)),
      listed_(listing_.marks(scores_.values().size())) {
  const std::vector<double>& values = scores_.values();
  for (Node node = 0; node < values.size(); ++node)
    if (listed_.empty() || listed_[node]) places_.push_back({values[node], node});
  parallel_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return ranks_before({a.node, a.value}, {b.node, b.value});
  });
}

std::vector<Ranked> SharedRanking::best_of_all(const SeedVector& seed, const OwnLinks* own) const {
  std::vector<Node> excluded;
  for (const auto& [node, weight] : seed.entries()) excluded.push_back(node);
  if (listing_.exclude_neighbors && own != nullptr)
    excluded.insert(excluded.end(), own->near.begin(), own->near.end());
  return top_k(scores_.all(seed, own).scores, listing_.top, excluded, listing_.candidates);
}

void SharedRanking::add_near(const OwnLinks& own, double factor, std::vector<Ranked>& found) const {
  for (std::size_t i = 0; i < own.near.size(); ++i) {
    const Node node = own.near[i];
    if (!listed_.empty() && !listed_[node]) continue;
    found.push_back({node, scores_.values()[node] * factor + scores_.first_step() * own.share[i]});
  }
}

// Walks down the order until there are enough. Values that differ may give scores that do not, and then ids
// decide: what follows the last one is taken as long as its score is the same. Of one value those that come
// first have the smaller ids, so the rest of the last one's run of equal values is passed over.
void SharedRanking::add_far(const SeedVector& seed, const OwnLinks* own, double factor,
                            std::vector<Ranked>& found) const {
  const auto is_near = [&](Node node) {
    return own != nullptr && std::ranges::binary_search(own->near, node);
  };
  const auto take = [&](const Place& place) {
    if (seed.contains(place.node) || is_near(place.node)) return false;
    found.push_back({place.node, place.value * factor});
    return true;
  };
  auto place = places_.begin();
  for (std::uint64_t taken = 0; place != places_.end() && taken < listing_.top; ++place)
    taken += take(*place) ? 1 : 0;
  if (place == places_.begin() || place == places_.end()) return;
  const double last = std::prev(place)->value;
  place = std::ranges::upper_bound(place, places_.end(), last, std::greater<>(), &Place::value);
  for (; place != places_.end() && place->value * factor == last * factor; ++place) take(*place);
}

std::vector<RankedNode> SharedRanking::best(const SeedVector& seed, const OwnLinks* own) const {
  if (listing_.top == 0) return {};
  const double factor = scores_.factor(seed), error = scores_.error(factor);
  std::vector<Ranked> found;
  if (factor > 0) {
    if (own != nullptr && !listing_.exclude_neighbors) add_near(*own, factor, found);
    add_far(seed, own, factor, found);
    const auto count = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(listing_.top, found.size()));
    std::ranges::partial_sort(found, found.begin() + count, ranks_before);
    found.resize(static_cast<std::size_t>(count), Ranked{});
  } else {
    found = best_of_all(seed, own);  // the order is another one
  }
  std::vector<RankedNode> nodes;
  nodes.reserve(found.size());
  for (const Ranked& one : found) nodes.push_back({one.node, one.score, error});
  return nodes;
}

}  // namespace hushwalk
