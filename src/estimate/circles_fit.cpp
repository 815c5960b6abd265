#include "estimate/circles_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace hushwalk {
namespace {

constexpr int class_rounds = 3, band_rounds = 25;
constexpr std::size_t pieces = 8;  // of sums over nodes, so that threads change nothing
constexpr std::size_t nodes_per_task = 256;

std::pair<std::int64_t, std::int64_t> bounds(const std::vector<std::int16_t>& cells) {
  const auto [low, high] = std::ranges::minmax_element(cells);
  return {*low, *high};
}
LinkTables tables(const std::vector<std::int16_t>& cells, double scale) {
  const auto [low, high] = bounds(cells);
  return {scale, low, high};
}

// Evenly spread over [0, 1): what would be random numbers elsewhere.
double even(std::size_t i) { return std::fmod(static_cast<double>(i + 1) * 0.6180339887498949, 1.0); }

}  // namespace

double noise_variance(double scale) {
  const double q = std::exp(-1 / scale);
  return 2 * q / ((1 - q) * (1 - q));
}

std::vector<double> shrunk(std::vector<double> values, double variance) {
  const auto count = static_cast<double>(values.size());
  const double scale = std::sqrt(variance / 2);
  double mean = 0, spread = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) spread += (value - mean) * (value - mean) / count;
  mean = std::max(mean, scale * std::sqrt(2 / count));
  const double believed = spread > 0 ? 1 - variance * (1 + 2 * std::sqrt(5 / count)) / spread : 0;
  const double slope = std::min(1.0, std::max(believed, 0.05 * mean / scale));
  for (double& value : values) value = std::max(0.0, mean + slope * (value - mean));
  return values;
}

CirclesFit::CirclesFit(const CirclesDesign& design, const CirclesNumbers& numbers,
                       const CirclesSweeps& sweeps, CirclesModel& model)
    : design_(design),
      numbers_(numbers),
      sweeps_(sweeps),
      model_(model),
      n_(design.nodes),
      k_(numbers.clusters),
      forward_(tables(numbers.forward, design.forward)),
      backward_(tables(numbers.backward, design.backward)) {}

void CirclesFit::run() {
  model_.clusters_ = k_;
  fit_degrees();
  measure_trust();
  place_cells();
  fit_classes();
  fit_bands();
  expect_links();
  sum_up();
}

// Degrees once more, from the rows too.
void CirclesFit::fit_degrees() {
  const double of_degrees = noise_variance(design_.coarse),
               of_rows = static_cast<double>(k_) *
                         (noise_variance(design_.forward) + noise_variance(design_.backward));
  const double variance = 1 / (1 / of_degrees + 1 / of_rows);
  std::vector<double> values(n_);
  for (Node v = 0; v < n_; ++v) {
    double links = 0;
    for (std::size_t c = 0; c < k_; ++c)
      links += numbers_.forward[cell(v, c)] + numbers_.backward[cell(v, c)];
    values[v] = (numbers_.coarse[v] / of_degrees + links / of_rows) * variance;
  }
  model_.degree_ = shrunk(std::move(values), variance);
  // Never 0: an answer is an answer, though all nodes seem to have no links.
  model_.degree_sum_ = std::max(std::accumulate(model_.degree_.begin(), model_.degree_.end(), 0.0), 1e-9);
}

// How many more links than by chance lead from a node, in the sweep back, to the cluster that the sweep
// forward put it in: noise of the one and of the other are independent.
void CirclesFit::measure_trust() {
  double found = 0, expected = 0;
  for (Node v = 0; v < n_; ++v) {
    const std::size_t own = cell(v, sweeps_.forward_label[v]);
    found += numbers_.backward[own];
    expected += std::max(model_.degree_[v], 0.5) * double{sweeps_.volume_after[own]} / sweeps_.total;
  }
  const double lift = found / std::max(expected, 1e-9);
  model_.trust_ = std::max(0.0, 1 - 1 / std::max(lift, 1e-9));
}

void CirclesFit::place_cells() {
  place_forward_.resize(n_ * k_), place_backward_.resize(n_ * k_), expected_.resize(n_ * k_);
  parallel_for(n_, nodes_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const double per_volume = std::max(model_.degree_[v], 0.5) / sweeps_.total;
      for (std::size_t i = v * k_; i < (v + 1) * k_; ++i) {
        const double before = per_volume * double{sweeps_.volume_before[i]},
                     after = per_volume * double{sweeps_.volume_after[i]};
        place_forward_[i] = forward_.place(numbers_.forward[i], RateGrid::index(before));
        place_backward_[i] = backward_.place(numbers_.backward[i], RateGrid::index(after));
        expected_[i] = static_cast<float>(std::max(before + after, 1e-6));
      }
    }
  });
}

// Classes start as the labels.
void CirclesFit::fit_classes() {
  model_.classes_.resize(n_);
  for (Node v = 0; v < n_; ++v) {
    model_.classes_[v].which[0] = sweeps_.label[v];
    model_.classes_[v].weight[0] = 1;
  }
  for (int round = 0; round < class_rounds; ++round) {
    choose_factors();
    weigh_classes(round == 0);
  }
}

