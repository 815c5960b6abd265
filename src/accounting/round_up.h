// Arithmetic on numbers >= 0 that never falls below the true result: the exact rounding error of an operation
// decides whether to take the next double. A result that is exact stays as it is.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hushwalk::accounting {

// Below this a rounding error may itself underflow, so every result is moved up.
inline constexpr double exact_error_limit = 0x1p-900;

inline double next_up(double x) {
  return x < std::numeric_limits<double>::infinity()
             ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + 1)
             : x;
}

// Knuth's TwoSum gives the error of a sum. b may be negative as long as the sum is not.
inline double add_up(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  return error > 0 ? next_up(sum) : sum;
}

inline double mul_up(double a, double b) {
  const double product = a * b;
  if (product < exact_error_limit) return a > 0 && b > 0 ? next_up(product) : 0;
  return std::fma(a, b, -product) > 0 ? next_up(product) : product;
}

inline double div_up(double a, double b) {
  const double quotient = a / b;
  if (quotient < exact_error_limit || a < exact_error_limit) return a > 0 ? next_up(quotient) : 0;
  return std::fma(-quotient, b, a) > 0 ? next_up(quotient) : quotient;
}

inline double count_up(std::uint64_t count) {
  const double x = static_cast<double>(count);
  return x < 0x1p64 && static_cast<std::uint64_t>(x) < count ? next_up(x) : x;
}

// For a value that a formula gives within a known relative error.
inline double raise(double value, double margin) { return mul_up(value, 1 + margin); }

}  // namespace hushwalk::accounting
