#include "reproduction/simulated_diffusion.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numbers>

#include "diffusion/batch.h"
#include "noise/entropy_source.h"
#include "reproduction/workbench.h"

namespace hushwalk::reproduction {
namespace {

constexpr int lanes = 8;

// In (0, 1].
double uniform(WordReader& words) { return (static_cast<double>(words.next_word() >> 11) + 1) * 0x1p-53; }

// The sum of two independent draws of scale 1.
double two_draws(WordReader& words, NoiseLaw law) {
  // A Laplace variable is the difference of two exponential ones.
  if (law == NoiseLaw::laplace)
    return std::log((uniform(words) * uniform(words)) / (uniform(words) * uniform(words)));
  const double radius = std::sqrt(-2 * std::log(uniform(words)));
  return std::numbers::sqrt2 * radius * std::cos(2 * std::numbers::pi * uniform(words));
}

// Euclidean projection of a column onto the unit l1 ball: Michelot's iteration on the absolute values.
void project(std::span<double> x, int lane) {
  double sum = 0;
  std::vector<double> active;
  for (std::size_t i = static_cast<std::size_t>(lane); i < x.size(); i += lanes) {
    active.push_back(std::abs(x[i]));
    sum += active.back();
  }
  if (sum <= 1) return;
  double threshold = (sum - 1) / static_cast<double>(active.size());
  for (std::size_t before = 0; before != active.size();) {
    before = active.size();
    std::erase_if(active, [&](double value) { return value <= threshold; });
    sum = 0;
    for (const double value : active) sum += value;
    threshold = (sum - 1) / static_cast<double>(active.size());
  }
  for (std::size_t i = static_cast<std::size_t>(lane); i < x.size(); i += lanes)
    x[i] = std::copysign(std::max(std::abs(x[i]) - threshold, 0.0), x[i]);
}

// Up to `lanes` seeds side by side.
class Simulator {
 public:
  Simulator(const Rows& rows, const Simulation& simulation, std::span<const SeedVector> seeds)
      : rows_(rows),
        simulation_(simulation),
        batch_(rows, seeds, [](const SeedVector&) { return std::vector{1.0}; }),
        x_(rows.mine() * lanes),
        cap_(x_.size()) {
    const EntropySource source;
    for (std::size_t i = 0; i < batch_.block_count(); ++i) streams_.push_back(source.stream());
    for (std::size_t i = 0; i < cap_.size(); ++i)
      cap_[i] = simulation.eta * (simulation.clip == ClipBy::degree ? degree_at(i) : 1);
    for (const auto& seed : batch_.seeds()) x_[batch_.at(seed)] = cap_[batch_.at(seed)] = 1;
  }

  std::vector<std::vector<double>> run(std::size_t seeds) {
    for (int k = 1; k <= steps; ++k) {
      clip_and_send(k);
      batch_.step([&](const Block& block) { finish(block, k); });
      if (simulation_.project && k > 1)
        for (int lane = 0; lane < static_cast<int>(seeds); ++lane) project(x_, lane);
    }
    std::vector<std::vector<double>> result;
    result.reserve(seeds);
    for (std::size_t lane = 0; lane < seeds; ++lane)
      result.push_back(rows_.by_node([&](Row row) { return x_[batch_.at(row, lane)]; }));
    return result;
  }

 private:
  using Block = Batch<double, lanes>::Block;

  double degree_at(std::size_t i) const {
    return static_cast<double>(rows_.degree(static_cast<Row>(i / lanes)));
  }

  void clip_and_send(int k) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (k > 1) x_[i] = std::clamp(x_[i], 0.0, cap_[i]);
      batch_.sent()[i] = degree_at(i) > 0 ? beta / 2 * x_[i] / degree_at(i) : 0;
    }
  }

  void finish(const Block& block, int k) {
    const std::size_t first = batch_.at(block.first, 0), last = batch_.at(block.last, 0);
    for (std::size_t i = first; i < last; ++i) x_[i] = block.sums[i - first] + beta / 2 * x_[i];
    for (const auto& seed : block.seeds) x_[batch_.at(seed)] += 1 - beta;
    if (k == 1) return;
    WordReader words(*streams_[block.number]);
    for (std::size_t i = first; i < last; ++i)
      x_[i] += simulation_.scale * two_draws(words, simulation_.noise);
  }

  const Rows& rows_;
  const Simulation& simulation_;
  Batch<double, lanes> batch_;
  std::vector<double> x_, cap_;
  std::vector<std::unique_ptr<RandomStream>> streams_;  // one for each block
};

}  // namespace

std::vector<std::vector<double>> simulate(const Graph& graph, const Simulation& simulation,
                                          std::span<const Node> seeds) {
  const Rows rows = graph;
  const std::vector<SeedVector> vectors(seeds.begin(), seeds.end());
  std::vector<std::vector<double>> result;
  for (std::size_t first = 0; first < seeds.size(); first += lanes) {
    const auto group = std::span(vectors).subspan(first, std::min<std::size_t>(lanes, seeds.size() - first));
    std::ranges::move(Simulator(rows, simulation, group).run(group.size()), std::back_inserter(result));
  }
  return result;
}

}  // namespace hushwalk::reproduction
