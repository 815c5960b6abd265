#include "estimate/circles_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/fail.h"

namespace hushwalk {
namespace {

__extension__ typedef __int128 Int128;

constexpr double enough_links = 8;   // rows are released where epsilon times the mean degree is at least this
constexpr std::uint64_t hubs = 250;  // at most a quarter of the nodes
constexpr std::int64_t weight_unit = 1 << 16;
// A label costs its cluster's share of the node's links 7/4 times: without it the first cluster takes all.
constexpr Int128 size_penalty = 7, size_penalty_unit = 4;

// Public weights of the nodes: what the noisy degrees come to, in units of 2^-16. Linear empirical Bayes, as
// in shared_scores.cpp.
std::vector<std::int64_t> weights_of(const std::vector<std::int32_t>& degrees, double scale) {
  const auto n = static_cast<Int128>(degrees.size());
  Int128 sum = 0, squares = 0;
  for (const std::int64_t degree : degrees) sum += degree, squares += Int128{degree} * degree;
  const auto count = static_cast<double>(degrees.size());
  const double variance = static_cast<double>(n * squares - sum * sum) / (count * count);
  const double mean = std::max(static_cast<double>(sum) / count, scale * std::sqrt(2 / count));
  const double noise = 2 * scale * scale * (1 + 2 * std::sqrt(5 / count));
  const double believed = variance > 0 ? 1 - noise / variance : 0;
  const double slope = std::min(1.0, std::max(believed, 0.05 * mean / scale));
  // So that no sum of weights leaves 2^62 and no product below 128 bits.
  const double most = std::min(count, 0x1p46 / count);
  std::vector<std::int64_t> weights(degrees.size());
  std::ranges::transform(degrees, weights.begin(), [&](std::int32_t degree) {
    const double estimate = std::clamp(mean + slope * (degree - mean), 0.5, std::max(most, 0.5));
    return static_cast<std::int64_t>(estimate * static_cast<double>(weight_unit));
  });
  return weights;
}

bool too_sparse(const CirclesDesign& design, const std::vector<std::int32_t>& degrees) {
  const std::int64_t sum = std::accumulate(degrees.begin(), degrees.end(), std::int64_t{0});
  return design.epsilon * static_cast<double>(sum) < enough_links * static_cast<double>(degrees.size());
}

// By noisy degree, the largest first, equals by id. Where few hubs hold a quarter of all links they come
// after the core, whose clusters they would decide alone. If the release stops early, the core keeps its
// coarser degrees.
CirclesOrder order_of(const CirclesDesign& design, const std::vector<std::int32_t>& degrees,
                      const std::vector<std::int64_t>& weights) {
  CirclesOrder order;
  order.nodes.resize(design.nodes);
  std::iota(order.nodes.begin(), order.nodes.end(), Node{0});
  std::ranges::stable_sort(order.nodes, std::greater(), [&](Node v) { return degrees[v]; });
  const std::uint64_t first = std::min(design.nodes / 4, hubs);
  Int128 top = 0, total = 0;
  for (std::uint64_t i = 0; i < design.nodes; ++i) {
    total += weights[order.nodes[i]];
    if (i < first) top += weights[order.nodes[i]];
  }
  order.hubs_hold_a_quarter = 4 * top > total;
  if (order.hubs_hold_a_quarter && first + design.core <= design.nodes) {
    const auto begin = order.nodes.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(first),
                begin + static_cast<std::ptrdiff_t>(first + design.core));
  }
  order.block_of.resize(design.nodes);
  for (std::uint64_t i = 0; i < design.nodes; ++i)
    order.block_of[order.nodes[i]] = static_cast<std::uint32_t>(i / design.block);
  order.core_blocks = static_cast<std::uint32_t>((design.core + design.block - 1) / design.block);
  return order;
}

// Half as many where few hubs hold a quarter of all links: their rows tell most, and little of who belongs
// together.
std::uint32_t clusters_of(const CirclesDesign& design, const std::vector<std::int32_t>& degrees,
                          const CirclesOrder& order) {
  if (!design.by_degrees) return design.clusters;
  const auto nodes = static_cast<double>(design.nodes);
  const auto links = static_cast<double>(std::accumulate(degrees.begin(), degrees.end(), std::int64_t{0}));
  const double wanted = accounting::clusters_by_degree(design.epsilon, nodes, links / nodes) /
                        (order.hubs_hold_a_quarter ? 2 : 1);
  const double most = static_cast<double>(design.clusters);
  return static_cast<std::uint32_t>(std::clamp(std::floor(wanted + 0.5), accounting::least_clusters, most));
}

using Volumes = std::array<std::int64_t, accounting::most_clusters>;

// e^-x for 0 <= x <= 16 by products and sums alone, the same everywhere, within 1e-12 of it.
double exp_minus(double x) {
  constexpr int halvings = 10;
  const double y = x / (1 << halvings);
  double power = 1 - y * (1 - y / 2 * (1 - y / 3 * (1 - y / 4 * (1 - y / 5 * (1 - y / 6)))));
  for (int i = 0; i < halvings; ++i) power *= power;
  return power;
}

// Of discrete Laplace noise.
double variance_of_noise(double scale) {
  const double q = exp_minus(1 / scale);
  return 2 * q / ((1 - q) * (1 - q));
}

// Spread of rows over the clusters beyond noise and chance.
class Spread {
 public:
  explicit Spread(const CirclesDesign& design)
      : clusters_(design.clusters), noise_(variance_of_noise(design.forward)) {}

