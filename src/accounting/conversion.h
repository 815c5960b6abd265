// From Rényi to (epsilon, delta): docs/math/10-conversion.md. Rounded up, never below 0.
#pragma once

#include <functional>

namespace hushwalk::accounting {

// rdp + ln(1/delta) / (order - 1). Mironov 2017, Proposition 3.
double mironov_epsilon_up(double order, double rdp, double delta);

// rdp + ln((order-1)/order) - (ln delta + ln order) / (order - 1). Canonne, Kamath and Steinke 2020,
// Proposition 12.
double improved_epsilon_up(double order, double rdp, double delta);

// The smaller of the two; rdp itself at order infinity.
double epsilon_up(double order, double rdp, double delta);

struct BestOrder {
  double order;
  double epsilon;
};

// The smallest epsilon_up over orders in (1, infinity] for a curve of Rényi divergences. The search is not
// rigorous and need not be: every order gives a valid epsilon.
BestOrder best_order(const std::function<double(double)>& rdp, double delta);

}  // namespace hushwalk::accounting
