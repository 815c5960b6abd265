#include "estimate/circles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/phase.h"
#include "diffusion/best.h"
#include "estimate/circles_fit.h"
#include "estimate/rank_range.h"

namespace hushwalk {
namespace {

constexpr double worth_counting = 0.01;  // of the weight of a class

// In eight sums side by side, for the vectors of the machine.
template <class T>
double dot(const T* a, const double* b, std::size_t count) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size())
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += double{a[i + j]} * b[i + j];
  for (; i < count; ++i) sums[0] += double{a[i]} * b[i];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

std::vector<double> as_doubles(const std::vector<std::int32_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// Where the sweep stopped, nodes of the core have coarse degrees and the links that leave the core. A line
// through the one against the other says what the whole is; both are then weighed by their variances.
void complete_core(const CirclesDesign& design, const CirclesNumbers& numbers, const std::vector<Node>& core,
                   std::vector<double>& degree) {
  const auto count = static_cast<double>(core.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (const Node v : core) mean_x += numbers.leaving[v] / count, mean_y += numbers.coarse[v] / count;
  for (const Node v : core) {
    const double x = numbers.leaving[v] - mean_x, y = numbers.coarse[v] - mean_y;
    xx += x * x, xy += x * y, yy += y * y;
  }
  const double of_coarse = noise_variance(design.coarse), of_leaving = noise_variance(design.leaving);
  const double slope = std::max(1.0, xy / std::max(xx, 1e-9));
  const double residual = std::max(
      {0.0, slope * slope * of_leaving, (yy - 2 * slope * xy + slope * slope * xx) / count - of_coarse});
  const double variance = 1 / (1 / std::max(residual, 1e-9) + 1 / of_coarse);
  double mean = 0, spread = 0;
  for (const Node v : core) {
    const double line = mean_y + slope * (numbers.leaving[v] - mean_x);
    degree[v] = (line / std::max(residual, 1e-9) + numbers.coarse[v] / of_coarse) * variance;
    mean += degree[v] / count;
  }
  for (const Node v : core) spread += (degree[v] - mean) * (degree[v] - mean) / count;
  const double believed = std::max(0.0, 1 - variance / std::max(spread, 1e-9));
  for (const Node v : core) degree[v] = mean + believed * (degree[v] - mean);
}

}  // namespace

CirclesModel::CirclesModel(const CirclesDesign& design, const CirclesNumbers& numbers)
    : degree_(as_doubles(numbers.fine)), degree_scale_(design.fine) {
  const Phase phase("estimating from an artefact");
  const CirclesSweeps sweeps = replay_circles(design, numbers);
  if (numbers.branch == CirclesBranch::rows) {
    CirclesFit(design, numbers, sweeps, *this).run();
    sum_links();
  }
  if (numbers.branch == CirclesBranch::stopped) {
    const auto first = sweeps.order.nodes.begin();
    complete_core(design, numbers, {first, first + static_cast<std::ptrdiff_t>(design.core)}, degree_);
  }
  // No node has a noise of its own here: ranges by popularity must hold for the mean node, or not at all.
  const double mean =
      std::accumulate(degree_.begin(), degree_.end(), 0.0) / static_cast<double>(degree_.size());
  const double noise = std::numbers::sqrt2 * degree_scale_;
  degree_doubt_ = mean >= clear_of_noise * noise ? noise : std::numeric_limits<double>::infinity();
}

// How much likelier each class is among these nodes than among all, by expectation maximisation of their
// mixture; three nodes of the whole mixture are added to them.
std::vector<double> CirclesModel::classes_near(const std::vector<Node>& near) const {
  constexpr double added = 3;
  constexpr int rounds = 8;
  std::vector<double> mixture = class_share_, favour(clusters_, 1);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> next(clusters_);
    for (std::size_t c = 0; c < clusters_; ++c) next[c] = added * class_share_[c];
    for (const Node u : near) {
      const Classes& classes = classes_[u];
      double sum = 1e-12;
      for (std::size_t j = 0; j < kept_classes; ++j)
        sum += double{classes.weight[j]} * favour[classes.which[j]];
      for (std::size_t j = 0; j < kept_classes; ++j)
        next[classes.which[j]] += double{classes.weight[j]} * favour[classes.which[j]] / sum;
    }
    const double all = std::accumulate(next.begin(), next.end(), 0.0);
    for (std::size_t c = 0; c < clusters_; ++c) favour[c] = next[c] / all / class_share_[c];
  }
  return favour;
}

// A step from u: to nodes of class c with links into cluster a it goes by flow[c * K + a] for each of these.
void CirclesModel::add_flow(Node u, double share, const std::vector<double>& favour, Matrix& flow) const {
  constexpr double worth_moving = 0.02;
  const Classes& classes = classes_[u];
  std::array<double, kept_classes> weight{};
  double sum = 1e-12;
  for (std::size_t j = 0; j < kept_classes; ++j)
    sum += weight[j] = double{classes.weight[j]} * favour[classes.which[j]];
  bool moved = false;
  for (std::size_t j = 0; j < kept_classes; ++j) {
    weight[j] /= sum;
    moved |= std::abs(weight[j] - double{classes.weight[j]}) > worth_moving;
  }
  std::vector<double> to(links(u), links(u) + clusters_);
  if (moved)
    for (std::size_t c = 0; c < clusters_; ++c) {
      double now = 1e-12, before = 1e-12;
      for (std::size_t j = 0; j < kept_classes; ++j) {
        now += weight[j] * share_[classes.which[j] * clusters_ + c];
        before += double{classes.weight[j]} * share_[classes.which[j] * clusters_ + c];
      }
      to[c] *= now / before;
    }
  const double out = std::max(std::accumulate(to.begin(), to.end(), 0.0), 1e-9);
  for (std::size_t j = 0; j < kept_classes; ++j) {
    if (weight[j] < worth_counting) continue;
    const std::size_t a = classes.which[j];
    for (std::size_t c = 0; c < clusters_; ++c)
      flow[c * clusters_ + a] += share / out * weight[j] * to[c] / between_[a * clusters_ + c];
  }
}

double CirclesModel::reached(Node v, const Matrix& flow) const {
  const float* const into = links(v);
  double all = 0;
  for (std::size_t j = 0; j < kept_classes; ++j) {
    const double weight = double{classes_[v].weight[j]};
    if (weight < worth_counting) continue;
    const double* const row = flow.data() + std::size_t{classes_[v].which[j]} * clusters_;
    double sum = 0;
    for (std::size_t c = 0; c < clusters_; ++c) sum += double{into[c]} * row[c];
    all += weight * sum;
  }
  return all;
}

void CirclesModel::sum_links() {
  const std::size_t k = clusters_;
  class_links_.assign(k * k, 0);
  pair_links_.assign(k * k * k, 0);
  for (Node v = 0; v < classes_.size(); ++v) {
    const float* const into = links(v);
    for (std::size_t j = 0; j < kept_classes; ++j) {
      const double weight = double{classes_[v].weight[j]};
      if (weight < worth_counting) continue;
      const std::size_t a = classes_[v].which[j];
      for (std::size_t c = 0; c < k; ++c) class_links_[a * k + c] += weight * double{into[c]};
      for (std::size_t i = 0; i < kept_classes; ++i) {
        const double both = weight * double{classes_[v].weight[i]};
        double* const to = pair_links_.data() + (classes_[v].which[i] * k + a) * k;
        for (std::size_t c = 0; c < k; ++c) to[c] += both * double{into[c]};
      }
    }
  }
}

// Of all nodes but the seeds.
CirclesModel::Spread CirclesModel::spread(const Matrix& flow, const SeedVector& seed) const {
  Spread found{std::inner_product(flow.begin(), flow.end(), class_links_.begin(), 0.0),
               std::vector<double>(clusters_)};
  const std::size_t cells = flow.size();
  for (std::size_t b = 0; b < clusters_; ++b)
    found.mass[b] = dot(flow.data(), pair_links_.data() + b * cells, cells);
  for (const auto& [node, weight] : seed.entries()) {
    const double own = reached(node, flow);
    found.all -= own;
    for (std::size_t j = 0; j < kept_classes; ++j)
      found.mass[classes_[node].which[j]] -= double{classes_[node].weight[j]} * own;
  }
  return found;
}

CirclesModel::Terms CirclesModel::terms(const SeedVector& seed, const OwnLinks* own,
                                        const Series& theta) const {
  Terms found{Matrix(clusters_ * clusters_), std::vector<double>(clusters_), 0};
  if (own != nullptr) {
    const std::vector<double> favour = classes_near(own->near);
    for (std::size_t i = 0; i < own->near.size(); ++i)
      add_flow(own->near[i], own->share[i], favour, found.flow);
  } else {
    for (const auto& [node, weight] : seed.entries())
      add_flow(node, weight, std::vector<double>(clusters_, 1), found.flow);
  }
  // close = trust second + (1 - trust) popular, second what is reached in a second step, summing to 1;
  // further = trust (mass of each class, going on by the links into its cluster) + (1 - trust) popular;
  // score = close_share close + further_share further + the rest popular.
  constexpr double near_share = 0.3, cluster_share = 0.6;
  const double first_two = own != nullptr ? theta.two : theta.one + theta.two;
  const double close_share = first_two + theta.rest * near_share,
               further_share = theta.rest * (1 - near_share) * cluster_share,
               popular_share = theta.rest * (1 - near_share) * (1 - cluster_share);
  const Spread reached = spread(found.flow, seed);
  const double all = std::max(reached.all, 1e-12);
  for (double& cell : found.flow) cell *= close_share * trust_ / all;
  for (std::size_t c = 0; c < clusters_; ++c)
    found.further[c] = further_share * trust_ * std::max(reached.mass[c], 0.0) / all / cluster_links_[c];
  found.popular = ((close_share + further_share) * (1 - trust_) + popular_share) / degree_sum_;
  return found;
}

double CirclesModel::score(Node v, const Terms& terms) const {
  std::array<double, accounting::most_clusters> rate;
  std::copy_n(terms.further.begin(), clusters_, rate.begin());
  for (std::size_t j = 0; j < kept_classes; ++j) {
    const double weight = double{classes_[v].weight[j]};
    if (weight < worth_counting) continue;
    const double* const row = terms.flow.data() + std::size_t{classes_[v].which[j]} * clusters_;
    for (std::size_t c = 0; c < clusters_; ++c) rate[c] += weight * row[c];
  }
  return dot(links(v), rate.data(), clusters_) + terms.popular * degree_[v];
}

std::vector<double> CirclesModel::answer(const SeedVector& seed, const OwnLinks* own,
                                         const Series& theta) const {
  if (clusters_ == 0) return SharedScores({degree_, degree_scale_}, theta).all(seed, own).scores;
  const Terms of_seed = terms(seed, own, theta);
  std::vector<double> scores(classes_.size());
  for (Node v = 0; v < scores.size(); ++v) scores[v] = score(v, of_seed);
  if (own != nullptr) own->add_to(scores, theta.one);
  return scores;
}

std::optional<RankDoubt> CirclesModel::doubt(const OwnLinks& own, const Series& theta) const {
  return rank_doubt(near_links(own, degree_, degree_doubt_), degree_.size(), theta);
}

CirclesRanking::CirclesRanking(CirclesModel model, const Series& theta, Listing listing)
    : model_(std::move(model)), theta_(theta), listing_(std::move(listing)) {
  if (model_.clusters_ == 0) {
    degrees_.emplace(SharedScores({model_.degree_, model_.degree_scale_}, theta), listing_);
    return;
  }
  listed_ = listing_.marks(model_.classes_.size());
  for (Node v = 0; v < model_.classes_.size(); ++v)
    if (listed_.empty() || listed_[v])
      places_.push_back(
          {std::accumulate(model_.links(v), model_.links(v) + model_.clusters_, 0.0), model_.degree_[v], v});
  parallel_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return a.links != b.links ? a.links > b.links : a.node < b.node;
  });
  for (std::size_t i = places_.size(); i-- > 1;)
    places_[i - 1].degree = std::max(places_[i - 1].degree, places_[i].degree);
}