void CirclesFit::choose_factors() {
  constexpr float worth_counting = 0.03F;
  std::vector<std::vector<double>> sums(pieces, std::vector<double>(k_ * k_ * factors));
  std::vector<std::vector<double>> counts(pieces, std::vector<double>(k_));
  parallel_for(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece)
      for (std::size_t v = piece * n_ / pieces; v < (piece + 1) * n_ / pieces; ++v)
        for (std::size_t j = 0; j < CirclesModel::kept_classes; ++j) {
          const float weight = model_.classes_[v].weight[j];
          const std::size_t l = model_.classes_[v].which[j];
          counts[piece][l] += double{weight};
          if (weight < worth_counting) continue;
          for (std::size_t c = 0; c < k_; ++c) {
            const float* const f = forward_.blurred_log() + place_forward_[v * k_ + c] + first_factor;
            const float* const b = backward_.blurred_log() + place_backward_[v * k_ + c] + first_factor;
            double* const sum = sums[piece].data() + (l * k_ + c) * factors;
            for (int i = 0; i < factors; ++i) sum[i] += double{weight * (f[i] + b[i])};
          }
        }
  });
  factor_.assign(k_ * k_, 0);
  class_share_.assign(k_, 1);
  for (std::size_t l = 0; l < k_; ++l)
    for (const auto& count : counts) class_share_[l] += count[l];
  const double all = std::accumulate(class_share_.begin(), class_share_.end(), 0.0);
  for (double& share : class_share_) share /= all;
  for (std::size_t pair = 0; pair < k_ * k_; ++pair) {
    double highest = -1e300;
    for (int i = 0; i < factors; ++i) {
      double sum = -0.02 * (i + first_factor) * (i + first_factor);
      for (const auto& piece : sums) sum += piece[pair * factors + static_cast<std::size_t>(i)];
      if (sum > highest) highest = sum, factor_[pair] = i + first_factor;
    }
  }
}

void CirclesFit::weigh_classes(bool all) {
  parallel_for(n_, nodes_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) weigh(static_cast<Node>(v), all);
  });
}

void CirclesFit::weigh(Node v, bool all) {
  Classes& classes = model_.classes_[v];
  std::array<std::pair<double, std::size_t>, accounting::most_clusters> found;
  const std::size_t tried = all ? k_ : std::min(k_, CirclesModel::kept_classes);
  for (std::size_t j = 0; j < tried; ++j) {
    const std::size_t l = all ? j : classes.which[j];
    double sum = std::log(class_share_[l]);
    for (std::size_t c = 0; c < k_; ++c)
      sum += double{forward_.blurred_log()[place_forward_[cell(v, c)] + factor(l, c)]} +
             double{backward_.blurred_log()[place_backward_[cell(v, c)] + factor(l, c)]};
    found[j] = {-sum, l};
  }
  std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(tried));
  double total = 0;
  const std::size_t kept = std::min(k_, CirclesModel::kept_classes);
  for (std::size_t j = 0; j < kept; ++j) total += std::exp(found[0].first - found[j].first);
  for (std::size_t j = 0; j < kept; ++j) {
    classes.which[j] = static_cast<std::uint8_t>(found[j].second);
    classes.weight[j] = static_cast<float>(std::exp(found[0].first - found[j].first) / total);
  }
}

void CirclesFit::likelihoods(std::size_t cell, int factor, std::array<double, RateGrid::factors>& out) const {
  const std::int32_t row_f = place_forward_[cell] / RateGrid::rates * RateGrid::rates,
                     row_b = place_backward_[cell] / RateGrid::rates * RateGrid::rates;
  const int at_f = place_forward_[cell] - row_f + factor + first_factor,
            at_b = place_backward_[cell] - row_b + factor + first_factor;
  for (int i = 0; i < factors; ++i)
    out[static_cast<std::size_t>(i)] =
        double{forward_.likelihood()[row_f + std::clamp(at_f + i, 0, RateGrid::rates - 1)]} *
        double{backward_.likelihood()[row_b + std::clamp(at_b + i, 0, RateGrid::rates - 1)]};
}

// By degree, and whether a cluster is the node's own.
std::size_t CirclesFit::band(Node v, bool own) const {
  const double degree = model_.degree_[v];
  return (degree < 8 ? 0U : degree < 25 ? 2U : degree < 80 ? 4U : 6U) + (own ? 1U : 0U);
}

