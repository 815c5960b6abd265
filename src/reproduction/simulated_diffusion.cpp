#include "reproduction/simulated_diffusion.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "diffusion/sweep.h"
#include "graph/graph_impl.h"
#include "noise/entropy_source.h"
#include "reproduction/workbench.h"

namespace hushwalk::reproduction {
namespace {

constexpr int lanes = 8;

// In (0, 1].
double uniform(WordReader& words) { return (static_cast<double>(words.next_word() >> 11) + 1) * 0x1p-53; }

// The sum of two independent draws of scale 1.
double two_draws(WordReader& words, NoiseKind kind) {
  // A Laplace variable is the difference of two exponential ones.
  if (kind == NoiseKind::laplace)
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

class Simulator {
 public:
  Simulator(const Graph& graph, const Simulation& simulation)
      : csr_(csr_of(graph)), simulation_(simulation), blocks_(row_blocks_for<lanes>(csr_)) {
    const EntropySource source;
    for (std::size_t i = 0; i < blocks_.size(); ++i) streams_.push_back(source.stream());
  }

  // Up to `lanes` seeds side by side.
  std::vector<std::vector<double>> run(std::span<const Node> seeds) {
    std::vector<double> x(csr_.rows() * lanes, 0.0), flow(x.size()), seed(x.size(), 0.0);
    for (std::size_t lane = 0; lane < seeds.size(); ++lane)
      seed[csr_.row_of_node[seeds[lane]] * lanes + lane] = 1;
    x = seed;
    for (int k = 1; k <= steps; ++k) {
      clip_and_send(x, flow, seed, k);
      sweep<double, lanes>(csr_, blocks_, flow.data(), [&](const RowBlock& block, const double* sums) {
        finish(block, sums, x, seed, k);
      });
      if (simulation_.project && k > 1)
        for (int lane = 0; lane < static_cast<int>(seeds.size()); ++lane) project(x, lane);
    }
    return by_node(x, seeds.size());
  }

 private:
  void clip_and_send(std::vector<double>& x, std::vector<double>& flow, const std::vector<double>& seed,
                     int k) {
    for (Row row = 0; row < csr_.rows(); ++row) {
      const auto degree = static_cast<double>(csr_.degree(row));
      const double cap = simulation_.eta * (simulation_.clip == ClipBy::degree ? degree : 1);
      for (std::size_t i = std::size_t{row} * lanes; i < (std::size_t{row} + 1) * lanes; ++i) {
        if (k > 1) x[i] = std::clamp(x[i], 0.0, seed[i] > 0 ? 1.0 : cap);
        flow[i] = degree > 0 ? beta / 2 * x[i] / degree : 0;
      }
    }
  }

  void finish(const RowBlock& block, const double* sums, std::vector<double>& x,
              const std::vector<double>& seed, int k) {
    WordReader words(*streams_[static_cast<std::size_t>(&block - blocks_.data())]);
    for (std::size_t i = std::size_t{block.first} * lanes; i < std::size_t{block.last} * lanes; ++i) {
      const double sum = sums[i - std::size_t{block.first} * lanes];
      x[i] = sum + beta / 2 * x[i] + (1 - beta) * seed[i];
      if (k > 1) x[i] += simulation_.scale * two_draws(words, simulation_.noise);
    }
  }

  std::vector<std::vector<double>> by_node(const std::vector<double>& x, std::size_t count) const {
    std::vector<std::vector<double>> result(count, std::vector<double>(csr_.rows()));
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t row = 0; row < csr_.rows(); ++row)
        result[lane][csr_.node_of_row[row]] = x[row * lanes + lane];
    return result;
  }

  const Csr& csr_;
  const Simulation& simulation_;
  std::vector<RowBlock> blocks_;
  std::vector<std::unique_ptr<RandomStream>> streams_;
};

}  // namespace

std::vector<std::vector<double>> simulate(const Graph& graph, const Simulation& simulation,
                                          std::span<const Node> seeds) {
  Simulator simulator(graph, simulation);
  std::vector<std::vector<double>> result;
  for (std::size_t first = 0; first < seeds.size(); first += lanes)
    for (auto& scores :
         simulator.run(seeds.subspan(first, std::min<std::size_t>(lanes, seeds.size() - first))))
      result.push_back(std::move(scores));
  return result;
}

}  // namespace hushwalk::reproduction
