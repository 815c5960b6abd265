// Diffusions in double, many seeds side by side.
//
// The state is kept divided by the degree, z = x / d, because that is what neighbours read and because the
// cap eta d of the clip becomes the one number eta. A group of up to 16 seeds shares one sweep over the graph
// per step: the values of a node for all seeds lie together, z[r * lanes + l]. Per step and block of rows:
//   sum_v  = sum over u ~ v of z_u                                    (gather_sum)
//   next_v = clip(walk / d_v sum_v + stay z_v + restart s_v / d_v)    (row epilogue)
// The clip belongs to the next step, so the last step has none. Seeds are few: the epilogue runs over a block
// as if s were 0, then the block's seeds are put right one by one. An isolated node, which nobody reads, is
// divided by 1.
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#include "base/fail.h"
#include "base/parallel.h"
#include "diffusion/groups.h"
#include "diffusion/row_update.h"
#include "diffusion/sweep.h"
#include "graph/graph_impl.h"
#include "hushwalk/diffusion.h"

namespace hushwalk {
namespace {

using Values =
    hwy::AlignedFreeUniquePtr<double[]>;  // aligned, so that no row of lanes straddles a cache line

Values zeros(std::size_t rows, std::size_t lanes) {
  Values values = hwy::AllocateAligned<double>(std::max<std::size_t>(rows * lanes, 1));
  if (!values) throw std::bad_alloc();
  std::fill_n(values.get(), rows * lanes, 0.0);
  return values;
}

// What all groups of a call share.
struct Problem {
  const Csr& csr;
  const Diffusion& diffusion;
  std::optional<Clip> clip;
  bool negative;
  std::vector<double> inverse_degree;
};

void check(const Graph& graph, std::span<const SeedVector> seeds, const std::optional<Clip>& clip) {
  if (clip && !(clip->eta > 0 && std::isfinite(clip->eta)))
    fail_usage("eta is {}; it must be positive and finite, for example 1e-6", clip->eta);
  for (const SeedVector& seed : seeds)
    if (const Node largest = seed.entries().back().first; largest >= graph.nodes())
      fail_usage("seed {} is not a node of the graph, which has {} nodes, numbered from 0", largest,
                 graph.nodes());
}

// What x is divided by.
double divisor(const Csr& csr, Row row) {
  return static_cast<double>(std::max<std::uint64_t>(csr.degree(row), 1));
}

Problem make_problem(const Graph& graph, const Diffusion& diffusion, const std::optional<Clip>& clip) {
  const Csr& csr = csr_of(graph);
  Problem problem{csr, diffusion, clip, diffusion.has_negative(), std::vector<double>(csr.rows())};
  parallel_for(csr.rows(), 1 << 14, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      problem.inverse_degree[row] = 1 / divisor(csr, static_cast<Row>(row));
  });
  return problem;
}

struct SeedEntry {
  Row row;
  std::uint32_t lane;
  double weight;
};

// Ascending by row, so that the entries of a block are consecutive.
std::vector<SeedEntry> seed_entries(const Csr& csr, std::span<const SeedVector> seeds) {
  std::vector<SeedEntry> entries;
  for (std::uint32_t lane = 0; lane < seeds.size(); ++lane)
    for (const auto& [node, weight] : seeds[lane].entries())
      entries.push_back({csr.row_of_node[node], lane, weight});
  std::ranges::sort(entries, {}, &SeedEntry::row);
  return entries;
}

// The diffusion of up to `lanes` seeds; lanes without a seed stay zero.
template <int lanes>
class Group {
 public:
  Group(const Problem& problem, std::span<const SeedVector> seeds)
      : problem_(problem),
        entries_(seed_entries(problem.csr, seeds)),
        blocks_(row_blocks_for<lanes>(problem.csr)),
        z_(zeros(problem.csr.rows(), lanes)),
        next_z_(zeros(problem.csr.rows(), lanes)) {
    for (const SeedEntry& entry : entries_) z_[at(entry)] = clip_first(entry, scaled_weight(entry));
  }

  void step(const Step& step, bool last) {
    const bool clip = problem_.clip && !last;
    const double eta = clip ? problem_.clip->eta : 0;
    const RowUpdate update{step.walk, step.stay, problem_.negative ? -eta : 0,
                           eta,       clip,      problem_.inverse_degree.data()};
    sweep<double, lanes>(problem_.csr, blocks_, z_.get(), [&](const RowBlock& block, const double* sums) {
      update_rows<lanes>(update, block.first, block.last, sums, z_.get(), next_z_.get());
      for (const SeedEntry& entry : entries_of(block)) {
        const double sum = sums[std::size_t{entry.row - block.first} * lanes + entry.lane];
        const double next = update.walk * update.inverse_degree[entry.row] * sum +
                            update.stay * z_[at(entry)] + step.restart * scaled_weight(entry);
        next_z_[at(entry)] = clip ? clip_seed(entry, next) : next;
      }
    });
    std::swap(z_, next_z_);
  }

  // Whether the last step moved no value of a lane by more than `tolerance`, as a part of it.
  bool settled(std::uint32_t lane, double tolerance) const {
    for (std::size_t i = lane; i < problem_.csr.rows() * lanes; i += lanes)
      if (std::abs(z_[i] - next_z_[i]) > tolerance * std::abs(z_[i])) return false;
    return true;
  }