std::vector<Ranked> CirclesRanking::best_of_all(const SeedVector& seed, const OwnLinks* own) const {
  std::vector<Node> excluded;
  for (const auto& [node, weight] : seed.entries()) excluded.push_back(node);
  if (listing_.exclude_neighbors && own != nullptr)
    excluded.insert(excluded.end(), own->near.begin(), own->near.end());
  return top_k(model_.answer(seed, own, theta_), listing_.top, excluded, listing_.candidates);
}

namespace {

// The greatest rate at which links of a class, or of any, count.
struct MostRates {
  std::vector<double> of_class;
  double further, any;
};
MostRates most_rates(const std::vector<double>& flow, const std::vector<double>& further) {
  const std::size_t k = further.size();
  MostRates most{std::vector<double>(k), *std::ranges::max_element(further), 0};
  for (std::size_t a = 0; a < k; ++a) {
    const auto row = flow.begin() + static_cast<std::ptrdiff_t>(a * k);
    most.of_class[a] = *std::max_element(row, row + static_cast<std::ptrdiff_t>(k));
  }
  most.any = *std::ranges::max_element(most.of_class);
  return most;
}

}  // namespace

// A score is at most (links of v) (greatest rate of its classes) + popular degree_v: most nodes need not be
// looked at, and nobody after the first whom even the greatest rate of all would not list.
std::vector<RankedNode> CirclesRanking::best(const SeedVector& seed, const OwnLinks* own) const {
  if (degrees_) {
    std::vector<RankedNode> nodes = degrees_->best(seed, own);
    for (RankedNode& node : nodes) node.noise.reset();  // depends on the way that a release went
    return nodes;
  }
  if (listing_.top == 0) return {};
  const CirclesModel::Terms terms = model_.terms(seed, own, theta_);
  const MostRates most = most_rates(terms.flow, terms.further);
  const bool bounded =
      terms.popular >= 0 && std::ranges::min(terms.flow) >= 0 && std::ranges::min(terms.further) >= 0;
  std::vector<Ranked> found;
  if (bounded) {
    constexpr double rounded = 1 + 1e-9, weights = 1 + 1e-5;  // of floats, which sum to 1
    Best best(std::min<std::uint64_t>(listing_.top, places_.size() + 1));
    const bool list_near = own != nullptr && !listing_.exclude_neighbors;
    for (std::size_t i = 0; list_near && i < own->near.size(); ++i)
      if (const Node v = own->near[i]; listed_.empty() || listed_[v])
        best.offer({v, model_.score(v, terms) + theta_.one * own->share[i]});
    for (const Place& place : places_) {
      const double popular = terms.popular * place.degree, least = best.least();
      if ((place.links * (most.further + weights * most.any) + popular) * rounded < least) break;
      const auto& classes = model_.classes_[place.node];
      double rate = most.further;
      for (std::size_t j = 0; j < CirclesModel::kept_classes; ++j)
        rate += double{classes.weight[j]} * most.of_class[classes.which[j]];
      if ((place.links * rate + popular) * rounded < least) continue;
      if (seed.contains(place.node)) continue;
      if (own != nullptr && std::ranges::binary_search(own->near, place.node)) continue;
      best.offer({place.node, model_.score(place.node, terms)});
    }
    found = best.take();
  } else {
    found = best_of_all(seed, own);
  }
  std::vector<RankedNode> nodes;
  nodes.reserve(found.size());
  for (const Ranked& one : found) nodes.push_back({one.node, one.score});
  return nodes;
}

}  // namespace hushwalk
