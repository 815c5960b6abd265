// A double is a fraction.
#pragma once

#include <cmath>
#include <cstdint>

namespace hushwalk {

struct Fraction {
  std::uint64_t numerator, denominator;  // the latter a power of two
};

// value, exactly and in lowest terms, for 2^-4 <= value <= 2^52.
inline Fraction exact_fraction(double value) {
  std::uint64_t denominator = 1;
  while (value != std::floor(value)) {
    value *= 2;
    denominator *= 2;
  }
  return {static_cast<std::uint64_t>(value), denominator};
}

}  // namespace hushwalk
