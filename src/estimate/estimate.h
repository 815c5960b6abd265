// From noisy numbers to scores. Everything here comes after the noise: it sees released numbers, what the
// recipient knows and public parameters, never the graph, so that it may be changed without touching a proof.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diffusion/series.h"
#include "estimate/own_links.h"
#include "hushwalk/ranking.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// Released numbers, which are in units of 2^-32, in links.
std::vector<double> to_links(std::span<const std::int64_t> units);

struct Estimate {
  std::vector<double> scores;            // by Node
  double near_error = 0, far_error = 0;  // standard deviations that noise leaves in a score
  std::optional<RankDoubt> doubt = {};
};

// `twohop`: y with noise of scale b_in for the seed's neighbours and b_out elsewhere, in links.
struct NoisyTwoHop {
  std::vector<double> values;
  double b_in, b_out;
};
Estimate estimate_two_hop(NoisyTwoHop noisy, const SeedVector& seed, const OwnLinks& own,
                          const Series& theta);

}  // namespace hushwalk
