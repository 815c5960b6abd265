#include "accounting/conversion.h"

#include <algorithm>
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

// A coarse scan finds the valley (minima over tau can make more than one), Brent's method its bottom.
BestOrder best_order(const std::function<double(double)>& rdp, double delta) {
  const auto at = [&](double log_order) {
    const double order = 1 + std::exp(log_order);
    return epsilon_up(order, rdp(order), delta);
  };
  constexpr double width = (log_highest - log_lowest) / (coarse_points - 1);
  BestOrder best = {infinite_order, rdp(infinite_order)};
  double best_log = log_highest, lowest = best.epsilon;
  for (int i = 0; i < coarse_points; ++i) {
    const double log_order = log_lowest + width * i;
    if (const double epsilon = at(log_order); epsilon < lowest) {
      lowest = epsilon;
      best_log = log_order;
    }
  }
  const double low = std::max(log_lowest, best_log - width), high = std::min(log_highest, best_log + width);
  const auto [log_order, epsilon] = boost::math::tools::brent_find_minima(at, low, high, brent_bits);
  if (epsilon < best.epsilon) best = {1 + std::exp(log_order), epsilon};
  if (lowest < best.epsilon) best = {1 + std::exp(best_log), lowest};
  return best;
}

}  // namespace hushwalk::accounting
