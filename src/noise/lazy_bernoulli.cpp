#include "noise/lazy_bernoulli.h"

#include <boost/multiprecision/cpp_int.hpp>

namespace hushwalk {
namespace {

using Integer = boost::multiprecision::cpp_int;

// low <= v * 2^bits <= high for some real v.
struct Bounds {
  Integer low, high;
};

// The series of e^y for y in [low, high] / 2^bits, y <= 2^-8: every term rounded down for the one bound and
// up for the other, until the lower term vanishes. All that follows is then below the last upper term.
Bounds exp_series(const Bounds& y, unsigned bits) {
  Bounds term{Integer(1) << bits, Integer(1) << bits};
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
  while ((Integer(denominator) << halvings) < Integer(numerator) << 9) ++halvings;
  const Integer y = (Integer(numerator) << bits) / (Integer(denominator) << halvings);
  Bounds power = exp_series({y, y + 1}, bits);
  for (unsigned i = 0; i < halvings; ++i) {
    power.low = (power.low * power.low) >> bits;
    power.high = ((power.high * power.high) >> bits) + 1;
  }
  return power;
}

}  // namespace

std::uint64_t ExpFraction::digits(std::uint64_t first, unsigned count) const {
  const auto wanted = static_cast<unsigned>(first + count);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - count);
  for (unsigned spare = 64;; spare *= 2) {
    const unsigned bits = wanted + spare;
    const Bounds power = exp_bounds(numerator, denominator, bits);
    Integer plus = one ? 1 : 0, scaled = 1;
    plus <<= bits;
    scaled <<= bits + wanted;
    const Integer low = scaled / (power.high + plus), high = scaled / (power.low + plus);
    if (low == high) return static_cast<std::uint64_t>(low & mask);
  }
}

LazyBernoulli::LazyBernoulli(const ExpFraction& bias, std::uint64_t kept) : bias_(bias), kept_(kept) {
  const std::uint64_t first = bias.digits(0, planes);
  for (unsigned i = 0; i < planes; ++i) first_[i] = -(first >> (planes - 1 - i) & 1);
  for (std::uint64_t i = 0; i < kept; ++i) next_[i] = bias.digits(planes + 64 * i, 64);
}

// One lane, all of whose bits so far agree with the digits.
bool LazyBernoulli::settle(WordReader& words) const {
  for (std::uint64_t i = 0;; ++i) {
    const std::uint64_t word = words.next_word();
    const std::uint64_t digits = i < kept_ ? next_[i] : bias_.digits(planes + 64 * i, 64);
    if (word != digits) return word < digits;
  }
}

}  // namespace hushwalk
