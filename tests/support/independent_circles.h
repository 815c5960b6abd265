// `circles` once more, by plain loops over a matrix of links and whole numbers without limit: what is
// released in which order, and what each number was before its noise. It shares no code with src, and can be
// told to make mistakes that an audit must find.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "support/independent_noise.h"
#include "support/small_graph.h"

namespace hushwalk::testing {

enum class Flaw {
  none,
  labels_from_true_counts,
  order_by_true_degree,
  ties_by_true_degree,
  blocks_by_true_counts,
  two_sided_backward_rows,
  gate_on_true_degrees,
  stop_on_true_counts,
  clusters_by_true_degrees,
};

// Kinds of numbers, as columns of a release: of cells, the first of their columns.
enum CirclePart { coarse = 0, fine = 1, leaving = 2, first_cell = 3 };

class IndependentCircles {
 public:
  struct Design {
    std::size_t nodes = 0, clusters = 0, block = 1, core = 0;
    double epsilon = 0, fine = 0, coarse = 0, forward = 0, backward = 0, leaving = 0;
    bool by_degrees = false;  // `clusters` is the most that there can be
  };
  // A number as it is released, given its column, its node and what it is before its noise.
  using Number = std::function<std::int64_t(std::size_t column, std::size_t node, std::int64_t count)>;
  struct Told {
    std::int64_t released = 0, count = 0;
    double scale = 0;
    friend bool operator==(const Told&, const Told&) = default;
  };
  struct Result {
    int branch = 0;
    std::size_t clusters = 0;
    std::map<std::pair<std::size_t, std::size_t>, Told> numbers;  // by column and node
  };

  IndependentCircles(Design design, Number number, Flaw flaw = Flaw::none)
      : d_(design), number_(std::move(number)), flaw_(flaw) {}

  Result run(const SmallGraph& graph) {
    g_ = &graph;
    found_ = {};
    std::vector<std::int64_t> degree(d_.nodes);
    for (std::size_t v = 0; v < d_.nodes; ++v)
      degree[v] = told(coarse, v, static_cast<std::int64_t>(graph.degree(v)), d_.coarse, largest_degree);
    std::int64_t sum = 0;
    for (std::size_t v = 0; v < d_.nodes; ++v)
      sum += flaw_ == Flaw::gate_on_true_degrees ? static_cast<std::int64_t>(graph.degree(v)) : degree[v];
    if (d_.epsilon * static_cast<double>(sum) < 8.0 * static_cast<double>(d_.nodes)) return give_up();
    weigh(degree);
    put_in_order(degree);
    most_ = d_.clusters;
    if (d_.by_degrees)
      choose_clusters(flaw_ == Flaw::clusters_by_true_degrees ? 2 * static_cast<std::int64_t>(graph.edges())
                                                              : sum);
    found_.clusters = d_.clusters;
    return sweep() ? found_ : give_up_after_core();
  }

 private:
  using Integer = boost::multiprecision::cpp_int;
  static constexpr std::int64_t largest_degree = 2147483647, largest_cell = 32767;

  std::int64_t told(std::size_t column, std::size_t v, std::int64_t count, double scale, std::int64_t most) {
    const std::int64_t released = std::clamp(number_(column, v, count), -most, most);
    found_.numbers[{column, v}] = {released, count, scale};
    return released;
  }

  Result give_up() {
    for (std::size_t v = 0; v < d_.nodes; ++v) refine(v);
    return found_;
  }
  void refine(std::size_t v) {
    found_.numbers[{coarse, v}].scale = 0;  // noise on the finer number
    told(fine, v, static_cast<std::int64_t>(g_->degree(v)), d_.fine, largest_degree);
  }
  Result give_up_after_core() {
    found_.branch = 1;
    for (std::size_t i = 0; i < d_.nodes; ++i) {
      const std::size_t v = order_[i];
      if (i >= d_.core) {
        refine(v);
        continue;
      }
      std::int64_t out = 0;
      for (std::size_t j = d_.core; j < d_.nodes; ++j) out += g_->linked(v, order_[j]);
      told(leaving, v, out, d_.leaving, largest_degree);
    }
    return found_;
  }

  // In double, operation by operation as the note has them.
  void weigh(const std::vector<std::int64_t>& degree) {
    const double n = static_cast<double>(d_.nodes), b = d_.coarse;
    Integer sum = 0, squares = 0;
    for (const std::int64_t x : degree) sum += x, squares += Integer(x) * x;
    const Integer spread = Integer(d_.nodes) * squares - sum * sum;
    const double variance = spread.convert_to<double>() / (n * n);
    double mean = sum.convert_to<double>() / n;
    if (mean < b * std::sqrt(2 / n)) mean = b * std::sqrt(2 / n);
    double slope = variance > 0 ? 1 - 2 * b * b * (1 + 2 * std::sqrt(5 / n)) / variance : 0;
    if (slope < 0.05 * mean / b) slope = 0.05 * mean / b;
    if (slope > 1) slope = 1;
    weight_.clear();
    for (const std::int64_t x : degree) {
      double estimate = mean + slope * (static_cast<double>(x) - mean);
      const double most = std::max(0.5, std::min(n, 70368744177664.0 / n));
      if (estimate < 0.5) estimate = 0.5;
      if (estimate > most) estimate = most;
      weight_.emplace_back(static_cast<std::int64_t>(estimate * 65536));
    }
  }

