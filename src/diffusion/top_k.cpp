// The best k of many scores in one pass: keep up to 2k candidates, halve them whenever they are full, and let
// the worst of the kept turn away nearly everything that follows.
#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "hushwalk/ranking.h"

namespace hushwalk {
namespace {

// A total order: nodes are in the order of the user's ids.
bool before(const Ranked& a, const Ranked& b) {
  return a.score != b.score ? a.score > b.score : a.node < b.node;
}

class Best {
 public:
  explicit Best(std::size_t k) : k_(k) {}  // k >= 1

  void offer(const Ranked& item) {
    if (full_ && !before(item, worst_)) return;
    kept_.push_back(item);
    if (kept_.size() >= 2 * k_) halve();
  }

  std::vector<Ranked> take() {
    if (kept_.size() > k_) halve();
    std::ranges::sort(kept_, before);
    return std::move(kept_);
  }

 private:
  void halve() {
    std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1), before);
    kept_.resize(k_, Ranked{});
    worst_ = kept_.back();
    full_ = true;
  }

  std::size_t k_;
  std::vector<Ranked> kept_;
  Ranked worst_{};
  bool full_ = false;
};

void set_all(std::vector<bool>& marks, std::span<const Node> nodes, bool value) {
  for (const Node node : nodes) {
    if (node >= marks.size()) fail_usage("node {} has no score: there are {} scores", node, marks.size());
    marks[node] = value;
  }
}

}  // namespace

std::vector<Ranked> top_k(std::span<const double> scores, std::uint64_t k, std::span<const Node> excluded,
                          std::optional<std::span<const Node>> candidates) {
  std::vector<bool> eligible(scores.size(), !candidates);
  if (candidates) set_all(eligible, *candidates, true);
  set_all(eligible, excluded, false);
  if (k == 0) return {};
  Best best(std::min<std::uint64_t>(k, scores.size() + 1));
  for (std::size_t node = 0; node < scores.size(); ++node) {
    if (!eligible[node]) continue;
    if (std::isnan(scores[node])) fail("the score of node {} is not a number", node);
    best.offer({static_cast<Node>(node), scores[node]});
  }
  return best.take();
}

}  // namespace hushwalk
