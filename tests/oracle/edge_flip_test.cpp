// The flip probability of `edgeflip` in 100 digits: never below 1 / (1 + e^epsilon), and not far above.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hushwalk/mechanism.h"
#include "support/high_precision.h"

namespace hushwalk {
namespace {

using testing::Big;

TEST(FlipProbability, IsRoundedUpForEveryEpsilon) {
  for (int i = 0; i < 14'000; ++i) {
    const double epsilon = std::min(1e-12 * std::pow(1.003, i), 1e6);
    const ReleaseParameters request{
        .mechanism = "edgeflip", .scope = Scope::edge, .epsilon = Epsilon(epsilon)};
    const Big scale(make_plan(public_facts(100), request).noise.front().lattice_scale);
    const Big stay = exp(-1 / scale), flip = 1 - stay;
    // The odds of both outputs, which change by (1 - p) / p or, should p exceed 1/2, by p / (1 - p).
    EXPECT_TRUE(log(stay / flip) <= Big(epsilon)) << epsilon;
    EXPECT_TRUE(log(flip / stay) <= Big(epsilon)) << epsilon;
    if (epsilon < 30) {
      EXPECT_TRUE(flip <= (1 + Big(1e-13)) / (1 + exp(Big(epsilon)))) << epsilon;
    }
  }
}

}  // namespace
}  // namespace hushwalk
