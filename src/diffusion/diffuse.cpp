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
#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/fail.h"
#include "base/phase.h"
#include "diffusion/batch.h"
#include "diffusion/groups.h"
#include "diffusion/row_update.h"
#include "hushwalk/diffuse.h"

namespace hushwalk {
namespace {

// What all groups of a call share.
struct Problem {
  const Rows& rows;
  const Diffusion& diffusion;
  std::optional<Clip> clip;
  bool negative;
  std::vector<double> inverse_degree;
};

void check(const Rows& rows, std::span<const SeedVector> seeds, const std::optional<Clip>& clip) {
  if (clip && !(clip->eta > 0 && std::isfinite(clip->eta)))
    fail_usage("`eta` is {}; it must be positive and finite, for example 1e-6", clip->eta);
  check_seeds(seeds, rows.nodes());
}

// What x is divided by.
double divisor(const Rows& rows, Row row) {
  return static_cast<double>(std::max<std::uint64_t>(rows.degree(row), 1));
}

Problem make_problem(const Rows& rows, const Diffusion& diffusion, const std::optional<Clip>& clip) {
  return {rows, diffusion, clip, diffusion.has_negative(),
          rows.by_row([&](Row row) { return 1 / divisor(rows, row); })};
}

std::vector<double> weights_of(const SeedVector& seed) {
  std::vector<double> weights;
  for (const auto& [node, weight] : seed.entries()) weights.push_back(weight);
  return weights;
}

// The diffusion of up to `lanes` seeds; a row sends z.
template <int lanes>
class Group {
 public:
  Group(const Problem& problem, std::span<const SeedVector> seeds)
      : problem_(problem), batch_(problem.rows, seeds, weights_of) {
    for (const Entry& seed : batch_.seeds()) z(seed) = clip_first(seed, scaled_weight(seed));
  }

  void step(const Step& step, bool last) {
    const bool clip = problem_.clip && !last;
    const double eta = clip ? problem_.clip->eta : 0;
    const RowUpdate update{step.walk, step.stay, problem_.negative ? -eta : 0,
                           eta,       clip,      problem_.inverse_degree.data()};
    batch_.step([&](const Block& block) {
      update_rows<lanes>(update, block.first, block.last, block.sums, batch_.sent(), batch_.next());
      for (const Entry& seed : block.seeds) {
        const double next = update.walk * update.inverse_degree[seed.row] * block.sum(seed) +
                            update.stay * z(seed) + step.restart * scaled_weight(seed);
        batch_.next()[batch_.at(seed)] = clip ? clip_seed(seed, next) : next;
      }
    });
  }

  // Whether the last step moved no value of a lane by more than `tolerance`, as a part of it.
  bool settled(std::uint32_t lane, double tolerance) const {
    const double *const z = batch_.sent(), *const before = batch_.next();
    bool here = true;
    for (std::size_t i = lane; here && i < problem_.rows.mine() * lanes; i += lanes)
      here = !(std::abs(z[i] - before[i]) > tolerance * std::abs(z[i]));
    return problem_.rows.everywhere(here);
  }

  // x of one lane by node.
  std::vector<double> scores(std::uint32_t lane) const {
    const Rows& rows = problem_.rows;
    std::atomic<bool> finite = true;
    std::vector<double> scores = rows.by_node([&](Row row) {
      const double x = batch_.sent()[batch_.at(row, lane)] * divisor(rows, row);
      if (!std::isfinite(x)) finite = false;
      return x;
    });
    if (!rows.everywhere(finite))
      fail_usage("the diffusion '{}' grows beyond all numbers; use smaller coefficients or fewer steps",
                 problem_.diffusion.name());
    return scores;
  }

 private:
  using Entry = SeedEntry<double>;
  using Block = typename Batch<double, lanes>::Block;

  double& z(const Entry& seed) { return batch_.sent()[batch_.at(seed)]; }

  double scaled_weight(const Entry& seed) const { return seed.weight * problem_.inverse_degree[seed.row]; }

  // In personalized scope the cap of x is the public 1, not eta d.
  double seed_cap(const Entry& seed) const {
    if (problem_.clip->scope == Scope::personalized) return problem_.inverse_degree[seed.row];
    return problem_.rows.degree(seed.row) > 0 ? problem_.clip->eta : 0;
  }