  // A row of the sweep forward and the volumes of the clusters it counts.
  void add(std::span<const std::int16_t> row, const Volumes& volume) {
    std::int64_t links = 0, total = 0;
    for (std::uint32_t c = 0; c < clusters_; ++c) links += row[c], total += volume[c];
    rows_ += 1;
    if (total == 0) return;
    const auto sum = static_cast<double>(links), k = static_cast<double>(clusters_);
    for (std::uint32_t c = 0; c < clusters_; ++c) {
      const double p = static_cast<double>(volume[c]) / static_cast<double>(total);
      const double beyond = row[c] - p * sum, noise = noise_ * (1 - 2 * p + k * p * p);
      spread_ += beyond * beyond - noise - p * (1 - p) * sum;
      variance_ += (5 + 1 / noise_) * noise * noise;  // the fourth moment of the noise
    }
  }
  bool is_seen() const {
    constexpr double deviations = 3, least = 0.03;  // of chance; in units of the noise
    return spread_ >= deviations * std::sqrt(variance_) &&
           spread_ >= least * rows_ * static_cast<double>(clusters_) * noise_;
  }

 private:
  std::uint32_t clusters_;
  double noise_;
  double spread_ = 0, variance_ = 0, rows_ = 0;
};

class Run {
 public:
  Run(const CirclesDesign& design, CirclesSource& source, CirclesSweeps* sweeps)
      : design_(design), source_(source), sweeps_(sweeps) {}

  CirclesNumbers run() {
    released_.coarse.resize(design_.nodes);
    released_.fine.resize(design_.nodes);
    source_.coarse_degrees(released_.coarse);
    if (too_sparse(design_, released_.coarse)) return only_degrees();
    weights_ = weights_of(released_.coarse, design_.coarse);
    total_ = std::accumulate(weights_.begin(), weights_.end(), std::int64_t{0});
    order_ = order_of(design_, released_.coarse, weights_);
    released_.clusters = design_.clusters = clusters_of(design_, released_.coarse, order_);
    label_.assign(design_.nodes, 0);
    source_.start_sweeps(order_, design_.clusters);
    if (!sweep_forward()) return stopped();
    sweep_backward();
    released_.branch = CirclesBranch::rows;
    released_.fine.clear();
    return finish();
  }

 private:
  CirclesNumbers only_degrees() {
    source_.fine_degrees(nullptr, 0, released_.fine);
    return std::move(released_);
  }

  CirclesNumbers stopped() {
    released_.branch = CirclesBranch::stopped;
    source_.fine_degrees(&order_, order_.core_blocks, released_.fine);
    released_.leaving.resize(design_.nodes);
    source_.leaving_links(order_, std::span(order_.nodes).first(design_.core), released_.leaving);
    return finish();
  }

