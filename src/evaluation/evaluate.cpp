// A table of cells, (epsilon, mechanism, eta) each. Seeds are taken in portions whose exact scores fit in
// memory, and every cell answers a portion before the next one begins; nearly always there is one portion, so
// that rows come out one by one.
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "base/fail.h"
#include "evaluation/simulation.h"
#include "hushwalk/mechanism.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

struct Cell {
  EvaluationRow row;
  std::optional<Plan> plan;  // none for `exact`, `free` and what is refused
  bool done = false;         // in an earlier run
  std::vector<Metrics> metrics;
};

bool is_reference(const std::string& mechanism) { return mechanism == "exact" || mechanism == "free"; }

void check_names(const EvaluationRequest& request) {
  std::vector<std::string> known = mechanism_names();
  known.insert(known.begin(), "auto");
  known.insert(known.end(), {"free", "exact"});
  for (const std::string& name : request.mechanisms)
    if (std::ranges::find(known, name) == known.end())
      fail_usage("there is no mechanism '{}'; choose from: {}", name, fmt::join(known, " "));
}

// A parameter must be one that any of the mechanisms has.
void check_parameters(const EvaluationRequest& request) {
  ReleaseParameters given = request.release;
  given.eta = request.etas.empty() ? std::nullopt : std::optional(request.etas.front());
  ParameterUse any;
  for (const std::string& mechanism : request.mechanisms) {
    if (is_reference(mechanism)) continue;
    const ParameterUse has = parameter_use(mechanism);
    each_use([&](const char*, auto use, auto) { any.*use = any.*use || has.*use; });
  }
  check_uses(given, any, fmt::format("{}", fmt::join(request.mechanisms, ", ")));
}

void check(const EvaluationRequest& request) {
  check_names(request);
  if (request.mechanisms.empty()) fail_usage("an evaluation needs at least one `mechanism`");
  if (request.seeds == 0 || request.top == 0) fail_usage("`seeds` and `top` must be at least 1");
  if (request.release.rankings == 0) fail_usage("an evaluation needs at least one recipient");
  const bool all_references = std::ranges::all_of(request.mechanisms, is_reference);
  if (request.epsilons.empty() && !all_references) fail_usage("an evaluation needs at least one `epsilon`");
  check_parameters(request);
}

// In the order given, each once.
template <class Item, class Key>
std::vector<Item> distinct(const std::vector<Item>& items, const Key& key) {
  std::vector<Item> kept;
  for (const Item& item : items)
    if (std::ranges::none_of(kept, [&](const Item& other) { return key(other) == key(item); }))
      kept.push_back(item);
  return kept;
}

ReleaseParameters release_request(const EvaluationRequest& request, const std::string& mechanism,
                                  const Epsilon& epsilon, const std::optional<Eta>& eta) {
  ReleaseParameters wanted = request.release;
  wanted.mechanism = mechanism;
  wanted.epsilon = epsilon;
  wanted.eta = eta;
  wanted.seeds_per_ranking = 1;
  const ParameterUse has = parameter_use(mechanism);
  each_use([&](const char*, auto use, auto parameter) {
    if (!(has.*use)) (wanted.*parameter).reset();
  });
  return wanted;
}

Cell private_cell(const PublicFacts& facts, const ReleaseParameters& wanted) {
  Cell cell;
  cell.row.mechanism = wanted.mechanism;
  cell.row.epsilon = wanted.epsilon.value();
  if (wanted.eta) cell.row.eta = wanted.eta->value();
  try {
    cell.plan = plan_for_all(facts, wanted);
    cell.row.resolved = cell.plan->parameters.mechanism;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    cell.row.refused = error.what();
  }
  return cell;
}

std::vector<Cell> make_cells(const Graph& graph, const EvaluationRequest& request) {
  const PublicFacts& facts = graph.facts();
  const auto names = distinct(request.mechanisms, [](const std::string& name) { return name; });
  const auto epsilons = distinct(request.epsilons, [](const Epsilon& epsilon) { return epsilon.value(); });
  auto etas = distinct(request.etas, [](const Eta& eta) { return eta.value(); });
  if (etas.empty()) etas.emplace_back(default_eta);
  std::vector<Cell> cells;
  for (const std::string& name : names)
    if (is_reference(name)) {
      cells.emplace_back();
      cells.back().row.mechanism = name;
      cells.back().row.resolved = name;
    }
  for (const Epsilon& epsilon : epsilons)
    for (const std::string& name : names) {
      if (is_reference(name)) continue;
      if (parameter_use(name).eta)
        for (const Eta& eta : etas)
          cells.push_back(private_cell(facts, release_request(request, name, epsilon, eta)));
      else
        cells.push_back(private_cell(facts, release_request(request, name, epsilon, {})));
    }
  return cells;
}

std::vector<Cell> take_over(std::vector<Cell> cells, std::span<const EvaluationRow> done, std::size_t seeds) {
  for (const EvaluationRow& row : done)
    if (!row.refused && row.seed_ndcg.size() != seeds)
      fail_usage("a row that is said to be done has {} seeds instead of {}", row.seed_ndcg.size(), seeds);
  for (Cell& cell : cells)
    for (const EvaluationRow& row : done)
      if (row.mechanism == cell.row.mechanism && row.epsilon == cell.row.epsilon && row.eta == cell.row.eta) {
        cell.row = row;
        cell.done = true;
      }
  return cells;
}

std::string label(const EvaluationRow& row, const EvaluationRequest& request) {
  return row.eta && request.etas.size() > 1 ? fmt::format("{}@{}", row.mechanism, *row.eta) : row.mechanism;
}

