// Reproducible random parameters for tests that try many. Not for noise.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace hushwalk::testing {

class Seeded {
 public:
  explicit Seeded(std::uint64_t seed) : words_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return words_() % bound; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool coin() { return below(2) == 1; }
  double uniform(double low = 0, double high = 1) {
    return low + (high - low) * static_cast<double>(words_() >> 11) * 0x1p-53;
  }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

 private:
  std::mt19937_64 words_;
};

}  // namespace hushwalk::testing
