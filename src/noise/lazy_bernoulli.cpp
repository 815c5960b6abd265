#include "noise/lazy_bernoulli.h"

#include <boost/multiprecision/cpp_int.hpp>

namespace hushwalk {
namespace {

using Integer = boost::multiprecision::cpp_int;

// low <= v * 2^bits <= high for some real v.
struct Bounds {
  Integer low, high;
};

Integer power_of_two(unsigned exponent) {
  Integer power;
  bit_set(power, exponent);
  return power;
}

// The series of e^y for y in [low, high] / 2^bits, y <= 2^-8: every term rounded down for the one bound and
// up for the other, until the lower term vanishes. All that follows is then below the last upper term.
Bounds exp_series(const Bounds& y, unsigned bits) {
  Bounds term{power_of_two(bits), power_of_two(bits)};
  Bounds sum = term;
  for (unsigned k = 1; term.low != 0; ++k) {
    term.low = ((term.low * y.low) >> bits) / k;
    term.high = ((term.high * y.high) >> bits) / k + 1;
    sum.low += term.low;
    sum.high += term.high;
  }
  sum.high += term.high;
  return sum;
}

// e^x = (e^(x / 2^halvings))^(2^halvings).
Bounds exp_bounds(std::uint64_t numerator, std::uint64_t denominator, unsigned bits) {
  unsigned halvings = 0;
  while (power_of_two(halvings) * denominator < power_of_two(9) * numerator) ++halvings;
  const Integer y = power_of_two(bits) * numerator / (power_of_two(halvings) * denominator);
  Bounds power = exp_series({y, y + 1}, bits);
  for (unsigned i = 0; i < halvings; ++i) {
    power.low = (power.low * power.low) >> bits;
    power.high = ((power.high * power.high) >> bits) + 1;
  }
  return power;
}

// The first `wanted` digits as one number.
Integer first_digits(const ExpFraction& bias, unsigned wanted) {
  for (unsigned spare = 64;; spare *= 2) {
    const unsigned bits = wanted + spare;
    const Bounds power = exp_bounds(bias.numerator, bias.denominator, bits);
    const Integer scaled = power_of_two(bits + wanted), plus = bias.one ? power_of_two(bits) : Integer(0);
    const Integer low = scaled / (power.high + plus), high = scaled / (power.low + plus);
    if (low == high) return low;
  }
}

std::uint64_t last_word(const Integer& digits) {
  return static_cast<std::uint64_t>(digits & ~std::uint64_t{0});
}

}  // namespace

std::uint64_t ExpFraction::digits(std::uint64_t first) const {
  return last_word(first_digits(*this, static_cast<unsigned>(first + 64)));
}

std::uint64_t CoarseningBias::digits(std::uint64_t first) const {
  const auto wanted = static_cast<unsigned>(first + 64);
  for (unsigned spare = 128;; spare *= 2) {
    const unsigned bits = wanted + spare;
    const Bounds x = exp_bounds(fine.denominator, fine.numerator, bits),
                 y = exp_bounds(coarse.denominator, coarse.numerator, bits);
    const Integer one = power_of_two(bits);
    const auto ratio = [&](const Integer& large_x, const Integer& less_x, const Integer& large_y,
                           const Integer& less_y) -> Integer {
      const Integer numerator = large_x * (large_y - one) * (large_y - one),
                    denominator = less_y * (less_x - one) * (less_x - one);
      return (numerator << wanted) / denominator;
    };
    if (y.low == one) continue;
    const Integer low = ratio(x.low, x.high, y.low, y.high), high = ratio(x.high, x.low, y.high, y.low);
    if (low == high) return last_word(low);
  }
}

LazyBernoulli::LazyBernoulli(const ExpFraction& bias, std::uint64_t kept) : bias_(bias), kept_(kept) {
  Integer digits = first_digits(bias, static_cast<unsigned>(planes + 64 * kept));
  for (std::uint64_t i = kept; i-- > 0; digits >>= 64) next_[i] = last_word(digits);
  first_byte_ = static_cast<std::uint8_t>(last_word(digits));
  for (unsigned i = planes; i-- > 0; digits >>= 1) first_[i] = -(last_word(digits) & 1);
}

}  // namespace hushwalk
