// Per step, x being the state, f(x) clipped and o the outflow of a node to each of its neighbours:
//   x_v = sum over u ~ v of o_u + trunc(stay f_v) + restart_v + noise_v,   o_u = trunc(walk f_u / d_u).
// The clip belongs to the next step, so the last step has none; that of push-flow has one, before its noise.
#include "mechanism/lattice_run.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <new>

#include "base/parallel.h"
#include "diffusion/sweep.h"
#include "mechanism/node_noise.h"

namespace hushwalk {
namespace {

using Units = hwy::AlignedFreeUniquePtr<std::int64_t[]>;

Units zero_units(std::size_t count) {
  Units units = hwy::AllocateAligned<std::int64_t>(std::max<std::size_t>(count, 1));
  if (!units) throw std::bad_alloc();
  std::fill_n(units.get(), count, std::int64_t{0});
  return units;
}

struct SeedUnits {
  Row row;
  std::uint32_t lane;
  std::int64_t weight;
};

// Rounded down; should rounding in the weights themselves make their sum exceed 1, the largest pays for it.
std::vector<std::int64_t> lattice_weights(const SeedVector& seed, std::int64_t one) {
  std::vector<std::int64_t> weights;
  std::int64_t left = one;
  for (const auto& [node, weight] : seed.entries()) {
    weights.push_back(static_cast<std::int64_t>(weight * static_cast<double>(one)));
    left -= weights.back();
  }
  if (left < 0) *std::ranges::max_element(weights) += left;
  return weights;
}

template <int lanes>
class LatticeGroup {
 public:
  LatticeGroup(const Csr& csr, const LatticeDiffusion& lattice, std::span<const SeedVector> seeds, int draws)
      : csr_(csr),
        lattice_(lattice),
        blocks_(row_blocks_for<lanes>(csr)),
        state_(zero_units(csr.rows() * lanes)),
        outflow_(zero_units(csr.rows() * lanes)),
        next_outflow_(zero_units(csr.rows() * lanes)),
        noise_(seeds.size(), Draws(static_cast<std::size_t>(draws), std::vector<std::int64_t>(csr.rows()))),
        has_noise_(seeds.size()) {
    for (std::uint32_t lane = 0; lane < seeds.size(); ++lane) {
      const std::vector<std::int64_t> weights = lattice_weights(seeds[lane], lattice.one());
      for (std::size_t i = 0; i < weights.size(); ++i)
        seeds_.push_back({csr.row_of_node[seeds[lane].entries()[i].first], lane, weights[i]});
    }
    std::ranges::sort(seeds_, {}, &SeedUnits::row);
    if (lattice.push_flow) return;  // the first step is the restart alone
    for (const SeedUnits& seed : seeds_) {
      const bool clipped = lattice.scope == Scope::edge;
      state_[at(seed)] = clipped ? clip_to(degree_cap(seed.row), seed.weight) : seed.weight;
      outflow_[at(seed)] = outflow(lattice.steps.front(), seed.row, state_[at(seed)]);
    }
  }

  void step(std::size_t k, const StepNoise& noise) {
    for (std::size_t seed = 0; seed < noise_.size(); ++seed)
      has_noise_[seed] = noise && noise(k, seed, noise_[seed]);
    const LatticeStep& now = lattice_.steps[k];
    const LatticeStep* const next = k + 1 < lattice_.steps.size() ? &lattice_.steps[k + 1] : nullptr;
    sweep<std::int64_t, lanes>(csr_, blocks_, outflow_.get(), [&](const RowBlock& block, std::int64_t* sums) {
      finish_sums(block, now, sums);
      if (!next && lattice_.push_flow) clip(block, sums);
      add_noise(block, sums);
      next ? prepare(block, *next, sums) : keep(block, sums);
    });
    std::swap(outflow_, next_outflow_);
  }

  std::vector<std::int64_t> result(std::uint32_t lane) const {
    std::vector<std::int64_t> values(csr_.rows());
    for (Row row = 0; row < csr_.rows(); ++row)
      values[csr_.node_of_row[row]] = state_[std::size_t{row} * lanes + lane];
    return values;
  }

 private:
  static std::size_t at(const SeedUnits& seed) { return std::size_t{seed.row} * lanes + seed.lane; }
  static std::size_t within(const RowBlock& block, const SeedUnits& seed) {
    return std::size_t{seed.row - block.first} * lanes + seed.lane;
  }

  std::span<const SeedUnits> seeds_of(const RowBlock& block) const {
    const auto first = std::ranges::lower_bound(seeds_, block.first, {}, &SeedUnits::row);
    const auto last = std::ranges::lower_bound(first, seeds_.end(), block.last, {}, &SeedUnits::row);
    return {first, last};
  }

