#include "evaluation/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "diffusion/best.h"
#include "hushwalk/ranking.h"

namespace hushwalk {
namespace {

std::vector<Node> best_nodes(std::span<const double> scores, std::uint64_t count,
                             std::span<const Node> left_out) {
  std::vector<Node> nodes;
  for (const Ranked& ranked : top_k(scores, count, left_out)) nodes.push_back(ranked.node);
  return nodes;
}

double pairs(double count) { return count * (count - 1) / 2; }

// Pairs within runs of equal items of a sorted list.
template <class Item>
double tied_pairs(const std::vector<Item>& sorted) {
  double tied = 0;
  for (auto run = sorted.begin(); run != sorted.end();) {
    const auto end = std::find_if(run, sorted.end(), [&](const Item& item) { return item != *run; });
    tied += pairs(static_cast<double>(end - run));
    run = end;
  }
  return tied;
}

// Sorts, and counts the pairs that stood in the wrong order.
double sort_counting_inversions(std::vector<double>& values) {
  double inversions = 0;
  std::vector<double> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, values.size()),
                        end = std::min(begin + 2 * width, values.size());
      std::size_t left = begin, right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool take_left = right == end || (left < middle && values[left] <= values[right]);
        if (!take_left) inversions += static_cast<double>(middle - left);
        merged[to] = values[take_left ? left++ : right++];
      }
    }
    values.swap(merged);
  }
  return inversions;
}

}  // namespace

double kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  std::vector<std::pair<double, double>> points;
  points.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points.emplace_back(x[i], y[i]);
  std::ranges::sort(points);
  std::vector<double> xs, ys;
  for (const auto& [first, second] : points) {
    xs.push_back(first);
    ys.push_back(second);
  }
  const double all = pairs(static_cast<double>(x.size())), tied_x = tied_pairs(xs),
               tied_both = tied_pairs(points);
  const double discordant = sort_counting_inversions(ys), tied_y = tied_pairs(ys);
  const double concordant = all - tied_x - tied_y + tied_both - discordant;
  const double scale = std::sqrt(all - tied_x) * std::sqrt(all - tied_y);
  return scale > 0 ? std::clamp((concordant - discordant) / scale, -1.0, 1.0) : undefined;
}

double overlap(std::span<const Node> truth, std::span<const Node> answer) {
  if (truth.empty()) return undefined;
  std::vector<Node> a(truth.begin(), truth.end()), b(answer.begin(), answer.end()), both;
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(a.size());
}

ExactAnswer::ExactAnswer(std::vector<double> scores, Node seed, const std::vector<Node>& neighbors,
                         std::uint64_t top)
    : scores_(std::move(scores)), seed_(seed), top_(top) {
  all_ = find_best({seed});
  std::vector<Node> known = neighbors;
  known.push_back(seed);
  new_ = find_best(std::move(known));
}

ExactAnswer::Best ExactAnswer::find_best(std::vector<Node> left_out) const {
  Best best{std::move(left_out), {}};
  best.nodes = best_nodes(scores_, top_, best.left_out);
  best.gain = discounted_gain(best.nodes);
  return best;
}

// Only wild coefficients make a score negative; it is then as irrelevant as can be.
double ExactAnswer::discounted_gain(std::span<const Node> order) const {
  double gain = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    gain += std::max(scores_[order[i]], 0.0) / std::log2(static_cast<double>(i + 2));
  return gain;
}

double ExactAnswer::ndcg(const Best& best, std::span<const Node> order) const {
  return best.gain > 0 ? std::min(discounted_gain(order) / best.gain, 1.0) : undefined;
}

Metrics ExactAnswer::compare(std::span<const double> answer) const {
  Metrics metrics;
  const std::vector<Node> order = best_nodes(answer, top_, all_.left_out);
  metrics.ndcg = ndcg(all_, order);
  metrics.recall = overlap(all_.nodes, order);
  const std::vector<Node> new_order = best_nodes(answer, top_, new_.left_out);
  metrics.new_ndcg = ndcg(new_, new_order);
  metrics.new_recall = overlap(new_.nodes, new_order);
  metrics.l1 = 0;
  for (Node node = 0; node < scores_.size(); ++node)
    if (node != seed_) metrics.l1 += std::abs(answer[node] - scores_[node]);
  std::vector<double> exact, given;
  for (const Node node : all_.nodes) {
    exact.push_back(scores_[node]);
    given.push_back(answer[node]);
  }
  metrics.kendall = kendall_tau_b(exact, given);
  return metrics;
}

std::uint64_t ExactAnswer::rank_of(Node node) const {
  const Ranked mine{node, scores_[node]};
  std::uint64_t rank = 1;
  for (Node other = 0; other < scores_.size(); ++other)
    rank += other != seed_ && ranks_before({other, scores_[other]}, mine) ? 1 : 0;
  return rank;
}

void ExactAnswer::measure_ranges(std::span<const RankedNode> list, Metrics& metrics) const {
  double ranges = 0, held = 0, width = 0;
  for (const RankedNode& row : list) {
    if (!row.range) continue;
    const auto [low, high] = *row.range;
    const std::uint64_t rank = rank_of(row.node);
    ++ranges;
    held += low <= rank && rank <= high ? 1 : 0;
    width += static_cast<double>(high - low + 1);
  }
  if (!list.empty()) metrics.rank_share = ranges / static_cast<double>(list.size());
  if (ranges == 0) return;
  metrics.rank_coverage = held / ranges;
  metrics.rank_width = width / ranges;
}

}  // namespace hushwalk
