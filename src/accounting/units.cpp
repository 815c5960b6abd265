#include "accounting/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/round_up.h"

namespace hushwalk::accounting {
namespace {

constexpr int unit_digits = 9;
constexpr Units all_units = std::numeric_limits<Units>::max();

struct Parts {
  Units units;
  bool exact;  // nothing was cut off
};

// The digits of a positive number below 1e9 as decimal text, cut after the ninth behind the point.
Parts written_parts(double value) {
  const std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  std::string digits = text.substr(0, e);
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  // value = digits * 10^exponent; in units, digits * 10^(exponent + 9).
  bool exact = true;
  int shift = exponent + unit_digits;
  for (; shift < 0 && !digits.empty(); ++shift) {
    exact &= digits.back() == '0';
    digits.pop_back();
  }
  digits.append(static_cast<std::size_t>(std::max(shift, 0)), '0');
  return {digits.empty() ? 0 : std::stoll(digits), exact};
}

}  // namespace

Units written_units_up(double value) {
  const auto [units, exact] = written_parts(value);
  return units + (exact ? 0 : 1);
}

Units written_units_down(double value) { return written_parts(value).units; }

Units computed_units_up(double value) {
  const double units = std::ceil(mul_up(value, static_cast<double>(units_per_one)));
  return units < 0x1p63 ? static_cast<Units>(units) : all_units;
}

Units plus(Units a, Units b) {
  Units sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? all_units : sum;
}

Units times(Units a, std::uint64_t count) {
  Units product = 0;
  return __builtin_mul_overflow(a, count, &product) ? all_units : product;
}

std::string decimal(Units units) {
  std::string text = fmt::format("{}.{:09}", units / units_per_one, units % units_per_one);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

double number(Units units) { return static_cast<double>(units) / static_cast<double>(units_per_one); }

double number_down(Units units) {
  const double closest = number(units);
  return mul_up(closest, static_cast<double>(units_per_one)) > static_cast<double>(units)
             ? std::nextafter(closest, 0)
             : closest;
}

}  // namespace hushwalk::accounting
