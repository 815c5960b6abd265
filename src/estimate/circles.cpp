#include "estimate/circles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "estimate/circles_fit.h"

namespace hushwalk {
namespace {

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
  const CirclesSweeps sweeps = replay_circles(design, numbers);
  if (numbers.branch == CirclesBranch::rows) CirclesFit(design, numbers, sweeps, *this).run();
  if (numbers.branch == CirclesBranch::stopped) {
    const auto first = sweeps.order.nodes.begin();
    complete_core(design, numbers, {first, first + static_cast<std::ptrdiff_t>(design.core)}, degree_);
  }
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
  constexpr double worth_moving = 0.02, worth_counting = 0.01;
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

std::vector<double> CirclesModel::spread_flow(const Matrix& flow) const {
  std::vector<double> reached(classes_.size());
  for (Node v = 0; v < reached.size(); ++v) {
    const float* const into = links(v);
    for (std::size_t j = 0; j < kept_classes; ++j) {
      const double weight = double{classes_[v].weight[j]};
      if (weight < 0.01) continue;
      const double* const row = flow.data() + std::size_t{classes_[v].which[j]} * clusters_;
      double sum = 0;
      for (std::size_t c = 0; c < clusters_; ++c) sum += double{into[c]} * row[c];
      reached[v] += weight * sum;
    }
  }
  return reached;
}

namespace {

void normalize(std::vector<double>& values) {
  const double sum = std::max(std::accumulate(values.begin(), values.end(), 0.0), 1e-12);
  for (double& value : values) value /= sum;
}

}  // namespace

std::vector<double> CirclesModel::answer(const SeedVector& seed, const OwnLinks* own,
                                         const Series& theta) const {
  if (clusters_ == 0) return estimate_shared({degree_, degree_scale_}, seed, own, theta).scores;
  Matrix flow(clusters_ * clusters_);
  if (own != nullptr) {
    const std::vector<double> favour = classes_near(own->near);
    for (std::size_t i = 0; i < own->near.size(); ++i) add_flow(own->near[i], own->share[i], favour, flow);
  } else {
    for (const auto& [node, weight] : seed.entries())
      add_flow(node, weight, std::vector<double>(clusters_, 1), flow);
  }
  std::vector<double> second = spread_flow(flow);
  for (const auto& [node, weight] : seed.entries()) second[node] = 0;  // never listed
  normalize(second);
  // Further steps: what reached a class goes on by the links into its cluster.
  std::vector<double> mass(clusters_);
  for (Node v = 0; v < second.size(); ++v)
    for (std::size_t j = 0; j < kept_classes; ++j)
      mass[classes_[v].which[j]] += double{classes_[v].weight[j]} * second[v];
  for (std::size_t c = 0; c < clusters_; ++c) mass[c] /= cluster_links_[c];
  constexpr double near_share = 0.3, cluster_share = 0.6;
  const double first_two = own != nullptr ? theta.two : theta.one + theta.two;
  std::vector<double> scores(second.size());
  for (Node v = 0; v < scores.size(); ++v) {
    const double popular = degree_[v] / degree_sum_;
    double further = 0;
    for (std::size_t c = 0; c < clusters_; ++c) further += mass[c] * double{links(v)[c]};
    const double close = trust_ * second[v] + (1 - trust_) * popular;
    further = trust_ * further + (1 - trust_) * popular;
    scores[v] = first_two * close +
                theta.rest * (near_share * close +
                              (1 - near_share) * (cluster_share * further + (1 - cluster_share) * popular));
  }
  if (own != nullptr) own->add_to(scores, theta.one);
  return scores;
}

}  // namespace hushwalk
