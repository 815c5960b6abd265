#include "reproduction/workbench.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/fail.h"
#include "hushwalk/generate.h"
#include "hushwalk/import.h"

namespace hushwalk::reproduction {
namespace {

constexpr std::array names = {"blogcatalog", "flickr", "themarker"};

// Table 1 of the paper, with the counts its text gives.
std::vector<Benchmark> published() {
  return {{names[0], "BlogCatalog", 10'312, 333'983, "39"},
          {names[1], "Flickr", 80'513, 5'899'882, "195"},
          {names[2], "TheMarker", 69'400, 1'600'000, "NA"}};
}

std::vector<double> powers(double lowest, double highest, std::size_t count) {
  std::vector<double> result;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(
        std::pow(10, lowest + (highest - lowest) * static_cast<double>(i) / static_cast<double>(count - 1)));
  return result;
}

std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder, const std::string& name) {
  std::error_code none;  // what is there and cannot be read shows when it is opened
  for (const char* ending : {".hwg", ".txt", ".txt.xz", ".txt.gz", ".txt.zst"}) {
    auto path = folder / (name + ending);
    if (std::filesystem::symlink_status(path, none).type() != std::filesystem::file_type::not_found)
      return path;
  }
  return std::nullopt;
}

// The same graph with a public bound on its edges.
Graph with_bound(const Graph& graph, std::uint64_t max_edges) {
  std::vector<std::pair<Node, Node>> edges;
  edges.reserve(graph.secret_edges());
  for (Node u = 0; u < graph.nodes(); ++u)
    for (const Node v : graph.neighbors(u))
      if (u < v) edges.emplace_back(u, v);
  return Graph::from_edges(graph.node_list(), edges, max_edges);
}

void load(Benchmark& benchmark, const std::filesystem::path& data, const Progress& progress) {
  const std::uint64_t bound = 2 * benchmark.published_edges;
  const auto file = data.empty() ? std::nullopt : find_file(data, benchmark.name);
  if (!file) {
    benchmark.graph = with_bound(hushwalk::generate(benchmark.name + "-like", {}, progress), bound);
    benchmark.origin = "a generated look-alike";
    return;
  }
  benchmark.graph = with_bound(
      file->extension() == ".hwg" ? Graph::open(*file) : import_graph(*file, {}, progress).graph, bound);
  const bool published = benchmark.graph.nodes() == benchmark.published_nodes &&
                         benchmark.graph.secret_edges() == benchmark.published_edges;
  benchmark.origin = published ? "the real graph, by its size" : "a file whose size is not the published one";
}

// A graph of the user's. Its bound on edges is not public unless it was declared: nothing here is private.
Benchmark own_graph(const std::string& path, const Progress& progress) {
  const Graph graph = open_graph(path, progress).graph;
  const bool declared = graph.facts().max_edges_declared;
  Benchmark own{path, std::filesystem::path(path).filename().string(), 0, 0, "NA"};
  own.graph = declared ? graph : with_bound(graph, 2 * graph.secret_edges());
  own.origin = declared ? "your own graph, with its declared bound on edges"
                        : "your own graph, with a bound of twice its edges";
  return own;
}

std::vector<Epsilon> as_epsilons(const std::vector<double>& values) { return {values.begin(), values.end()}; }

// Of rows that differ in eta only, the best; a refused row counts if there is no other.
std::vector<EvaluationRow> best_etas(const std::vector<EvaluationRow>& rows) {
  std::vector<EvaluationRow> best;
  for (const EvaluationRow& row : rows) {
    const auto same = std::ranges::find_if(best, [&](const EvaluationRow& other) {
      return other.mechanism == row.mechanism && other.epsilon == row.epsilon;
    });
    if (same == best.end())
      best.push_back(row);
    else if (row.ndcg.mean && (!same->ndcg.mean || *row.ndcg.mean > *same->ndcg.mean))
      *same = row;
  }
  return best;
}

std::vector<EvaluationRow> rows_of(const Benchmark& benchmark, const EvaluationRequest& request,
                                   const Progress& progress) {
  std::vector<EvaluationRow> rows;
  evaluate(benchmark.graph, request, [&](const EvaluationRow& row) { rows.push_back(row); }, progress);
  return rows;
}

}  // namespace

Effort full_effort() {
  return {.seeds = 100,
          .flip_seeds = 10,
          .epsilons = {0.01, 0.03, 0.1, 0.3, 1, 3},
          .flip_epsilons = {0.01, 0.03, 0.1, 0.3, 1, 3},
          .etas = powers(-10, -4, 7),
          .grid_etas = powers(-10, -4, 20),
          .ablation_epsilons = {0.1, 0.3, 1, 3},
          .attack_trials = 20'000};
}

Effort quick_effort() {
  return {.seeds = 8,
          .flip_seeds = 4,
          .epsilons = {0.01, 0.1, 1},
          .flip_epsilons = {1},
          .etas = powers(-10, -4, 7),
          .grid_etas = powers(-10, -4, 7),
          .ablation_epsilons = {0.1, 1},
          .attack_trials = 2'000};
}

Workbench::Workbench(const ReproductionRequest& request, const Progress& given)
    : effort(request.quick ? quick_effort() : full_effort()), progress(given), request_(request) {}

const std::vector<Benchmark>& Workbench::graphs() {
  if (!graphs_.empty()) return graphs_;
  for (Benchmark& benchmark : published()) {
    const auto& wanted = request_.graphs;
    if (wanted.empty() ? request_.quick && !graphs_.empty()
                       : std::ranges::find(wanted, benchmark.name) == wanted.end())
      continue;
    load(benchmark, request_.data, progress);
    graphs_.push_back(std::move(benchmark));
  }
  for (const std::string& name : request_.graphs)
    if (std::ranges::find(names, name) == names.end()) graphs_.push_back(own_graph(name, progress));
  return graphs_;
}

std::string Workbench::graph_words() {
  std::string text;
  for (const Benchmark& benchmark : graphs()) text += (text.empty() ? "" : "; ") + words(benchmark);
  return text;
}

std::string Workbench::command(const std::string& figures) const {
  const std::string start = "hushwalk reproduce";
  if (figures.empty() || !request_.command.starts_with(start)) return request_.command;
  return start + " " + figures + request_.command.substr(start.size());
}

const std::vector<EvaluationRow>& Workbench::utility(const Benchmark& benchmark) {
  const auto [at, fresh] = utility_.try_emplace(benchmark.name);
  if (!fresh) return at->second;
  EvaluationRequest request{.mechanisms = {"free", "paper", "pushflow", "pushflow+own", "output", "twohop",
                                           "frontier", "shared", "circles"},
                            .epsilons = as_epsilons(effort.epsilons),
                            .seeds = effort.seeds};
  request.mechanisms.insert(request.mechanisms.end(), request_.mechanisms.begin(), request_.mechanisms.end());
  for (const double eta : effort.etas) request.etas.emplace_back(eta);
  at->second = best_etas(rows_of(benchmark, request, progress));
  const EvaluationRequest flips{.mechanisms = {"edgeflip", "edgeflip+own"},
                                .epsilons = as_epsilons(effort.flip_epsilons),
                                .seeds = effort.flip_seeds};
  for (EvaluationRow& row : rows_of(benchmark, flips, progress)) at->second.push_back(std::move(row));
  return at->second;
}

const std::vector<EvaluationRow>& Workbench::grid(const Benchmark& benchmark) {
  const auto [at, fresh] = grid_.try_emplace(benchmark.name);
  if (!fresh) return at->second;
  EvaluationRequest request{
      .mechanisms = {"paper", "pushflow"}, .epsilons = as_epsilons(effort.epsilons), .seeds = effort.seeds};
  for (const double eta : effort.grid_etas) request.etas.emplace_back(eta);
  return at->second = rows_of(benchmark, request, progress);
}

double smallest_scale(double epsilon, const std::function<double(double)>& epsilon_of) {
  double low = 1e-15, high = 1e6;
  while (high / low > 1 + 1e-5) {
    const double middle = std::sqrt(low * high);
    (epsilon_of(middle) > epsilon ? low : high) = middle;
  }
  return high;
}

std::string words(const Benchmark& benchmark) {
  return fmt::format("{} ({}, {} nodes, {} edges)", benchmark.title, benchmark.origin,
                     benchmark.graph.nodes(), benchmark.graph.secret_edges());
}

report::Cell cell(const std::optional<double>& value, const std::optional<std::string>& refused) {
  if (value) return *value;
  return report::Missing{refused ? "refused" : "undefined"};
}

const std::vector<UtilityMeasure>& utility_measures() {
  static const std::vector<UtilityMeasure> measures = {
      {"ndcg", "NDCG@100", &EvaluationRow::ndcg},
      {"recall", "Recall@100", &EvaluationRow::recall},
      {"new_ndcg", "NDCG@100 of new nodes", &EvaluationRow::new_ndcg},
      {"new_recall", "Recall@100 of new nodes", &EvaluationRow::new_recall}};
  return measures;
}

std::vector<report::Column> with_measures(std::vector<report::Column> columns) {
  for (const UtilityMeasure& measure : utility_measures()) {
    columns.push_back({measure.name, measure.title});
    columns.push_back({measure.name + "_ci", "± 95 %", "", 2});
  }
  return columns;
}

std::vector<report::Cell> with_measures(std::vector<report::Cell> cells, const EvaluationRow& measured) {
  for (const UtilityMeasure& measure : utility_measures()) {
    cells.push_back(cell((measured.*measure.of).mean, measured.refused));
    cells.push_back(cell((measured.*measure.of).ci, measured.refused));
  }
  return cells;
}

}  // namespace hushwalk::reproduction

namespace hushwalk {

// Without making a graph, which takes randomness for its id: this is part of every --help.
std::vector<std::string> benchmark_names() {
  return {reproduction::names.begin(), reproduction::names.end()};
}

}  // namespace hushwalk
