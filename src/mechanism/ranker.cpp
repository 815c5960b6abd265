#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "base/system_random.h"
#include "mechanism/mechanism.h"
#include "noise/keyed_noise.h"

namespace hushwalk {

std::optional<double> PrivateScores::error(Node node) const {
  return std::ranges::binary_search(near, node) ? near_error : far_error;
}

struct PrivateRanker::Impl {
  Plan plan;
  Graph graph;
  KeyedNoise noise{ReleaseKey::fresh()};
  std::unique_ptr<Release> release = {};
  std::string artefact = plan.one_artefact() ? random_id("the id of an artefact") : "";
  std::uint64_t answered = 0;
};

namespace {

Plan plan_of_one_process(const Graph& graph, const ReleaseParameters& request) {
  refuse_processes_beside(graph);
  return make_plan(graph.facts(), request);
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): the plan is made of it in the same expression
PrivateRanker::PrivateRanker(Graph graph, const ReleaseParameters& request, const Progress& progress)
    : PrivateRanker(plan_of_one_process(graph, request), graph, progress) {}

PrivateRanker planned_ranker(Graph graph, Plan plan, const Progress& progress) {
  return {std::move(plan), std::move(graph), progress};
}

PrivateRanker::PrivateRanker(Plan plan, Graph graph, const Progress& progress)
    : impl_(new Impl{.plan = std::move(plan), .graph = std::move(graph)}) {
  impl_->graph.check();  // a mechanism may read single rows, which nobody has compared with the others
  impl_->release = find_mechanism(impl_->plan.parameters.mechanism)
                       .start(impl_->plan, impl_->graph, impl_->noise, progress);
}

PrivateRanker::~PrivateRanker() = default;
PrivateRanker::PrivateRanker(PrivateRanker&&) noexcept = default;

std::vector<PrivateScores> PrivateRanker::answer(std::span<const SeedVector> seeds,
                                                 const Progress& progress) {
  check_seeds(seeds, impl_->graph.nodes());
  for (const SeedVector& seed : seeds)
    if (seed.entries().size() > impl_->plan.parameters.seeds_per_ranking)
      fail_usage("a seed set has {} nodes, but the plan is for at most {}", seed.entries().size(),
                 impl_->plan.parameters.seeds_per_ranking);
  if (seeds.size() > impl_->plan.parameters.rankings - impl_->answered)
    refuse("the plan is for {} rankings and {} have been answered; {} more would spend more than it says",
           impl_->plan.parameters.rankings, impl_->answered, seeds.size());
  impl_->answered += seeds.size();  // also when it fails half-way: noise may have been seen
  return impl_->release->answer(seeds, impl_->answered - seeds.size(), progress);
}

PrivateScores PrivateRanker::answer(const SeedVector& seed) {
  return std::move(answer(std::span(&seed, 1)).front());
}

const Plan& PrivateRanker::plan() const noexcept { return impl_->plan; }
const std::string& PrivateRanker::artefact() const noexcept { return impl_->artefact; }

}  // namespace hushwalk