  void put_in_order(const std::vector<std::int64_t>& degree) {
    const auto rank = [&](std::size_t v) {
      const auto true_degree = static_cast<std::int64_t>(g_->degree(v));
      const std::int64_t first = flaw_ == Flaw::order_by_true_degree ? true_degree : degree[v];
      return std::tuple(-first, flaw_ == Flaw::ties_by_true_degree ? -true_degree : 0, v);
    };
    order_.resize(d_.nodes);
    for (std::size_t v = 0; v < d_.nodes; ++v) order_[v] = v;
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    const std::size_t hubs = std::min<std::size_t>(d_.nodes / 4, 250);
    total_ = 0;
    Integer top = 0;
    for (std::size_t i = 0; i < d_.nodes; ++i) {
      total_ += weight_[order_[i]];
      if (i < hubs) top += weight_[order_[i]];
    }
    quarter_ = 4 * top > total_;
    if (quarter_ && hubs + d_.core <= d_.nodes) {
      std::vector<std::size_t> turned(order_.begin() + static_cast<std::ptrdiff_t>(hubs),
                                      order_.begin() + static_cast<std::ptrdiff_t>(hubs + d_.core));
      turned.insert(turned.end(), order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(hubs));
      turned.insert(turned.end(), order_.begin() + static_cast<std::ptrdiff_t>(hubs + d_.core), order_.end());
      order_ = turned;
    }
    std::size_t size = d_.block;
    if (flaw_ == Flaw::blocks_by_true_counts) size = 1 + g_->edges() % 2;
    block_.assign(d_.nodes, 0);
    for (std::size_t i = 0; i < d_.nodes; ++i) block_[order_[i]] = i / size;
  }

  // The whole number that is nearest to the rule of the note, within its bounds.
  void choose_clusters(std::int64_t links) {
    const auto n = static_cast<long double>(d_.nodes);
    const long double m = std::min(static_cast<long double>(links) / n, 40.0L);
    const auto e = static_cast<long double>(d_.epsilon);
    const long double rule =
        std::min({0.042L * e * std::pow(n * m * m, 0.375L), std::max(16 * e, 64 * e * e * e)}) /
        (quarter_ ? 2 : 1);
    std::size_t best = 4;
    while (best < d_.clusters && rule >= static_cast<long double>(best) + 0.5L) ++best;
    d_.clusters = best;
  }

  std::int64_t links_into(std::size_t v, std::size_t cluster, bool forward) const {
    std::int64_t links = 0;
    for (std::size_t u = 0; u < d_.nodes; ++u) {
      if (!g_->linked(u, v) || label_[u] != static_cast<int>(cluster)) continue;
      const bool both = !forward && flaw_ == Flaw::two_sided_backward_rows && block_[u] != block_[v];
      links += both || (forward ? block_[u] < block_[v] : block_[u] > block_[v]);
    }
    return links;
  }

  // The volume of clusters in the blocks before (after) a node's.
  std::vector<Integer> volumes(std::size_t v, bool before, const std::vector<int>& label) const {
    std::vector<Integer> volume(d_.clusters);
    for (std::size_t u = 0; u < d_.nodes; ++u)
      if (before ? block_[u] < block_[v] : block_[u] > block_[v])
        volume[static_cast<std::size_t>(label[u])] += weight_[u];
    return volume;
  }

  Integer fit(std::int64_t cell, std::size_t v, const Integer& volume) const {
    return 4 * Integer(cell) * total_ * 65536 - 7 * weight_[v] * volume;
  }

  static std::size_t best(const std::vector<Integer>& scores) {
    return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }

