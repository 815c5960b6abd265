// The low bits: a released number is a whole number of lattice units, and every residue can be reached in
// both worlds. Textbook floating-point noise fails (Mironov, "On significance of the least significant bits
// for differential privacy", CCS 2012).
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "audit/sampling.h"
#include "audit/statistical.h"
#include "audit/targets.h"
#include "support/seeded.h"
#include "support/statistics.h"

namespace hushwalk {
namespace {

using auditing::AdjacentPair;
using auditing::Target;

constexpr double ALPHA = 1e-6;
constexpr double FRESH_ALPHA = 1e-12;  // of samples that are not seeded
constexpr std::uint64_t N = 20'000;
constexpr std::int64_t residues = 64;

std::vector<std::int64_t> residues_of(const auditing::Sample& sample, std::size_t place) {
  std::vector<std::int64_t> found;
  for (std::size_t t = 0; t < sample.trials(); ++t)
    found.push_back(((sample.trial(t)[place] % residues) + residues) % residues);
  return found;
}

TEST(Bits, BothWorldsReachTheSameResiduesOfTheLattice) {
  for (const auto& [mechanism, scope] :
       std::vector<std::pair<std::string, Scope>>{{"twohop", Scope::personalized},
                                                  {"shared", Scope::edge},
                                                  {"output", Scope::personalized},
                                                  {"output", Scope::edge},
                                                  {"pushflow", Scope::personalized},
                                                  {"pushflow", Scope::edge},
                                                  {"paper", Scope::personalized},
                                                  {"paper", Scope::edge}}) {
    ReleaseParameters request;
    request.mechanism = mechanism;
    request.scope = scope;
    const Target target = auditing::standard_targets(request).front();
    const AdjacentPair pair = auditing::worst_pairs(scope).front();
    const auditing::Subject subject = target.subject(pair);
    const auto known = auditing::compare_often(subject, pair, 2);
    const auto without = sample(subject, pair.without(), pair.seed, known.moved, N, {}),
               with = sample(subject, pair.with(), pair.seed, known.moved, N, {});
    for (std::size_t place = 0; place < known.moved.size(); ++place) {
      const auto here = residues_of(without, place), there = residues_of(with, place);
      EXPECT_EQ(std::set(here.begin(), here.end()).size(), residues) << mechanism;
      EXPECT_EQ(std::set(there.begin(), there.end()).size(), residues) << mechanism;
      EXPECT_GT(testing::chi_square_two_sample_p(here, there), FRESH_ALPHA) << mechanism;
    }
  }
}

// Scores of the diffusions are their numbers: exact multiples of the lattice unit, up to the 53 bits of a
// double.
TEST(Bits, ScoresOfADiffusionAreMultiplesOfTheUnit) {
  ReleaseParameters request;
  request.mechanism = "output";
  request.diffusion = Diffusion::ppr(0.8, 3);
  request.eta = Eta(0.01);
  const Graph graph = auditing::worst_pairs(Scope::personalized).front().with();
  PrivateRanker ranker(graph, request);
  for (const double score : ranker.answer(SeedVector(0)).scores) {
    const double units = std::ldexp(score, ranker.plan().lattice_bits);
    EXPECT_EQ(units, std::floor(units));
  }
}

// y = f - b sign(u) ln(1 - 2|u|) in double, f being 0 or 1. Near zero the first is as fine as doubles get;
// the second is 1 plus something, a multiple of 2^-53.
TEST(Bits, TextbookFloatingPointNoiseIsCaught) {
  testing::Seeded random(1);
  const auto textbook = [&](double f) {
    const double u = random.uniform(-0.5, 0.5);
    return f - std::copysign(std::log(1 - 2 * std::abs(u)), u);
  };
  std::uint64_t fine[2] = {0, 0};
  for (const int world : {0, 1})
    for (std::uint64_t t = 0; t < N; ++t) {
      const double units = std::ldexp(textbook(world), 53);
      fine[world] += units != std::floor(units);
    }
  EXPECT_EQ(fine[1], 0U);
  EXPECT_GT(auditing::epsilon_bound(fine[0], fine[1], N, 0, ALPHA), 1);
}

}  // namespace
}  // namespace hushwalk
