// How far it is to the next success of a coin that is thrown again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "noise/discrete_laplace.h"

namespace hushwalk {

// Independent G with P(G = g) = (1 - q) q^g for g = 0, 1, ..., q = e^(-1/scale), exactly: discrete Laplace
// draws that are not negative have this law (docs/math/21-edgeflip.md). So coins of bias 1 - q, thrown one by
// one, show G times false before each true. G saturates at 2^63 - 1. How many are drawn at a time does not
// matter: each draw has its address.
class GeometricSkips {
 public:
  // Of one piece of the pairs. The others must outlive it.
  GeometricSkips(const DiscreteLaplace& noise, NoiseSource& source, std::uint64_t piece)
      : noise_(noise), source_(source), piece_(piece) {}

  std::uint64_t next() {
    for (;;) {
      if (used_ == drawn_.size()) refill();
      const std::int64_t draw = drawn_[used_++];
      if (draw >= 0) return static_cast<std::uint64_t>(draw);
    }
  }

 private:
  // Few at first: a small graph needs no more.
  void refill() {
    first_ += drawn_.size();
    drawn_.resize(drawn_.empty() ? nodes_per_group : std::min<std::size_t>(2 * drawn_.size(), 1 << 14));
    draw_by_address(source_, NoiseKind::flips, piece_, noise_, first_, drawn_);
    used_ = 0;
  }

  const DiscreteLaplace& noise_;
  NoiseSource& source_;
  std::uint64_t piece_;
  std::uint64_t first_ = 0;  // the number of the first draw that is kept
  std::vector<std::int64_t> drawn_;
  std::size_t used_ = 0;
};

}  // namespace hushwalk