void CirclesFit::sample_bands() {
  const double of_others = std::min(1.0, 60000.0 / static_cast<double>(n_ * k_)),
               of_own = std::min(1.0, 8000.0 / static_cast<double>(n_));
  std::size_t number = 0;
  for (Node v = 0; v < n_; ++v) {
    const Classes& classes = model_.classes_[v];
    std::size_t j = 0;
    for (double u = even(v); j + 1 < CirclesModel::kept_classes && (u -= double{classes.weight[j]}) >= 0;)
      ++j;
    const std::size_t l = classes.weight[j] > 0 ? classes.which[j] : classes.which[0];
    for (std::size_t c = 0; c < k_; ++c)
      if (even(++number) < (l == c ? of_own : of_others))
        likelihoods(cell(v, c), factor(l, c), sampled_[band(v, l == c)].emplace_back());
  }
}

// How far nodes stray from their class: a prior over residual factors for each band, by expectation
// maximisation.
void CirclesFit::fit_bands() {
  sample_bands();
  parallel_for(bands, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t band = first; band < last; ++band) {
      std::vector<double>& prior = prior_[band];
      prior.resize(factors);
      for (int i = 0; i < factors; ++i)
        prior[static_cast<std::size_t>(i)] = std::exp(-0.3 * std::abs(i + first_factor));
      const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
      for (double& mass : prior) mass /= sum;
      for (int round = 0; round < band_rounds; ++round) {
        std::vector<double> next(factors, 0.02);
        for (const auto& likelihood : sampled_[band]) {
          double total = 1e-300;
          for (std::size_t i = 0; i < factors; ++i) total += prior[i] * likelihood[i];
          for (std::size_t i = 0; i < factors; ++i) next[i] += prior[i] * likelihood[i] / total;
        }
        const double all = static_cast<double>(sampled_[band].size()) + 0.02 * factors;
        for (std::size_t i = 0; i < factors; ++i) prior[i] = next[i] / all;
      }
    }
  });
}

void CirclesFit::expect_links() {
  model_.links_.assign(n_ * k_, 0);
  parallel_for(n_, nodes_per_task, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) expect_links_of(static_cast<Node>(v));
  });
}

void CirclesFit::expect_links_of(Node v) {
  static const std::vector<double> values = [] {
    std::vector<double> all;
    all.reserve(factors);
    for (int i = 0; i < factors; ++i) all.push_back(RateGrid::value(i + first_factor));
    return all;
  }();
  float* const links = model_.links_.data() + std::size_t{v} * k_;
  const Classes& classes = model_.classes_[v];
  for (std::size_t j = 0; j < CirclesModel::kept_classes; ++j) {
    if (classes.weight[j] < 0.01F) continue;
    const std::size_t l = classes.which[j];
    for (std::size_t c = 0; c < k_; ++c) {
      std::array<double, RateGrid::factors> likelihood;
      likelihoods(cell(v, c), factor(l, c), likelihood);
      const std::vector<double>& prior = prior_[band(v, l == c)];
      double total = 1e-300, sum = 0;
      for (std::size_t i = 0; i < factors; ++i) {
        total += prior[i] * likelihood[i];
        sum += prior[i] * likelihood[i] * values[i];
      }
      links[c] += static_cast<float>(double{classes.weight[j]} * sum / total * RateGrid::value(factor(l, c)) *
                                     double{expected_[cell(v, c)]});
    }
  }
  const double sum = std::accumulate(links, links + k_, 0.0), most = std::max(model_.degree_[v], 0.5);
  if (sum > most)
    for (std::size_t c = 0; c < k_; ++c) links[c] *= static_cast<float>(most / sum);
}

void CirclesFit::sum_up() {
  std::vector<double> raw(k_ * k_);
  model_.cluster_links_.assign(k_, 1e-9);
  model_.class_share_.assign(k_, 1e-3);
  for (Node v = 0; v < n_; ++v) {
    const float* const links = model_.links(v);
    for (std::size_t j = 0; j < CirclesModel::kept_classes; ++j) {
      const double weight = double{model_.classes_[v].weight[j]};
      const std::size_t l = model_.classes_[v].which[j];
      model_.class_share_[l] += weight / static_cast<double>(n_);
      for (std::size_t c = 0; c < k_; ++c) raw[l * k_ + c] += weight * double{links[c]};
    }
    for (std::size_t c = 0; c < k_; ++c) model_.cluster_links_[c] += double{links[c]};
  }
  const double all = std::accumulate(model_.class_share_.begin(), model_.class_share_.end(), 0.0);
  for (double& share : model_.class_share_) share /= all;
  model_.between_.resize(k_ * k_), model_.share_.resize(k_ * k_);
  for (std::size_t a = 0; a < k_; ++a)
    for (std::size_t c = 0; c < k_; ++c)
      model_.between_[a * k_ + c] = std::max(0.5 * (raw[a * k_ + c] + raw[c * k_ + a]), 1e-6);
  for (std::size_t a = 0; a < k_; ++a) {
    const auto row = model_.between_.begin() + static_cast<std::ptrdiff_t>(a * k_);
    const double sum = std::accumulate(row, row + static_cast<std::ptrdiff_t>(k_), 0.0);
    for (std::size_t c = 0; c < k_; ++c) model_.share_[a * k_ + c] = model_.between_[a * k_ + c] / sum + 1e-4;
  }
}

}  // namespace hushwalk
