#include "evaluation/simulation.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/parallel.h"
#include "diffusion/series.h"
#include "graph/generate/counter_random.h"
#include "graph/generate/permutation.h"
#include "hushwalk/diffuse.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"
#include "noise/keyed_noise.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

constexpr std::size_t batch_size = 16;          // what a sweep over the graph serves side by side
constexpr std::size_t seeds_per_artefact = 10;  // see measure_plan

std::vector<Metrics> compare_all(std::span<const KnownSeed> seeds,
                                 const std::function<std::vector<double>(std::size_t)>& answer) {
  std::vector<Metrics> metrics(seeds.size());
  parallel_for(seeds.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) metrics[i] = seeds[i].exact.compare(answer(i));
  });
  return metrics;
}

// Those of a list as `rank` would give it.
void add_ranges(const Graph& graph, std::span<const KnownSeed> seeds, std::span<const PrivateScores> answers,
                std::vector<Metrics>& metrics) {
  parallel_for(seeds.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto& [seed, exact] = seeds[i];
      exact.measure_ranges(listed_nodes(graph, seed, answers[i], {.top = exact.top()}), metrics[i]);
    }
  });
}

// What is known of the walk goes to the neighbours, the rest of it evenly to all; a perturbation too small to
// matter puts the others in random order, behind the neighbours.
std::vector<double> free_answer(const Graph& graph, const Series& theta, Scope scope,
                                const CounterRandom& random, Node seed) {
  const std::uint64_t n = graph.nodes();
  const double known = scope == Scope::personalized ? theta.one : 0;
  const double even = (1 - theta.zero - known) / static_cast<double>(n);
  const double jitter = std::ldexp(std::max(std::abs(even), 1e-30), -20);
  std::vector<double> scores(n);
  for (Node node = 0; node < n; ++node) scores[node] = even - jitter * unit_interval(random.word(seed, node));
  if (scope == Scope::edge) return scores;
  own_links(graph, seed).add_to(scores, theta.one);
  return scores;
}

}  // namespace

std::vector<Node> draw_seeds(const Graph& graph, std::uint64_t count, std::uint64_t random_seed) {
  std::vector<Node> linked;
  for (std::uint64_t node = 0; node < graph.nodes(); ++node)
    if (graph.degree(static_cast<Node>(node)) > 0) linked.push_back(static_cast<Node>(node));
  if (linked.empty()) fail_usage("the graph has no edges: there is nothing to evaluate");
  if (count >= linked.size()) return linked;
  const Permutation shuffled(linked.size(), CounterRandom(random_seed, Stream::evaluated_seeds));
  std::vector<Node> seeds;
  seeds.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) seeds.push_back(linked[shuffled(i)]);
  std::ranges::sort(seeds);
  return seeds;
}

std::vector<KnownSeed> exact_answers(const Graph& graph, const Diffusion& diffusion,
                                     std::span<const Node> seeds, std::uint64_t top,
                                     const Progress& progress) {
  const std::vector<SeedVector> vectors(seeds.begin(), seeds.end());
  std::vector<std::vector<double>> scores = diffuse_exactly(graph, diffusion, vectors, {}, progress);
  std::vector<std::optional<ExactAnswer>> answers(seeds.size());
  parallel_for(seeds.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      answers[i].emplace(std::move(scores[i]), seeds[i], graph.neighbors(seeds[i]), top);
  });
  std::vector<KnownSeed> known;
  known.reserve(seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) known.push_back({seeds[i], std::move(*answers[i])});
  return known;
}

ReleaseParameters part_of_each(const ReleaseParameters& wanted) {
  const auto has_artefact = [](const ReleaseParameters& one) {
    return find_planner(one.mechanism).artefact() != Artefact::none;
  };
  const auto count = static_cast<double>(wanted.rankings);
  ReleaseParameters all = choose_mechanism(wanted);
  if (wanted.rankings == 1 || has_artefact(all)) return all;
  ReleaseParameters part = wanted;
  part.epsilon = Epsilon(wanted.epsilon.value() / count);
  if (wanted.delta) part.delta = Delta(wanted.delta->value() / count);
  part = choose_mechanism(part);
  if (!has_artefact(part)) return part;
  all.mechanism = part.mechanism;
  return all;
}

Plan plan_for_all(const PublicFacts& facts, const ReleaseParameters& wanted) {
  return make_plan(facts, part_of_each(wanted));
}

std::vector<Metrics> measure_exact(std::span<const KnownSeed> seeds) {
  return compare_all(seeds, [&](std::size_t i) { return seeds[i].exact.scores(); });
}

std::vector<Metrics> measure_free(const Graph& graph, const Diffusion& diffusion, Scope scope,
                                  std::uint64_t random_seed, std::span<const KnownSeed> seeds) {
  const CounterRandom random(random_seed, Stream::evaluated_order);
  const Series theta = series_of(diffusion.steps());
  return compare_all(seeds,
                     [&](std::size_t i) { return free_answer(graph, theta, scope, random, seeds[i].seed); });
}

std::vector<Metrics> measure_plan(const Graph& graph, const Plan& plan, std::span<const KnownSeed> seeds,
                                  const Progress& progress) {
  const std::size_t batch = plan.one_artefact() ? seeds_per_artefact : batch_size;
  std::optional<KeyedNoise> noise;
  std::unique_ptr<Release> release;
  std::vector<Metrics> metrics;
  while (metrics.size() < seeds.size()) {
    const std::size_t first = metrics.size();
    const auto part = seeds.subspan(first, std::min(batch, seeds.size() - first));
    std::vector<SeedVector> vectors;
    for (const KnownSeed& known : part) vectors.emplace_back(known.seed);
    if (!release || plan.one_artefact()) {
      release.reset();
      release = find_mechanism(plan.parameters.mechanism)
                    .start(plan, graph, noise.emplace(ReleaseKey::fresh()), {});
    }
    const std::vector<PrivateScores> answers =
        release->answer(vectors, first, [&](std::string_view, double fraction) {
          if (progress)
            progress(plan.parameters.mechanism,
                     (static_cast<double>(first) + fraction * static_cast<double>(part.size())) /
                         static_cast<double>(seeds.size()));
        });
    auto measured = compare_all(part, [&](std::size_t i) { return answers[i].scores; });
    add_ranges(graph, part, answers, measured);
    metrics.insert(metrics.end(), measured.begin(), measured.end());
  }
  return metrics;
}

double rough_cost(const Plan& plan) {
  Plan one = plan;
  one.parameters.rankings = 1;  // whoever asks counts the seeds that are measured
  const PlanWork work = plan_work(one);
  return 1e3 * (work.noise_seconds + work.seconds_per_million_edges);
}

std::vector<double> column(std::span<const Metrics> metrics, double Metrics::* field) {
  std::vector<double> values;
  values.reserve(metrics.size());
  for (const Metrics& of_seed : metrics) values.push_back(of_seed.*field);
  return values;
}

Measure summarize(std::span<const double> values) {
  double sum = 0, count = 0, squares = 0;
  for (const double value : values)
    if (!std::isnan(value)) sum += value, ++count;
  if (count == 0) return {};
  const double mean = sum / count;
  if (count == 1) return {mean, std::nullopt};
  for (const double value : values)
    if (!std::isnan(value)) squares += (value - mean) * (value - mean);
  return {mean, 1.96 * std::sqrt(squares / (count - 1) / count)};
}

Measure paired_difference(std::span<const double> values, std::span<const double> others) {
  std::vector<double> differences;
  differences.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) differences.push_back(values[i] - others[i]);
  return summarize(differences);
}

}  // namespace hushwalk