  double clip_seed(const Entry& seed, double z) const {
    const double cap = seed_cap(seed);
    return std::clamp(z, problem_.negative ? -cap : 0, cap);
  }

  // Before step 1 only edge scope clips.
  double clip_first(const Entry& seed, double z) const {
    return problem_.clip && problem_.clip->scope == Scope::edge ? clip_seed(seed, z) : z;
  }

  const Problem& problem_;
  Batch<double, lanes> batch_;
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
  // A lane ends when it settles, whatever the others do.
  std::vector<std::optional<std::vector<double>>> ended(seeds.size());
  const auto end_settled_lanes = [&] {
    for (std::uint32_t lane = 0; lane < seeds.size(); ++lane)
      if (!ended[lane] && group.settled(lane, *tolerance)) ended[lane] = group.scores(lane);
    return std::ranges::all_of(ended, [](const auto& scores) { return scores.has_value(); });
  };
  const bool alike = std::ranges::all_of(steps, [&](const Step& step) { return step == steps.front(); });
  for (std::size_t k = 0; k < steps.size(); ++k) {
    group.step(steps[k], k + 1 == steps.size());
    meter.add_step_of(seeds.size());
    if (tolerance && alike && end_settled_lanes()) break;
  }
  for (std::uint32_t lane = 0; lane < seeds.size(); ++lane)
    results.push_back(ended[lane] ? std::move(*ended[lane]) : group.scores(lane));
}

}  // namespace

// While the state of a group fits in the cache, 8 lanes are the cheapest per seed; when each edge is a miss,
// a wider group saves misses but a narrow one is not worth its lanes. `make bench` prints the cost of both
// widths.
std::size_t choose_lanes(std::uint64_t nodes, std::size_t seeds) {
  constexpr std::uint64_t cached_nodes = 1 << 18;
  if (nodes <= cached_nodes) return seeds >= 2 ? 8 : 1;
  return seeds > 8 ? 16 : seeds > 4 ? 8 : 1;
}

std::vector<std::vector<double>> diffuse_in_groups(const Rows& rows, const Diffusion& diffusion,
                                                   std::span<const SeedVector> seeds,
                                                   const std::optional<Clip>& clip, const Progress& progress,
                                                   ChooseLanes choose, std::optional<double> tolerance) {
  const Phase phase("sweeping over links");
  check(rows, seeds, clip);
  std::vector<std::vector<double>> results;
  if (seeds.empty()) return results;
  results.reserve(seeds.size());
  const Problem problem = make_problem(rows, diffusion, clip);
  Meter meter(progress, seeds.size(), diffusion.steps().size());
  while (!seeds.empty()) {
    const std::size_t lanes = choose(rows.nodes(), seeds.size());
    const auto run = lanes == 1 ? diffuse_group<1> : lanes == 8 ? diffuse_group<8> : diffuse_group<16>;
    const std::size_t size = std::min(lanes, seeds.size());
    run(problem, seeds.first(size), meter, results, tolerance);
    seeds = seeds.subspan(size);
  }
  return results;
}

std::vector<std::vector<double>> diffuse_exactly(const Graph& graph, const Diffusion& diffusion,
                                                 std::span<const SeedVector> seeds, std::optional<Clip> clip,
                                                 const Progress& progress) {
  const Rows rows = Rows(graph).ready_for(seeds.size(), diffusion.steps().size());
  std::vector<std::vector<double>> scores;
  const auto work = [&] {
    scores = diffuse_in_groups(rows, diffusion, seeds, clip, progress, choose_lanes);
    for (std::vector<double>& of_seed : scores) of_seed = rows.in_first(std::move(of_seed));
  };
  const SpreadRows* const spread = spread_rows(graph);
  spread ? spread->diffuse_together({diffusion, seeds, clip}, work) : work();
  return scores;
}

std::vector<double> diffuse_exactly(const Graph& graph, const Diffusion& diffusion, const SeedVector& seed,
                                    std::optional<Clip> clip, const Progress& progress) {
  return std::move(diffuse_exactly(graph, diffusion, std::span(&seed, 1), clip, progress).front());
}

}  // namespace hushwalk
