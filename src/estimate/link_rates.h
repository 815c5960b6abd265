// Posterior means of small counts with Laplace noise, when something is known of the rate at which each was
// counted: here the links of the nodes of O into N, a node of large popularity having more. Post-processing.
#pragma once

#include <span>
#include <vector>

namespace hushwalk {

struct NoisyCounts {
  std::vector<double> values;
  double scale;
  int most;      // no count is above it
  double total;  // about what all counts sum to, above 0
};

// A count is taken to be Poisson with rate z popularity^a, as restricted to 0..most: the exponent a and the
// distribution of z are chosen by the likelihood of all counts, then z again within groups of similar
// popularity.
std::vector<double> posterior_counts(const NoisyCounts& noisy, std::span<const double> popularity);

}  // namespace hushwalk
