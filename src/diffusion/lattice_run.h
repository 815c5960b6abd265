// The clipped diffusion on the lattice, for many seeds side by side. Noise arrives as plain numbers; what
// they are is not known here.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "diffusion/batch.h"
#include "diffusion/lattice.h"
#include "diffusion/rows.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// Fills what is added to the complete sums of step `step` (0-based) for one seed of the group, by node of the
// rows; false when nothing is.
using StepNoise =
    std::function<bool(std::size_t step, std::size_t seed, std::span<std::vector<std::int64_t>> draws)>;

// Memory for runs of so many seeds each, whose size depends on links where rows lie in several parts: taken
// before the first of them draws noise.
class LatticeRoom {
 public:
  LatticeRoom() = default;
  LatticeRoom(const Rows& rows, std::span<const std::size_t> seeds_of_runs);
  BatchRoom<std::int64_t>& values() { return values_; }

 private:
  BatchRoom<std::int64_t> values_;
};

// The final states of up to 16 seeds, by node, in lattice units, with `draws` draws wherever there is noise.
std::vector<std::vector<std::int64_t>> run_on_lattice(const Rows& rows, const LatticeDiffusion& lattice,
                                                      std::span<const SeedVector> seeds, int draws,
                                                      const StepNoise& noise,
                                                      const std::function<void()>& after_step,
                                                      LatticeRoom& room);
inline std::vector<std::vector<std::int64_t>> run_on_lattice(const Rows& rows,
                                                             const LatticeDiffusion& lattice,
                                                             std::span<const SeedVector> seeds, int draws,
                                                             const StepNoise& noise,
                                                             const std::function<void()>& after_step) {
  LatticeRoom room;
  return run_on_lattice(rows, lattice, seeds, draws, noise, after_step, room);
}

}  // namespace hushwalk
