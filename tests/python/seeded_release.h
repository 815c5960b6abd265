// A release whose noise repeats itself: for tests.
#pragma once

#include <vector>

#include "mechanism/mechanism.h"
#include "support/seeded_key.h"

namespace hushwalk::testing {

inline std::vector<double> seeded_scores(const Graph& graph, const SeedVector& seed,
                                         const ReleaseParameters& parameters, std::uint64_t key) {
  const Plan plan = make_plan(graph.facts(), parameters);
  KeyedNoise noise(seeded_key(key));
  const auto release = find_mechanism(plan.parameters.mechanism).start(plan, graph, noise, {});
  return release->answer(std::span(&seed, 1), 0, {}).front().scores;
}

}  // namespace hushwalk::testing
