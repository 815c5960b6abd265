#include "estimate/link_tables.h"

#include <algorithm>
#include <array>

namespace hushwalk {
namespace {

constexpr float least_float_likelihood = 1e-30F;
constexpr double blur_deviation = 0.7;  // of the logarithm of a rate, between rows of one class

}  // namespace

int RateGrid::index(double rate) {
  const double exact = std::log(std::max(rate, 1e-4)) / std::log(step());
  return static_cast<int>(std::clamp(std::rint(exact), double{least}, double{most}));
}

LinkTables::LinkTables(double scale, std::int64_t lowest, std::int64_t highest)
    : lowest_(std::max(lowest, -static_cast<std::int64_t>(std::ceil(20 * scale)))),
      highest_(std::max(std::min<std::int64_t>(highest, 3000), lowest_)),
      likelihood_(static_cast<std::size_t>(highest_ - lowest_ + 1) * RateGrid::rates, least_float_likelihood),
      blurred_log_(likelihood_.size()) {
  for (int r = 0; r < RateGrid::rates; ++r)
    fill(RateGrid::value(r - RateGrid::of_one), static_cast<std::size_t>(r), std::exp(-1 / scale));
  blur();
}

// What lies below a count and what lies above it each decay from one count to the next.
void LinkTables::fill(double rate, std::size_t column, double decay) {
  const double width = 8 * std::sqrt(rate) + 10;
  if (rate - width > static_cast<double>(highest_) + 70 / std::max(-std::log(decay), 1e-3)) return;
  const auto last = std::max(highest_, static_cast<std::int64_t>(rate + width));
  const auto poisson = [&](std::int64_t links) {
    const auto x = static_cast<double>(links);
    return std::exp(x * std::log(rate) - rate - log_factorial(x));
  };
  std::vector<double> law(static_cast<std::size_t>(last) + 2);
  for (std::int64_t x = 0; x <= last; ++x)
    if (std::abs(static_cast<double>(x) - rate) <= width) law[static_cast<std::size_t>(x)] = poisson(x);
  const auto at = [&](std::int64_t x) { return x < 0 ? 0 : law[static_cast<std::size_t>(x)]; };
  const auto add = [&](std::int64_t count, double more) {
    if (count >= lowest_ && count <= highest_)
      likelihood_[static_cast<std::size_t>(count - lowest_) * RateGrid::rates + column] +=
          static_cast<float>(more);
  };
  double below = 0, above = 0;
  for (std::int64_t y = 0; y <= highest_; ++y) add(y, below = below * decay + at(y));
  for (std::int64_t y = last; y >= lowest_; --y) add(y, above = (above + at(y + 1)) * decay);
}

void LinkTables::blur() {
  static const int reach = static_cast<int>(std::ceil(2.2 * blur_deviation / std::log(RateGrid::step())));
  std::vector<double> weight;
  double sum = 0;
  for (int j = -reach; j <= reach; ++j) {
    const double away = j * std::log(RateGrid::step()) / blur_deviation;
    sum += weight.emplace_back(std::exp(-0.5 * away * away));
  }
  for (std::size_t row = 0; row < likelihood_.size(); row += RateGrid::rates)
    for (int r = 0; r < RateGrid::rates; ++r) {
      double mixed = 0;
      for (int j = -reach; j <= reach; ++j) {
        const int from = j + reach, at = std::clamp(r + j, 0, RateGrid::rates - 1);
        mixed +=
            weight[static_cast<std::size_t>(from)] * double{likelihood_[row + static_cast<std::size_t>(at)]};
      }
      blurred_log_[row + static_cast<std::size_t>(r)] = static_cast<float>(std::log(mixed / sum));
    }
}

std::int32_t LinkTables::place(std::int64_t count, int expected) const {
  return static_cast<std::int32_t>((std::clamp(count, lowest_, highest_) - lowest_) * RateGrid::rates +
                                   RateGrid::of_one + expected);
}

}  // namespace hushwalk
