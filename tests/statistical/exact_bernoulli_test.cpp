#include "noise/exact_bernoulli.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/seeded_source.h"
#include "support/statistics.h"

namespace hushwalk::testing {
namespace {

constexpr double ALPHA = 1e-4;
constexpr std::size_t N = 100'000;
constexpr std::uint64_t SEED = 1729;

TEST(ExactBernoulliFit, HasTheBiasOfFractionsAndOfExponentials) {
  const auto stream = SeededSource(SEED).stream(1);
  WordReader words(*stream);
  const auto hits = [&](const auto& coin) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += coin() ? 1 : 0;
    return sum;
  };
  EXPECT_GT(proportion_p(hits([&] { return draw_fraction<Uint128>(words, 3, 7); }), N, 3 / 7.0), ALPHA);
  for (const unsigned x : {1U, 5U, 10U, 25U}) {
    const double observed = hits([&] { return draw_exp<Uint128>(words, x, 10); });
    EXPECT_GT(proportion_p(observed, N, std::exp(-0.1 * x)), ALPHA) << x;
  }
}

}  // namespace
}  // namespace hushwalk::testing
