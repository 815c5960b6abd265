// Per step, x being the state, f(x) clipped and o the outflow of a node to each of its neighbours:
//   x_v = sum over u ~ v of o_u + trunc(stay f_v) + restart_v + noise_v,   o_u = trunc(walk f_u / d_u).
// The clip belongs to the next step, so the last step has none; that of push-flow has one, before its noise.
#include "diffusion/lattice_run.h"

#include <algorithm>
#include <set>

#include "base/phase.h"
#include "diffusion/batch.h"

namespace hushwalk {
namespace {

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

// A row sends its outflow.
template <int lanes>
class LatticeGroup {
 public:
  LatticeGroup(const Rows& rows, const LatticeDiffusion& lattice, std::span<const SeedVector> seeds,
               int draws, BatchRoom<std::int64_t> room)
      : rows_(rows),
        lattice_(lattice),
        batch_(
            rows, seeds, [&](const SeedVector& seed) { return lattice_weights(seed, lattice.one()); },
            std::move(room)),
        state_(Units::zeros(rows.mine())),
        noise_(seeds.size(), Draws(static_cast<std::size_t>(draws), std::vector<std::int64_t>(rows.mine()))),
        has_noise_(seeds.size()) {
    if (lattice.push_flow) return;  // the first step is the restart alone
    for (const Entry& seed : batch_.seeds()) {
      const bool clipped = lattice.scope == Scope::edge;
      std::int64_t& x = state(seed.row, seed.lane);
      x = clipped ? clip_to(degree_cap(seed.row), seed.weight) : seed.weight;
      batch_.sent()[batch_.at(seed)] = outflow(lattice.steps.front(), seed.row, x);
    }
  }

  void step(std::size_t k, const StepNoise& noise) {
    for (std::size_t seed = 0; seed < noise_.size(); ++seed)
      has_noise_[seed] = noise && noise(k, seed, noise_[seed]);
    const LatticeStep& now = lattice_.steps[k];
    const LatticeStep* const next = k + 1 < lattice_.steps.size() ? &lattice_.steps[k + 1] : nullptr;
    batch_.step([&](const Block& block) {
      finish_sums(block, now);
      if (!next && lattice_.push_flow) clip(block);
      add_noise(block);
      next ? prepare(block, *next) : keep(block);
    });
  }

  std::vector<std::int64_t> result(std::size_t lane) const {
    return rows_.by_node([&](Row row) { return state_[batch_.at(row, lane)]; });
  }
  void give_back(BatchRoom<std::int64_t>& room) { batch_.give_back(room); }

 private:
  using Units = Batch<std::int64_t, lanes>;
  using Entry = typename Units::Entry;
  using Block = typename Units::Block;
  using Draws = std::vector<std::vector<std::int64_t>>;

  std::int64_t& state(Row row, std::size_t lane) { return state_[batch_.at(row, lane)]; }

  // f(row, lane) for all rows of a block and all seeds.
  template <class F>
  void for_each(const Block& block, const F& f) const {
    for (Row row = block.first; row < block.last; ++row)
      for (std::size_t lane = 0; lane < noise_.size(); ++lane) f(row, lane);
  }

  // Sums become the state after the step, before noise.
  void finish_sums(const Block& block, const LatticeStep& step) {
    for (const Entry& seed : block.seeds) block.sum(seed) += lattice_.times(step.restart, seed.weight);
    for_each(block, [&](Row row, std::size_t lane) {
      block.sum(row, lane) += lattice_.times(step.stay, state(row, lane));
    });
  }

  void add_noise(const Block& block) const {
    for (std::size_t lane = 0; lane < noise_.size(); ++lane) {
      if (!has_noise_[lane]) continue;
      for (const std::vector<std::int64_t>& draw : noise_[lane])
        for (Row row = block.first; row < block.last; ++row) {
          std::int64_t& sum = block.sum(row, lane);
          sum = plus_noise(sum, draw[rows_.node_index(row)], lattice_.limit);
        }
    }
  }

