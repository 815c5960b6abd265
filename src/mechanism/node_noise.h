// Noise for nodes, by address: which words serve a number depends on its kind, its step and its place in the
// public node list only, never on edges, threads or other numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diffusion/lattice.h"
#include "hushwalk/graph.h"
#include "hushwalk/seed.h"
#include "noise/discrete_laplace.h"

namespace hushwalk {

// The numbers of a kind and step of one source, which may be drawn once.
struct NoiseAddress {
  NoiseSource& source;
  NoiseKind kind;
  std::uint64_t step = 0;
};

// One draw for each node from `first` on, a multiple of 64; all threads.
void draw_noise(const NoiseAddress& address, const DiscreteLaplace& noise, std::span<std::int64_t> out,
                Node first = 0);

// One draw for each of some nodes, in ascending order. Only their groups of 64 are drawn.
std::vector<std::int64_t> draw_noise_for(const NoiseAddress& address, const DiscreteLaplace& noise,
                                         std::span<const Node> nodes);

// Numbers of consecutive nodes from `first` on, a multiple of 64.
struct NumbersOfNodes {
  std::span<std::int64_t> numbers;
  Node first = 0;
  bool has(Node node) const { return node >= first && node - first < numbers.size(); }
};

// Adds a draw to the numbers of some nodes, in ascending order; those that have none here are left out.
void add_noise(const NoiseAddress& address, const DiscreteLaplace& noise, std::span<const Node> nodes,
               const NumbersOfNodes& to);

// Noise of one scale for the seed's neighbours, of another for the rest; a seed has no number and gets none.
struct NoiseByPart {
  DiscreteLaplace near, far;
};
void add_noise_by_part(NoiseSource& source, std::uint64_t column, const NoiseByPart& noise,
                       const SeedVector& seed, std::span<const Node> near, const NumbersOfNodes& to);

}  // namespace hushwalk
