// From noisy numbers to scores. Everything here comes after the noise: it sees released numbers, what the
// recipient knows and public parameters, never the graph, so that it may be changed without touching a proof.
#pragma once

#include <span>
#include <vector>

#include "mechanism/links.h"
#include "mechanism/series.h"

namespace hushwalk {

struct Estimate {
  std::vector<double> scores;            // by Node
  double near_error = 0, far_error = 0;  // standard deviations that noise leaves in a score
};

// `shared`: B with noise of this Laplace scale, in links. No value in `own`: edge scope, no own neighbours.
struct NoisyBackground {
  std::span<const double> values;
  double scale;
};
// An empirical-Bayes shrinkage of B, not negative: near-constant when B is all noise.
struct Shrunk {
  std::vector<double> values;
  double sum;
  double slope;  // how much of a noisy difference is kept
};
Shrunk shrink(const NoisyBackground& noisy);
Estimate estimate_shared(const Shrunk& background, double scale, const OwnLinks* own, const Series& theta);

// `twohop`: y with noise of scale b_in for the seed's neighbours and b_out elsewhere, in links.
struct NoisyTwoHop {
  std::span<const double> values;
  double b_in, b_out;
};
Estimate estimate_two_hop(const NoisyTwoHop& noisy, const SeedVector& seed, const OwnLinks& own,
                          const Series& theta);

}  // namespace hushwalk