  // sums becomes the state after the step, before noise.
  void finish_sums(const RowBlock& block, const LatticeStep& step, std::int64_t* sums) const {
    for (const SeedUnits& seed : seeds_of(block))
      sums[within(block, seed)] += lattice_.times(step.restart, seed.weight);
    for (Row row = block.first; row < block.last; ++row)
      for (std::size_t lane = 0; lane < noise_.size(); ++lane)
        sums[std::size_t{row - block.first} * lanes + lane] +=
            lattice_.times(step.stay, state_[std::size_t{row} * lanes + lane]);
  }

  void add_noise(const RowBlock& block, std::int64_t* sums) const {
    for (std::size_t lane = 0; lane < noise_.size(); ++lane) {
      if (!has_noise_[lane]) continue;
      for (const std::vector<std::int64_t>& draw : noise_[lane])
        for (Row row = block.first; row < block.last; ++row) {
          std::int64_t& sum = sums[std::size_t{row - block.first} * lanes + lane];
          sum = plus_noise(sum, draw[csr_.node_of_row[row]], lattice_.limit);
        }
    }
  }

  // By degrees; in personalized scope a seed by the public number 1 instead.
  void clip(const RowBlock& block, std::int64_t* sums) const {
    std::vector<std::int64_t> of_seeds;
    const bool free_seeds = lattice_.scope == Scope::personalized;
    if (free_seeds)
      for (const SeedUnits& seed : seeds_of(block))
        of_seeds.push_back(clip_to(lattice_.one(), sums[within(block, seed)]));
    for (Row row = block.first; row < block.last; ++row)
      for (std::size_t lane = 0; lane < noise_.size(); ++lane) {
        std::int64_t& sum = sums[std::size_t{row - block.first} * lanes + lane];
        sum = clip_to(degree_cap(row), sum);
      }
    if (free_seeds)
      for (std::size_t i = 0; i < of_seeds.size(); ++i) sums[within(block, seeds_of(block)[i])] = of_seeds[i];
  }

  void prepare(const RowBlock& block, const LatticeStep& next, std::int64_t* sums) {
    clip(block, sums);
    for (Row row = block.first; row < block.last; ++row)
      for (std::size_t lane = 0; lane < noise_.size(); ++lane) {
        const std::int64_t clipped = sums[std::size_t{row - block.first} * lanes + lane];
        state_[std::size_t{row} * lanes + lane] = clipped;
        next_outflow_[std::size_t{row} * lanes + lane] = outflow(next, row, clipped);
      }
  }

  void keep(const RowBlock& block, const std::int64_t* sums) {
    std::copy_n(sums, std::size_t{block.last - block.first} * lanes,
                state_.get() + std::size_t{block.first} * lanes);
  }

  std::int64_t outflow(const LatticeStep& step, Row row, std::int64_t clipped) const {
    const auto degree = static_cast<std::int64_t>(csr_.degree(row));
    return degree == 0 ? 0 : lattice_.times(step.walk, clipped) / degree;
  }

  std::int64_t degree_cap(Row row) const {
    return lattice_.cap * static_cast<std::int64_t>(csr_.degree(row));
  }
  std::int64_t clip_to(std::int64_t cap, std::int64_t value) const {
    return std::clamp(value, lattice_.negative ? -cap : 0, cap);
  }

  const Csr& csr_;
  const LatticeDiffusion& lattice_;
  std::vector<RowBlock> blocks_;
  std::vector<SeedUnits> seeds_;  // ascending by row
  Units state_, outflow_, next_outflow_;
  using Draws = std::vector<std::vector<std::int64_t>>;
  std::vector<Draws> noise_;  // of each seed, by Node
  std::vector<char> has_noise_;
};

template <int lanes>
std::vector<std::vector<std::int64_t>> run_group(const Csr& csr, const LatticeDiffusion& lattice,
                                                 std::span<const SeedVector> seeds, int draws,
                                                 const StepNoise& noise,
                                                 const std::function<void()>& after_step) {
  LatticeGroup<lanes> group(csr, lattice, seeds, draws);
  for (std::size_t k = 0; k < lattice.steps.size(); ++k) {
    group.step(k, noise);
    if (after_step) after_step();
  }
  std::vector<std::vector<std::int64_t>> results;
  for (std::uint32_t lane = 0; lane < seeds.size(); ++lane) results.push_back(group.result(lane));
  return results;
}

}  // namespace

std::vector<std::vector<std::int64_t>> run_on_lattice(const Csr& csr, const LatticeDiffusion& lattice,
                                                      std::span<const SeedVector> seeds, int draws,
                                                      const StepNoise& noise,
                                                      const std::function<void()>& after_step) {
  const auto run = seeds.size() == 1 ? run_group<1> : seeds.size() <= 8 ? run_group<8> : run_group<16>;
  return run(csr, lattice, seeds, draws, noise, after_step);
}

}  // namespace hushwalk
