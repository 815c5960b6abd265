// Noise that can be made finer later: X of scale `fine`, and X + W of scale `coarse`, both discrete Laplace
// and W independent of X. Whoever has X + W and is then given X has seen no more than X alone tells, because
// W was drawn without looking at what X hides.
//
// With p = e^(-1/scale) the generating function of discrete Laplace noise is 1 / (1 + a (2 - z - 1/z)),
// a = p / (1 - p)^2. So X + W has that of `coarse` if W is 0 with probability a_fine / a_coarse and else a
// draw of scale `coarse`. The coin is compared exactly. Proof: docs/math/26-circles.md, 1.
#pragma once

#include <cstdint>
#include <span>

#include "noise/discrete_laplace.h"

namespace hushwalk {

// Immutable, so threads may share one.
class Coarsening {
 public:
  // Error{usage} unless fine < coarse, both scales of DiscreteLaplace.
  Coarsening(double fine, double coarse);

  // W for the numbers `first`, `first` + 1, ... by address, `first` a multiple of 64: coins and draws have a
  // kind each.
  void draw(NoiseSource& source, NoiseKind coins, NoiseKind draws, std::uint64_t first,
            std::span<std::int64_t> out) const;

 private:
  void cancel_where_true(PieceWords& words, std::uint64_t first_group, std::span<std::int64_t> out) const;
  bool shows_true(PieceWords& words, std::uint64_t node, std::uint64_t word) const;

  DiscreteLaplace coarse_;
  CoarseningBias bias_;
  std::uint64_t first_digits_;
};

}  // namespace hushwalk
