// Answers to seeds whose exact answers are known: the part that `evaluate` and `tune` share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/metrics.h"
#include "hushwalk/evaluation.h"
#include "hushwalk/plan.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// Up to `count` nodes of degree >= 1, without repeats, each set of that size equally likely. Error{usage}
// when there are none.
std::vector<Node> draw_seeds(const Graph& graph, std::uint64_t count, std::uint64_t random_seed);

struct KnownSeed {
  Node seed;
  ExactAnswer exact;
};
std::vector<KnownSeed> exact_answers(const Graph& graph, const Diffusion& diffusion,
                                     std::span<const Node> seeds, std::uint64_t top,
                                     const Progress& progress);

// The metrics of each seed, in order.
std::vector<Metrics> measure_exact(std::span<const KnownSeed> seeds);
std::vector<Metrics> measure_free(const Graph& graph, const Diffusion& diffusion, Scope scope,
                                  std::uint64_t random_seed, std::span<const KnownSeed> seeds);
// With noise from the operating system. An artefact that serves many is drawn afresh for every ten seeds, up to ten times.
std::vector<Metrics> measure_plan(const Graph& graph, const Plan& plan, std::span<const KnownSeed> seeds,
                                  const Progress& progress);

// How long the answers of a plan take, roughly, in milliseconds on a million edges.
double rough_cost(const Plan& plan);

// Over the numbers that are defined.
Measure summarize(std::span<const double> values);
Measure paired_difference(std::span<const double> values, std::span<const double> others);

}  // namespace hushwalk
