// The taper of `twohop` and `shared`: how much a node of degree d passes on to each neighbour,
// w(d) = 1 - d/2t for d <= t, t/2d above, or 1 for an infinite taper t. Note: docs/math/12-taper.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace hushwalk::accounting {

// No value means an infinite taper, which is the plain degree.
using Taper = std::optional<std::uint64_t>;

// S_w = max over d of w(d+1) + d |w(d) - w(d+1)|, what a new edge at a node moves among its neighbours:
// 1 - 1/2t, or 1 for an infinite taper. In real numbers; a release uses the integer weights below.
// Error{usage} for a taper of 0, Error{refused} for one above 2^52, which doubles do not hold exactly.
double taper_sensitivity_up(Taper taper);

// The weights background * w(d), each rounded down once to whole units of 2^-32, and what they cost.
class QuantisedTaper {
 public:
  static constexpr int fraction_bits = 32;
  static constexpr std::uint64_t unit = std::uint64_t{1} << fraction_bits;  // the number 1
  static constexpr std::uint64_t max_nodes = (std::uint64_t{1} << 30) - 1;
  static constexpr std::uint64_t max_taper = std::uint64_t{1} << 31;

  // Error{refused} when the background is outside [0, 1]; Error{usage} when the taper is 0 or above
  // max_taper.
  QuantisedTaper(double background, Taper taper);

  std::uint64_t weight(std::uint64_t degree) const;

  // Equal for equal weights only.
  std::array<std::uint64_t, 3> key() const noexcept;

  // max over d = 0..nodes-2 of weight(d+1) + d |weight(d) - weight(d+1)|, exactly, in units. The number of
  // nodes is public; degrees are not looked at. Error{refused} when there are more than max_nodes.
  std::uint64_t sensitivity(std::uint64_t nodes) const;

  // The same, and Error{refused} when it exceeds 1: the noise scales of `twohop` need background * S_w <= 1.
  std::uint64_t checked_sensitivity(std::uint64_t nodes) const;

 private:
  std::uint64_t moved(std::uint64_t degree) const;  // the expression that is maximised
  std::uint64_t linear_part(std::uint64_t end) const;
  std::uint64_t hyperbolic_part(std::uint64_t begin, std::uint64_t end) const;

  std::uint64_t mantissa_;  // background = mantissa_ 2^-(shift_ + fraction_bits)
  int shift_;
  Taper taper_;
  std::uint64_t numerator_ = 0;  // above the taper weight(d) = floor(numerator_ / d)
};

}  // namespace hushwalk::accounting
