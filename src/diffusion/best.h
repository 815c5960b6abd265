// The best k of many scores in one pass: keep up to 2k candidates, halve them whenever they are full, and let
// the worst of the kept turn away nearly everything that follows.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "hushwalk/ranking.h"

namespace hushwalk {

// A total order: nodes are in the order of the user's ids.
inline bool ranks_before(const Ranked& a, const Ranked& b) {
  return a.score != b.score ? a.score > b.score : a.node < b.node;
}

class Best {
 public:
  explicit Best(std::size_t k) : k_(k) {}  // k >= 1

  void offer(const Ranked& item) {
    if (full_ && !ranks_before(item, worst_)) return;
    kept_.push_back(item);
    if (kept_.size() >= 2 * k_) halve();
  }

  // A lower score is turned away.
  double least() const { return full_ ? worst_.score : -std::numeric_limits<double>::infinity(); }

  std::vector<Ranked> take() {
    if (kept_.size() > k_) halve();
    std::ranges::sort(kept_, ranks_before);
    return std::move(kept_);
  }

 private:
  void halve() {
    std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1), ranks_before);
    kept_.resize(k_, Ranked{});
    worst_ = kept_.back();
    full_ = true;
  }

  std::size_t k_;
  std::vector<Ranked> kept_;
  Ranked worst_{};
  bool full_ = false;
};

}  // namespace hushwalk