// The progress of one piece of work as a part of all.
class Share {
 public:
  Share(const Progress& progress, double total) : progress_(progress), total_(total) {}
  Progress part(double cost) {
    return [this, cost](std::string_view stage, double fraction) {
      if (progress_)
        progress_(stage, std::min(1.0, (done_ + cost * std::clamp(fraction, 0.0, 1.0)) / total_));
    };
  }
  void finish(double cost) { done_ += cost; }

 private:
  const Progress& progress_;
  double total_, done_ = 0;
};

class Evaluation {
 public:
  Evaluation(const Graph& graph, const EvaluationRequest& request,
             const std::function<void(const EvaluationRow&)>& on_row, const Progress& progress,
             std::span<const EvaluationRow> done)
      : graph_(graph),
        request_(request),
        on_row_(on_row),
        seeds_(draw_seeds(graph, request.seeds, request.random_seed)),
        cells_(take_over(make_cells(graph, request), done, seeds_.size())),
        top_(std::min(request.top, graph.nodes() - 1)),
        share_(progress, total_cost()) {}

  EvaluationSummary run() {
    const std::uint64_t portion =
        std::max<std::uint64_t>(request_.exact_scores_at_a_time / graph_.nodes(), 16);
    for (std::uint64_t first = 0; first < seeds_.size(); first += portion) {
      const std::uint64_t count = std::min<std::uint64_t>(portion, seeds_.size() - first);
      answer_portion(std::span(seeds_).subspan(first, count), first + count == seeds_.size());
    }
    return {seeds_.size(), top_};
  }

 private:
  void answer_portion(std::span<const Node> seeds, bool last) {
    if (std::ranges::all_of(cells_, &Cell::done)) return;
    const auto part = static_cast<double>(seeds.size());
    const std::vector<KnownSeed> known =
        exact_answers(graph_, request_.release.diffusion, seeds, top_, share_.part(part * exact_cost()));
    share_.finish(part * exact_cost());
    const std::vector<Metrics> free =
        measure_free(graph_, request_.release.diffusion, request_.release.scope, request_.random_seed, known);
    for (const Metrics& metrics : free) free_ndcg_.push_back(metrics.ndcg);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Cell& cell = cells_[i];
      if (!cell.done && !cell.row.refused) answer_cell(cell, known, free);
      if (last && !cell.done) on_row_(finish(i));
    }
  }

  void answer_cell(Cell& cell, std::span<const KnownSeed> known, const std::vector<Metrics>& free) {
    const auto start = std::chrono::steady_clock::now();
    const double cost = cell_cost(cell) * static_cast<double>(known.size());
    const std::vector<Metrics> metrics = cell.plan
                                             ? measure_plan(graph_, *cell.plan, known, share_.part(cost))
                                         : cell.row.mechanism == "free" ? free
                                                                        : measure_exact(known);
    share_.finish(cost);
    cell.metrics.insert(cell.metrics.end(), metrics.begin(), metrics.end());
    cell.row.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  const EvaluationRow& finish(std::size_t index) {
    Cell& cell = cells_[index];
    EvaluationRow& row = cell.row;
    if (row.refused) return row;
    row.ndcg = summarize(row.seed_ndcg = column(cell.metrics, &Metrics::ndcg));
    row.recall = summarize(column(cell.metrics, &Metrics::recall));
    row.new_ndcg = summarize(column(cell.metrics, &Metrics::new_ndcg));
    row.new_recall = summarize(column(cell.metrics, &Metrics::new_recall));
    row.l1 = summarize(column(cell.metrics, &Metrics::l1));
    row.kendall = summarize(column(cell.metrics, &Metrics::kendall));
    row.rank_coverage = summarize(column(cell.metrics, &Metrics::rank_coverage));
    row.rank_width = summarize(column(cell.metrics, &Metrics::rank_width));
    row.rank_share = summarize(column(cell.metrics, &Metrics::rank_share));
    row.gain = paired_difference(row.seed_ndcg, free_ndcg_);
    for (const Cell& other : std::span(cells_).first(index))
      if (row.epsilon && other.row.epsilon == row.epsilon && !other.row.refused)
        row.versus.push_back(
            {label(other.row, request_), paired_difference(row.seed_ndcg, other.row.seed_ndcg)});
    return row;
  }

  double exact_cost() const { return 2 * static_cast<double>(request_.release.diffusion.steps().size()); }
  static double cell_cost(const Cell& cell) {
    if (cell.done || cell.row.refused) return 0;
    return cell.plan ? rough_cost(*cell.plan) : 1;
  }
  double total_cost() const {
    double cost = exact_cost();
    for (const Cell& cell : cells_) cost += cell_cost(cell);
    return cost * static_cast<double>(seeds_.size());
  }

  const Graph& graph_;
  const EvaluationRequest& request_;
  const std::function<void(const EvaluationRow&)>& on_row_;
  std::vector<Node> seeds_;
  std::vector<Cell> cells_;
  std::uint64_t top_;
  Share share_;
  std::vector<double> free_ndcg_;
};

}  // namespace

EvaluationSummary evaluate(const Graph& graph, const EvaluationRequest& request,
                           const std::function<void(const EvaluationRow&)>& on_row, const Progress& progress,
                           std::span<const EvaluationRow> done) {
  refuse_several_processes();
  check(request);
  return Evaluation(graph, request, on_row, progress, done).run();
}

}  // namespace hushwalk
