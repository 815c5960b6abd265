// The clipped diffusion on the lattice, with or without noise inside: the deterministic part of `paper` and
// `output`, for many seeds side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "graph/csr.h"
#include "mechanism/lattice.h"

namespace hushwalk {

// Fills the draws that are added to the complete sums of step `step` (0-based) for one seed of the group, by
// Node; false when the step has none.
using StepNoise =
    std::function<bool(std::size_t step, std::size_t seed, std::span<std::vector<std::int64_t>> draws)>;

// The final states of up to 16 seeds, by Node, in lattice units, with `draws` draws wherever there is noise.
std::vector<std::vector<std::int64_t>> run_on_lattice(const Csr& csr, const LatticeDiffusion& lattice,
                                                      std::span<const SeedVector> seeds, int draws,
                                                      const StepNoise& noise,
                                                      const std::function<void()>& after_step);

}  // namespace hushwalk