  CirclesNumbers finish() {
    if (sweeps_ != nullptr) {
      sweeps_->order = std::move(order_);
      sweeps_->label = std::move(label_);
      sweeps_->total = static_cast<double>(total_);
    }
    return std::move(released_);
  }

  // False: it stopped after the core.
  bool sweep_forward() {
    released_.forward.resize(design_.nodes * design_.clusters);
    keep_volumes(&CirclesSweeps::volume_before);
    Volumes volume{};
    Spread spread(design_);
    for (std::uint32_t block = 0; block < blocks(); ++block) {
      const auto nodes = order_.block(block, design_.block);
      source_.rows(Sweep::forward, block, nodes, released_.forward);
      if (block < order_.core_blocks)
        for (const Node v : nodes) spread.add(row(released_.forward, v), volume);
      if (block + 1 == order_.core_blocks && !spread.is_seen()) return false;
      for (const Node v : nodes) {
        if (sweeps_ != nullptr) note(sweeps_->volume_before, v, volume);
        label_[v] = best([&](std::uint32_t c) { return fit(released_.forward, v, c, volume); });
      }
      finish_block(nodes, volume);
    }
    if (sweeps_ != nullptr) sweeps_->forward_label = label_;
    return true;
  }

  // The rows of both sweeps decide, each as far as its links stand out of its noise.
  void sweep_backward() {
    released_.backward.resize(design_.nodes * design_.clusters);
    keep_volumes(&CirclesSweeps::volume_after);
    Volumes volume{}, before{};
    for (const Node v : order_.nodes) before[label_[v]] += weights_[v];
    for (std::uint32_t block = blocks(); block-- > 0;) {
      const auto nodes = order_.block(block, design_.block);
      source_.rows(Sweep::backward, block, nodes, released_.backward);
      for (const Node v : nodes) before[label_[v]] -= weights_[v];  // of the sweep forward, block by block
      for (const Node v : nodes) {
        if (sweeps_ != nullptr) note(sweeps_->volume_after, v, volume);
        const std::int64_t of_forward = trust(v, before, design_.forward),
                           of_backward = trust(v, volume, design_.backward);
        relabelled_.push_back(best([&](std::uint32_t c) {
          return of_forward * fit(released_.forward, v, c, before) +
                 of_backward * fit(released_.backward, v, c, volume);
        }));
      }
      for (std::size_t i = 0; i < nodes.size(); ++i) label_[nodes[i]] = relabelled_[i];
      relabelled_.clear();
      finish_block(nodes, volume);
    }
  }

  void finish_block(std::span<const Node> nodes, Volumes& volume) {
    for (const Node v : nodes) volume[label_[v]] += weights_[v];
    source_.labelled(nodes, label_);
  }

  std::uint32_t blocks() const {
    return static_cast<std::uint32_t>((design_.nodes + design_.block - 1) / design_.block);
  }
  std::span<const std::int16_t> row(const std::vector<std::int16_t>& rows, Node v) const {
    return std::span(rows).subspan(std::size_t{v} * design_.clusters, design_.clusters);
  }

  // Links into a cluster less 7/4 of what its size explains, times 4 * 2^16 * the volume of all.
  Int128 fit(const std::vector<std::int16_t>& rows, Node v, std::uint32_t cluster,
             const Volumes& volume) const {
    return size_penalty_unit * row(rows, v)[cluster] * total_ * weight_unit -
           size_penalty * weights_[v] * volume[cluster];
  }

  // x^2 / (x^2 + 4 b^2) in units of 2^-16, x the links that are expected in the row.
  std::int64_t trust(Node v, const Volumes& volume, double scale) const {
    std::int64_t seen = 0;
    for (std::uint32_t c = 0; c < design_.clusters; ++c) seen += volume[c];
    const double x = static_cast<double>(weights_[v]) / static_cast<double>(weight_unit) *
                     (static_cast<double>(seen) / static_cast<double>(total_));
    return static_cast<std::int64_t>(x * x / (x * x + 4 * scale * scale) * static_cast<double>(weight_unit));
  }

