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

std::uint64_t ExpFraction::digits(std::uint64_t index) const {
  const auto wanted = static_cast<unsigned>(64 * (index + 1));
  for (unsigned spare = 64;; spare *= 2) {
    const unsigned bits = wanted + spare;
    const Bounds power = exp_bounds(numerator, denominator, bits);
    Integer plus = one ? 1 : 0, scaled = 1;
    plus <<= bits;
    scaled <<= bits + wanted;
    const Integer low = scaled / (power.high + plus), high = scaled / (power.low + plus);
    if (low == high) return static_cast<std::uint64_t>(low & ~std::uint64_t{0});
  }
}

LazyBernoulli::LazyBernoulli(const ExpFraction& bias, std::uint64_t kept) : bias_(bias), kept_(kept) {
  for (std::uint64_t i = 0; i < kept; ++i) first_[i] = bias.digits(i);
}

std::uint64_t LazyBernoulli::draw(WordReader& words) const {
  std::uint64_t undecided = ~std::uint64_t{0}, below = 0;
  const auto compare = [&](std::uint64_t digit) {  // all ones or all zeros
    const std::uint64_t different = undecided & (words.next_word() ^ digit);
    below |= different & digit;  // the random bit is 0 where the digit is 1: the uniform real is smaller
    undecided ^= different;
  };
  const auto top = [](std::uint64_t digits) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(digits) >> 63);
  };
  for (std::uint64_t index = 0; undecided != 0; ++index) {
    std::uint64_t rest = digits(index);
    // All lanes are hardly ever decided before the fifth digit, so nobody looks.
    for (int bit = 0; bit < 5; ++bit, rest <<= 1) compare(top(rest));
    for (int bit = 5; bit < 64 && undecided != 0; ++bit, rest <<= 1) compare(top(rest));
  }
  return below;
}

}  // namespace hushwalk