  // x of one lane in the order of the public node list.
  std::vector<double> scores(std::uint32_t lane) const {
    const Csr& csr = problem_.csr;
    std::vector<double> scores(csr.rows());
    std::atomic<bool> finite = true;
    parallel_for(scores.size(), 1 << 14, [&](std::size_t first, std::size_t last) {
      for (std::size_t node = first; node < last; ++node) {
        const Row row = csr.row_of_node[node];
        scores[node] = z_[std::size_t{row} * lanes + lane] * divisor(csr, row);
        if (!std::isfinite(scores[node])) finite = false;
      }
    });
    if (!finite)
      fail_usage("the diffusion '{}' grows beyond all numbers; use smaller coefficients or fewer steps",
                 problem_.diffusion.name());
    return scores;
  }

 private:
  static std::size_t at(const SeedEntry& entry) { return std::size_t{entry.row} * lanes + entry.lane; }

  std::span<const SeedEntry> entries_of(const RowBlock& block) const {
    const auto first = std::ranges::lower_bound(entries_, block.first, {}, &SeedEntry::row);
    const auto last = std::ranges::lower_bound(first, entries_.end(), block.last, {}, &SeedEntry::row);
    return {first, last};
  }

  double scaled_weight(const SeedEntry& entry) const {
    return entry.weight * problem_.inverse_degree[entry.row];
  }

  // In personalized scope the cap of x is the public 1, not eta d.
  double seed_cap(const SeedEntry& entry) const {
    if (problem_.clip->scope == Scope::personalized) return problem_.inverse_degree[entry.row];
    return problem_.csr.degree(entry.row) > 0 ? problem_.clip->eta : 0;
  }

  double clip_seed(const SeedEntry& entry, double z) const {
    const double cap = seed_cap(entry);
    return std::clamp(z, problem_.negative ? -cap : 0, cap);
  }

  // Before step 1 only edge scope clips.
  double clip_first(const SeedEntry& entry, double z) const {
    return problem_.clip && problem_.clip->scope == Scope::edge ? clip_seed(entry, z) : z;
  }

  const Problem& problem_;
  std::vector<SeedEntry> entries_;
  std::vector<RowBlock> blocks_;
  Values z_, next_z_;
};

// Counts the steps of all seeds and reports them.
class Meter {
 public:
  Meter(const Progress& progress, std::size_t seeds, std::size_t steps)
      : progress_(progress), total_(seeds * steps) {}
  void add_step_of(std::size_t seeds) {
    done_ += seeds;
    if (progress_) progress_("diffusing", static_cast<double>(done_) / static_cast<double>(total_));
  }

 private:
  const Progress& progress_;
  std::size_t total_, done_ = 0;
};

template <int lanes>
void diffuse_group(const Problem& problem, std::span<const SeedVector> seeds, Meter& meter,
                   std::vector<std::vector<double>>& results, std::optional<double> tolerance) {
  Group<lanes> group(problem, seeds);
  const std::span<const Step> steps = problem.diffusion.steps();
  std::vector<std::vector<double>> ended(
      seeds.size());  // a lane ends when it settles, whatever the others do
  const auto end_settled_lanes = [&] {
    for (std::uint32_t lane = 0; lane < seeds.size(); ++lane)
      if (ended[lane].empty() && group.settled(lane, *tolerance)) ended[lane] = group.scores(lane);
    return std::ranges::none_of(ended, &std::vector<double>::empty);
  };
  const bool alike = std::ranges::all_of(steps, [&](const Step& step) { return step == steps.front(); });
  for (std::size_t k = 0; k < steps.size(); ++k) {
    group.step(steps[k], k + 1 == steps.size());
    meter.add_step_of(seeds.size());
    if (tolerance && alike && end_settled_lanes()) break;
  }
  for (std::uint32_t lane = 0; lane < seeds.size(); ++lane)
    results.push_back(ended[lane].empty() ? group.scores(lane) : std::move(ended[lane]));
}

}  // namespace

// While the state of a group fits in the cache, 8 lanes are the cheapest per seed; when each edge is a miss,
// a wider group saves misses but a narrow one is not worth its lanes. `make bench` prints the cost of both
// widths.
std::size_t choose_lanes(std::size_t rows, std::size_t seeds) {
  constexpr std::size_t cached_rows = 1 << 18;
  if (rows <= cached_rows) return seeds >= 2 ? 8 : 1;
  return seeds > 8 ? 16 : seeds > 4 ? 8 : 1;
}

std::vector<std::vector<double>> diffuse_in_groups(const Graph& graph, const Diffusion& diffusion,
                                                   std::span<const SeedVector> seeds,
                                                   const std::optional<Clip>& clip, const Progress& progress,
                                                   ChooseLanes choose, std::optional<double> tolerance) {
  check(graph, seeds, clip);
  std::vector<std::vector<double>> results;
  if (seeds.empty()) return results;
  results.reserve(seeds.size());
  const Problem problem = make_problem(graph, diffusion, clip);
  Meter meter(progress, seeds.size(), diffusion.steps().size());
  while (!seeds.empty()) {
    const std::size_t lanes = choose(problem.csr.rows(), seeds.size());
    const auto run = lanes == 1 ? diffuse_group<1> : lanes == 8 ? diffuse_group<8> : diffuse_group<16>;
    const std::size_t size = std::min(lanes, seeds.size());
    run(problem, seeds.first(size), meter, results, tolerance);
    seeds = seeds.subspan(size);
  }
  return results;
}

std::vector<std::vector<double>> diffuse(const Graph& graph, const Diffusion& diffusion,
                                         std::span<const SeedVector> seeds, std::optional<Clip> clip,
                                         const Progress& progress) {
  return diffuse_in_groups(graph, diffusion, seeds, clip, progress, choose_lanes);
}

std::vector<double> diffuse(const Graph& graph, const Diffusion& diffusion, const SeedVector& seed,
                            std::optional<Clip> clip, const Progress& progress) {
  return std::move(diffuse(graph, diffusion, std::span(&seed, 1), clip, progress).front());
}

}  // namespace hushwalk
