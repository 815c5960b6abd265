// `circles`: what is released under which noise, from public numbers alone, and what an edge costs.
// Note: docs/math/26-circles.md; why these numbers: docs/decisions/0021-circles.md.
#pragma once

#include <cstdint>

#include "hushwalk/accounting.h"

namespace hushwalk::accounting {

struct CirclesDesign {
  std::uint64_t nodes = 0;
  double epsilon = 0;          // that the noise is made for: at most what was asked
  std::uint32_t clusters = 0;  // K, or the most that it can be
  bool by_degrees = false;     // the degrees that are released choose K: clusters_by_degree()
  std::uint64_t block = 1;     // so many nodes, one after the other in the order, see the same labels
  std::uint64_t core = 0;      // after the rows of so many nodes the sweep may stop; whole blocks
  // Scales of the noise, in links: of degrees once refined, and before; of a cell of a row of the sweep
  // forward, and back; of the links that leave the core.
  double fine = 0, coarse = 0, forward = 0, backward = 0, leaving = 0;
};

inline constexpr std::uint64_t most_circles_nodes = (std::uint64_t{1} << 30) - 1;
inline constexpr std::uint32_t most_clusters = 64;
inline constexpr double least_clusters = 4;
// Below this epsilon degrees need all of it: `circles` is `shared` then, which has a taper.
inline constexpr double circles_from = 0.25;

// How many clusters suit a graph of so many nodes with so many links at a node. Release arithmetic.
double clusters_by_degree(double epsilon, double nodes, double mean_degree);

// How many artefacts have that were made before version 0.4, by the rule of then.
std::uint32_t clusters_before_degrees(double epsilon);

// Error{refused} for more nodes than that, or an epsilon below circles_from.
CirclesDesign circles_design(std::uint64_t nodes, Epsilon epsilon);
// The same with clusters that are given, and other blocks.
CirclesDesign circles_design(std::uint64_t nodes, Epsilon epsilon, std::uint32_t clusters,
                             std::uint64_t block);

// What an edge costs in every way a release can go. Which of them it takes, its own numbers decide.
struct CirclesCost {
  double degrees = 0;          // too sparse for rows
  double stopped_outside = 0;  // stopped after the core: both ends outside it,
  double stopped_between = 0;  // one,
  double stopped_inside = 0;   // none
  double rows = 0;             // both sweeps
  double worst() const;
};
CirclesCost circles_cost_up(const CirclesDesign& design);

}  // namespace hushwalk::accounting