  // By degrees; in personalized scope a seed by the public number 1 instead.
  void clip(const Block& block) const {
    std::vector<std::int64_t> of_seeds;
    const bool free_seeds = lattice_.scope == Scope::personalized;
    if (free_seeds)
      for (const Entry& seed : block.seeds) of_seeds.push_back(clip_to(lattice_.one(), block.sum(seed)));
    for_each(block, [&](Row row, std::size_t lane) {
      block.sum(row, lane) = clip_to(degree_cap(row), block.sum(row, lane));
    });
    for (std::size_t i = 0; i < of_seeds.size(); ++i) block.sum(block.seeds[i]) = of_seeds[i];
  }

  void prepare(const Block& block, const LatticeStep& next) {
    clip(block);
    for_each(block, [&](Row row, std::size_t lane) {
      state(row, lane) = block.sum(row, lane);
      batch_.next()[batch_.at(row, lane)] = outflow(next, row, block.sum(row, lane));
    });
  }

  void keep(const Block& block) {
    std::copy_n(block.sums, std::size_t{block.last - block.first} * lanes, &state(block.first, 0));
  }

  std::int64_t outflow(const LatticeStep& step, Row row, std::int64_t clipped) const {
    const auto degree = static_cast<std::int64_t>(rows_.degree(row));
    return degree == 0 ? 0 : lattice_.times(step.walk, clipped) / degree;
  }

  std::int64_t degree_cap(Row row) const {
    return lattice_.cap * static_cast<std::int64_t>(rows_.degree(row));
  }
  std::int64_t clip_to(std::int64_t cap, std::int64_t value) const {
    return std::clamp(value, lattice_.negative ? -cap : 0, cap);
  }

  const Rows& rows_;
  const LatticeDiffusion& lattice_;
  Units batch_;
  typename Units::Values state_;  // of rows of mine
  std::vector<Draws> noise_;      // of each seed, by node
  std::vector<char> has_noise_;
};

template <int lanes>
std::vector<std::vector<std::int64_t>> run_group(const Rows& rows, const LatticeDiffusion& lattice,
                                                 std::span<const SeedVector> seeds, int draws,
                                                 const StepNoise& noise,
                                                 const std::function<void()>& after_step, LatticeRoom& room) {
  LatticeGroup<lanes> group(rows, lattice, seeds, draws, std::move(room.values()));
  for (std::size_t k = 0; k < lattice.steps.size(); ++k) {
    group.step(k, noise);
    if (after_step) after_step();
  }
  std::vector<std::vector<std::int64_t>> results;
  results.reserve(seeds.size());
  for (std::size_t lane = 0; lane < seeds.size(); ++lane) results.push_back(group.result(lane));
  group.give_back(room.values());
  return results;
}

std::size_t lanes_for(std::size_t seeds) { return seeds == 1 ? 1 : seeds <= 8 ? 8 : 16; }

}  // namespace

LatticeRoom::LatticeRoom(const Rows& rows, std::span<const std::size_t> seeds_of_runs) {
  std::set<std::size_t> lanes;
  for (const std::size_t seeds : seeds_of_runs) lanes.insert(lanes_for(seeds));
  if (lanes.empty()) return;
  values_ = {rows, *lanes.rbegin()};
  for (const std::size_t each : lanes) rows.take_room_for_others(values_.sent.data(), each);
}

std::vector<std::vector<std::int64_t>> run_on_lattice(const Rows& rows, const LatticeDiffusion& lattice,
                                                      std::span<const SeedVector> seeds, int draws,
                                                      const StepNoise& noise,
                                                      const std::function<void()>& after_step,
                                                      LatticeRoom& room) {
  const Phase phase("sweeping over links");
  const std::size_t lanes = lanes_for(seeds.size());
  const auto run = lanes == 1 ? run_group<1> : lanes == 8 ? run_group<8> : run_group<16>;
  return run(rows, lattice, seeds, draws, noise, after_step, room);
}

}  // namespace hushwalk
