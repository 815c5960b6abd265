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

// Of a request whose epsilon is what all its rankings share, with a mechanism in the place of `auto`: what
// each ranking gets. One artefact spends epsilon once, fresh noise for each leaves an equal part of it to
// each.
ReleaseParameters part_of_each(const ReleaseParameters& wanted);
// make_plan() of that.
Plan plan_for_all(const PublicFacts& facts, const ReleaseParameters& wanted);

// The metrics of each seed, in order.
std::vector<Metrics> measure_exact(std::span<const KnownSeed> seeds);
std::vector<Metrics> measure_free(const Graph& graph, const Diffusion& diffusion, Scope scope,
                                  std::uint64_t random_seed, std::span<const KnownSeed> seeds);
// With noise from the operating system. An artefact that serves many is drawn afresh for every ten seeds.
std::vector<Metrics> measure_plan(const Graph& graph, const Plan& plan, std::span<const KnownSeed> seeds,
                                  const Progress& progress);

// How long an answer of a plan takes, roughly, in milliseconds on a million edges.
double rough_cost(const Plan& plan);

// One of the numbers, of every seed.
std::vector<double> column(std::span<const Metrics> metrics, double Metrics::* field);
// Over the numbers that are defined.
Measure summarize(std::span<const double> values);
Measure paired_difference(std::span<const double> values, std::span<const double> others);

}  // namespace hushwalk
