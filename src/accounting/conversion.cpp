#include "accounting/conversion.h"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "accounting/renyi.h"

namespace hushwalk::accounting {
namespace {

// Each term is within a few units in the last place; terms may cancel, so the margin is on their absolute
// sum.
constexpr double conversion_margin = 4e-15;

// ln(order - 1) is searched from 1e-4 to 1e15; beyond that infinity is as good.
constexpr double log_lowest = -9.2, log_highest = 34.5;
constexpr int coarse_points = 45;
constexpr int brent_bits = 26;  // half of a double's, all that the flat bottom of a minimum has

}  // namespace

double mironov_epsilon_up(double order, double rdp, double delta) {
  const double price = -std::log(delta) / (order - 1);
  return (rdp + price) * (1 + conversion_margin);
}

double improved_epsilon_up(double order, double rdp, double delta) {
  const double gain = std::log1p(1 / (order - 1)), log_order = std::log(order) / (order - 1);
  const double price = -std::log(delta) / (order - 1);
  const double epsilon = rdp + price - (gain + log_order);
  return std::max(0.0, epsilon + conversion_margin * (rdp + price + gain + log_order));
}

double epsilon_up(double order, double rdp, double delta) {
  if (order == infinite_order) return rdp;
  return std::min(mironov_epsilon_up(order, rdp, delta), improved_epsilon_up(order, rdp, delta));
}

// A coarse scan finds the valleys (minima over tau and blocks can make more than one), Brent's method the
// bottom of each: were only one looked into, the result would jump where another becomes the lowest.
BestOrder best_order(const std::function<double(double)>& rdp, double delta) {
  BestOrder best = {infinite_order, rdp(infinite_order)};
  const auto at = [&](double log_order) {
    const double order = 1 + std::exp(log_order), epsilon = epsilon_up(order, rdp(order), delta);
    if (epsilon < best.epsilon) best = {order, epsilon};
    return epsilon;
  };
  constexpr double width = (log_highest - log_lowest) / (coarse_points - 1);
  std::array<double, coarse_points> coarse;
  for (int i = 0; i < coarse_points; ++i) coarse[i] = at(log_lowest + width * i);
  for (int i = 0; i < coarse_points; ++i) {
    const bool valley =
        (i == 0 || coarse[i] < coarse[i - 1]) && (i + 1 == coarse_points || coarse[i] <= coarse[i + 1]);
    if (!valley) continue;
    const double middle = log_lowest + width * i;
    boost::math::tools::brent_find_minima(at, std::max(log_lowest, middle - width),
                                          std::min(log_highest, middle + width), brent_bits);
  }
  return best;
}

}  // namespace hushwalk::accounting
