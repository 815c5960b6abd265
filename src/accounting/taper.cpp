#include "accounting/taper.h"

#include <algorithm>
#include <cmath>

#include "accounting/round_up.h"
#include "base/fail.h"

namespace hushwalk::accounting {
namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr std::uint64_t max_exact_taper = std::uint64_t{1} << 52;  // twice as much is still exact in a double

// The first d in [begin, end) for which `holds` is true, or end; it must not turn false again.
template <class Predicate>
std::uint64_t first_where(std::uint64_t begin, std::uint64_t end, Predicate holds) {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (holds(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

}  // namespace

double taper_sensitivity_up(Taper taper) {
  if (!taper) return 1;
  if (*taper == 0) fail_usage("`taper` is 0; it must be at least 1, or infinite");
  if (*taper > max_exact_taper)
    refuse("`taper` is {}; above {} its sensitivity cannot be told from 1: use an infinite one", *taper,
           max_exact_taper);
  const double twice = 2 * static_cast<double>(*taper);
  return div_up(twice - 1, twice);
}

QuantisedTaper::QuantisedTaper(double background, Taper taper) : taper_(taper) {
  if (!(background >= 0 && background <= 1))
    refuse("`background` is {}; outside [0, 1] the noise of twohop would not cover it", background);
  if (taper && (*taper == 0 || *taper > max_taper))
    fail_usage("`taper` is {}; it must be from 1 to {}, or infinite", *taper, max_taper);
  constexpr int mantissa_bits = 53;
  int exponent = 0;  // at most 1, since the background is at most 1
  mantissa_ = static_cast<std::uint64_t>(std::ldexp(std::frexp(background, &exponent), mantissa_bits));
  shift_ = std::min(mantissa_bits - exponent - fraction_bits, 127);
  if (taper_) numerator_ = static_cast<std::uint64_t>((Uint128{mantissa_} * *taper_ / 2) >> shift_);
}

std::array<std::uint64_t, 3> QuantisedTaper::key() const noexcept {
  return {mantissa_, static_cast<std::uint64_t>(shift_), taper_.value_or(0)};  // 0 is no taper
}

// floor(floor(a / b) / c) = floor(a / bc) makes one rounding of the divisions and the shift.
std::uint64_t QuantisedTaper::weight(std::uint64_t degree) const {
  if (!taper_) return static_cast<std::uint64_t>(Uint128{mantissa_} >> shift_);
  if (degree > *taper_) return numerator_ / degree;
  return static_cast<std::uint64_t>((Uint128{mantissa_} * (2 * *taper_ - degree) / (Uint128{2} * *taper_)) >>
                                    shift_);
}

std::uint64_t QuantisedTaper::moved(std::uint64_t degree) const {
  const std::uint64_t next = weight(degree + 1);
  return next + degree * (weight(degree) - next);
}

// Below the taper the weight falls by `low` or `low + 1` units from each degree to the next. Among the
// degrees where it falls by low + 1 the expression does not decrease with the degree, and the last of them is
// enough. Among the others it does not increase, and the first of them is 0 or follows one where it falls by
// low + 1, which moves as much or more. Degrees [0, end), end >= 1.
std::uint64_t QuantisedTaper::linear_part(std::uint64_t end) const {
  const auto low = static_cast<std::uint64_t>((Uint128{mantissa_} / (Uint128{2} * *taper_)) >> shift_);
  const std::uint64_t last_value = weight(end) + end * low;
  const std::uint64_t after_last_high =
      first_where(0, end, [&](std::uint64_t d) { return weight(d) + d * low == last_value; });
  return std::max(moved(0), after_last_high > 0 ? moved(after_last_high - 1) : 0);
}

// Above it weight(d) = floor(C/d) and the expression is (C mod (d+1)) - (C mod d) + 2 floor(C/(d+1)) <= d +
// 2C/(d+1), a convex bound that ends the search early. Once d(d+1) > C the weight falls by one unit at most,
// and of the degrees where it falls the last is the worst. Degrees [begin, end), begin >= the taper.
std::uint64_t QuantisedTaper::hyperbolic_part(std::uint64_t begin, std::uint64_t end) const {
  const auto bound = [&](std::uint64_t d) { return d + 2 * (numerator_ / (d + 1) + 1); };
  const std::uint64_t flat =
      first_where(begin, end, [&](std::uint64_t d) { return Uint128{d} * (d + 1) > numerator_; });
  std::uint64_t most = 0;
  for (std::uint64_t d = begin; d < flat && std::max(bound(d), bound(flat - 1)) > most; ++d)
    most = std::max(most, moved(d));
  if (flat == end) return most;
  const std::uint64_t after_last_fall =
      first_where(flat, end, [&](std::uint64_t d) { return weight(d) == weight(end); });
  most = std::max(most, moved(flat));
  return after_last_fall > flat ? std::max(most, moved(after_last_fall - 1)) : most;
}

std::uint64_t QuantisedTaper::sensitivity(std::uint64_t nodes) const {
  if (nodes > max_nodes)
    refuse("{} nodes are too many for weights in units of 2^-32; at most {}", nodes, max_nodes);
  if (nodes < 2) return 0;
  const std::uint64_t end = nodes - 1;  // degrees 0..nodes-2 before the edge is added
  if (!taper_) return weight(0);
  std::uint64_t most = linear_part(std::min(end, *taper_));
  if (end > *taper_) most = std::max(most, hyperbolic_part(*taper_, end));
  return most;
}

std::uint64_t QuantisedTaper::checked_sensitivity(std::uint64_t nodes) const {
  const std::uint64_t value = sensitivity(nodes);
  if (value > unit)
    refuse(
        "an edge can move the background by {} of a link, more than one: use a smaller `background` or another `taper`",
        static_cast<double>(value) / static_cast<double>(unit));
  return value;
}

}  // namespace hushwalk::accounting
