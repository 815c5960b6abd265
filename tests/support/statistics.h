// Tests of hypotheses. Every one returns a p-value; a test compares it with its ALPHA.
#pragma once

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace hushwalk::testing {

inline double chi_square_p(double statistic, double degrees) {
  return boost::math::gamma_q(degrees / 2, statistic / 2);
}

// Both tails of the normal distribution beyond |z|.
inline double normal_p(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

// That `hits` of `trials` have probability p.
inline double proportion_p(double hits, double trials, double p) {
  return normal_p((hits - trials * p) / std::sqrt(trials * p * (1 - p)));
}

inline std::map<std::int64_t, double> count(std::span<const std::int64_t> samples) {
  std::map<std::int64_t, double> counts;
  for (const std::int64_t sample : samples) ++counts[sample];
  return counts;
}

// That samples follow pmf on [-last, last]. Values with fewer than `least` expected samples are pooled by
// side.
template <class Pmf>
double chi_square_fit_p(std::span<const std::int64_t> samples, std::int64_t last, const Pmf& pmf) {
  constexpr double least = 20;
  const auto n = static_cast<double>(samples.size());
  const auto counts = count(samples);
  double statistic = 0, degrees = -1, expected_sum = 0, observed_sum = 0;
  const auto close_bin = [&] {
    statistic += (observed_sum - expected_sum) * (observed_sum - expected_sum) / expected_sum;
    degrees += 1;
    expected_sum = observed_sum = 0;
  };
  double seen = 0;
  for (std::int64_t k = -last; k <= last; ++k) {
    const auto found = counts.find(k);
    const double observed = found == counts.end() ? 0 : found->second;
    seen += observed;
    expected_sum += n * pmf(k);
    observed_sum += observed;
    if (expected_sum >= least) close_bin();
  }
  if (seen != n) return 0;  // something lies outside
  if (expected_sum > 0) close_bin();
  return chi_square_p(statistic, degrees);
}

// That two samples come from the same distribution on the integers, values pooled to at least 40.
inline double chi_square_two_sample_p(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  constexpr double least = 40;
  auto first = count(a), second = count(b);
  std::map<std::int64_t, double> both = first;
  for (const auto& [value, number] : second) both[value] += number;
  const double na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  double statistic = 0, degrees = -1, ca = 0, cb = 0;
  for (const auto& [value, number] : both) {
    ca += first[value];
    cb += second[value];
    if (ca + cb < least) continue;
    const double difference = ca * std::sqrt(nb / na) - cb * std::sqrt(na / nb);
    statistic += difference * difference / (ca + cb);
    degrees += 1;
    ca = cb = 0;
  }
  return chi_square_p(statistic, degrees);
}

// The limit distribution of Kolmogorov's statistic.
inline double kolmogorov_p(double lambda) {
  double p = 0;
  for (int k = 1; k < 100; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * lambda * lambda);
  return std::clamp(p, 0.0, 1.0);
}

// That the samples follow a continuous distribution (Kolmogorov-Smirnov).
template <class Cdf>
double kolmogorov_smirnov_p(std::vector<std::int64_t> samples, const Cdf& cdf) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double distance = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double f = cdf(static_cast<double>(samples[i])), at = static_cast<double>(i);
    distance = std::max({distance, f - at / n, (at + 1) / n - f});
  }
  return kolmogorov_p(distance * std::sqrt(n));
}

// That sums of independent standard normals squared, as many as `z` has, look like it.
inline double all_normal_p(std::span<const double> z) {
  double statistic = 0;
  for (const double value : z) statistic += value * value;
  return chi_square_p(statistic, static_cast<double>(z.size()));
}

}  // namespace hushwalk::testing