  // The first of the largest.
  template <class Score>
  std::uint8_t best(const Score& score) const {
    std::uint32_t found = 0;
    Int128 highest = score(0);
    for (std::uint32_t c = 1; c < design_.clusters; ++c)
      if (const Int128 next = score(c); next > highest) highest = next, found = c;
    return static_cast<std::uint8_t>(found);
  }

  void keep_volumes(std::vector<float> CirclesSweeps::* volumes) {
    if (sweeps_ != nullptr) (sweeps_->*volumes).resize(design_.nodes * design_.clusters);
  }
  void note(std::vector<float>& volumes, Node v, const Volumes& volume) const {
    for (std::uint32_t c = 0; c < design_.clusters; ++c)
      volumes[std::size_t{v} * design_.clusters + c] = static_cast<float>(volume[c]);
  }

  CirclesDesign design_;  // with the clusters that there are, once that is known
  CirclesSource& source_;
  CirclesSweeps* sweeps_;
  CirclesNumbers released_;
  std::vector<std::int64_t> weights_;
  std::int64_t total_ = 0;
  CirclesOrder order_;
  std::vector<std::uint8_t> label_, relabelled_;
};

}  // namespace

CirclesNumbers run_circles(const CirclesDesign& design, CirclesSource& source, CirclesSweeps* sweeps) {
  return Run(design, source, sweeps).run();
}

namespace {

// Numbers that were kept.
class Kept final : public CirclesSource {
 public:
  explicit Kept(const CirclesNumbers& numbers) : numbers_(numbers) {}

  void coarse_degrees(std::span<std::int32_t> out) override { copy(numbers_.coarse, out); }
  void fine_degrees(const CirclesOrder* order, std::uint32_t first_block,
                    std::span<std::int32_t> out) override {
    copy(numbers_.fine, out);
    for (std::size_t v = 0; order != nullptr && v < out.size(); ++v)
      if (order->block_of[v] < first_block) out[v] = 0;
  }
  void start_sweeps(const CirclesOrder&, std::uint32_t clusters) override {
    check(clusters == numbers_.clusters);
  }
  void rows(Sweep sweep, std::uint32_t, std::span<const Node> nodes,
            std::span<std::int16_t> all_rows) override {
    const std::vector<std::int16_t>& kept = sweep == Sweep::forward ? numbers_.forward : numbers_.backward;
    check(kept.size() == all_rows.size());
    for (const Node v : nodes)
      std::copy_n(kept.begin() + offset(v), numbers_.clusters, all_rows.begin() + offset(v));
  }
  void labelled(std::span<const Node>, std::span<const std::uint8_t>) override {}
  void leaving_links(const CirclesOrder&, std::span<const Node> core, std::span<std::int32_t> out) override {
    check(numbers_.leaving.size() == out.size());
    for (const Node v : core) out[v] = numbers_.leaving[v];
  }

 private:
  std::ptrdiff_t offset(Node v) const {
    return static_cast<std::ptrdiff_t>(v) * static_cast<std::ptrdiff_t>(numbers_.clusters);
  }
  static void check(bool there) {
    if (!there) fail("the numbers of circles are damaged: some are missing, or they took another way");
  }
  static void copy(const std::vector<std::int32_t>& kept, std::span<std::int32_t> out) {
    check(kept.size() == out.size());
    std::ranges::copy(kept, out.begin());
  }

  const CirclesNumbers& numbers_;
};

// Earlier versions knew how many clusters there are before they had released anything.
CirclesDesign design_of(const CirclesNumbers& numbers, CirclesDesign design) {
  const std::uint32_t before = accounting::clusters_before_degrees(design.epsilon);
  if (!design.by_degrees || numbers.clusters != before) return design;
  design.clusters = before;
  design.by_degrees = false;
  return design;
}

}  // namespace

CirclesSweeps replay_circles(const CirclesDesign& design, const CirclesNumbers& numbers) {
  CirclesSweeps sweeps;
  Kept kept(numbers);
  if (run_circles(design_of(numbers, design), kept, &sweeps) != numbers)
    fail("the numbers of circles are damaged: they do not go the way they say");
  return sweeps;
}

}  // namespace hushwalk