  // False when the rows of the core tell nothing.
  bool sweep() {
    label_.assign(d_.nodes, -1);
    std::vector<std::vector<std::int64_t>> forward(d_.nodes), seen(d_.nodes);
    const std::size_t last = block_[order_.back()];
    double spread = 0, variance = 0, rows = 0;
    for (std::size_t number = 0; number <= last; ++number) {
      for (const std::size_t v : order_) {
        if (block_[v] != number) continue;
        for (std::size_t c = 0; c < d_.clusters; ++c) {
          const std::int64_t count = links_into(v, c, true);
          forward[v].push_back(told(first_cell + c, v, count, d_.forward, largest_cell));
          seen[v].push_back(flaw_ == Flaw::labels_from_true_counts ? count : forward[v].back());
        }
        if (position(v) < d_.core) {
          std::vector<std::int64_t> row = forward[v];
          if (flaw_ == Flaw::stop_on_true_counts)
            for (std::size_t c = 0; c < d_.clusters; ++c) row[c] = links_into(v, c, true);
          add_spread(row, volumes(v, true, label_), spread, variance);
          rows += 1;
        }
      }
      const bool core_ends = block_[order_[d_.core - 1]] == number;
      if (core_ends && !is_seen(spread, variance, rows)) return false;
      std::vector<int> next = label_;
      for (std::size_t v = 0; v < d_.nodes; ++v) {
        if (block_[v] != number) continue;
        const std::vector<Integer> volume = volumes(v, true, label_);
        std::vector<Integer> scores;
        for (std::size_t c = 0; c < d_.clusters; ++c) scores.push_back(fit(seen[v][c], v, volume[c]));
        next[v] = static_cast<int>(best(scores));
      }
      label_ = next;
    }
    const std::vector<int> first_label = label_;
    for (std::size_t number = last + 1; number-- > 0;) {
      std::vector<int> next = label_;
      for (std::size_t v = 0; v < d_.nodes; ++v) {
        if (block_[v] != number) continue;
        const std::vector<Integer> before = volumes(v, true, first_label), after = volumes(v, false, label_);
        const std::int64_t of_forward = trust(v, before, d_.forward), of_back = trust(v, after, d_.backward);
        std::vector<Integer> scores;
        for (std::size_t c = 0; c < d_.clusters; ++c) {
          const std::int64_t cell =
              told(first_cell + most_ + c, v, links_into(v, c, false), d_.backward, largest_cell);
          scores.push_back(of_forward * fit(forward[v][c], v, before[c]) + of_back * fit(cell, v, after[c]));
        }
        next[v] = static_cast<int>(best(scores));
      }
      label_ = next;
    }
    found_.branch = 2;
    return true;
  }

  std::size_t position(std::size_t v) const {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), v) - order_.begin());
  }

  double noise() const {
    const double q = std::exp(-1 / d_.forward);
    return 2 * q / ((1 - q) * (1 - q));
  }
  void add_spread(const std::vector<std::int64_t>& row, const std::vector<Integer>& volume, double& spread,
                  double& variance) const {
    Integer all = 0;
    std::int64_t links = 0;
    for (std::size_t c = 0; c < d_.clusters; ++c) all += volume[c], links += row[c];
    if (all == 0) return;
    const double k = static_cast<double>(d_.clusters), sum = static_cast<double>(links);
    for (std::size_t c = 0; c < d_.clusters; ++c) {
      const double p = volume[c].convert_to<double>() / all.convert_to<double>();
      const double off = static_cast<double>(row[c]) - p * sum, chance = noise() * (1 - 2 * p + k * p * p);
      spread += off * off - chance - p * (1 - p) * sum;
      variance += (5 + 1 / noise()) * chance * chance;
    }
  }
  bool is_seen(double spread, double variance, double rows) const {
    return spread >= 3 * std::sqrt(variance) &&
           spread >= 0.03 * rows * static_cast<double>(d_.clusters) * noise();
  }

  std::int64_t trust(std::size_t v, const std::vector<Integer>& volume, double scale) const {
    Integer all = 0;
    for (const Integer& one : volume) all += one;
    const double x =
        weight_[v].convert_to<double>() / 65536 * (all.convert_to<double>() / total_.convert_to<double>());
    return static_cast<std::int64_t>(x * x / (x * x + 4 * scale * scale) * 65536);
  }

  Design d_;
  Number number_;
  Flaw flaw_;
  const SmallGraph* g_ = nullptr;
  Result found_;
  std::vector<Integer> weight_;
  Integer total_;
  bool quarter_ = false;  // few hubs hold so much of all links
  std::size_t most_ = 0;  // clusters that there can be
  std::vector<std::size_t> order_, block_;
  std::vector<int> label_;
};

// With the noise of a release under a key.
inline IndependentCircles::Number drawn_for(IndependentNoise& noise, const IndependentCircles::Design& d) {
  return [&noise, d](std::size_t column, std::size_t node, std::int64_t count) {
    const std::size_t cell = column - first_cell;
    if (column == leaving) return count + noise.draw(of_circle_leaving, 0, node, d.leaving);
    if (column >= first_cell && cell < d.clusters)
      return count + noise.draw(of_circle_forward, cell, node, d.forward);
    if (column >= first_cell)
      return count + noise.draw(of_circle_backward, cell - d.clusters, node, d.backward);
    const std::int64_t refined = count + noise.draw(of_circle_degrees, 0, node, d.fine);
    return column == fine
               ? refined
               : refined + noise.coarsening(of_circle_coins, of_circle_coarsening, node, d.fine, d.coarse);
  };
}

// By column and node, as a release gives them out.
inline std::vector<std::vector<std::int64_t>> columns_of(const IndependentCircles::Result& result,
                                                         const IndependentCircles::Design& d) {
  std::vector<std::vector<std::int64_t>> columns(5 + 2 * d.clusters, std::vector<std::int64_t>(d.nodes));
  columns.rbegin()[1].assign(d.nodes, result.branch);
  columns.back().assign(d.nodes, static_cast<std::int64_t>(result.clusters));
  for (const auto& [place, number] : result.numbers) columns[place.first][place.second] = number.released;
  return columns;
}

}  // namespace hushwalk::testing
