// What the figures share: graphs, how much work to do, and evaluations that several figures use.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hushwalk/evaluation.h"
#include "hushwalk/reproduction.h"

namespace hushwalk::reproduction {

// The paper's setting: lazy PPR.
inline constexpr double beta = 0.8;
inline constexpr int steps = 100;

struct Benchmark {
  std::string name, title;
  std::uint64_t published_nodes = 0, published_edges = 0;
  std::string classes;  // as the paper prints them
  Graph graph = {};
  std::string origin = {};  // where the graph came from, for the reader

  double paper_delta() const { return 1 / static_cast<double>(graph.secret_edges()); }
};

struct Effort {
  std::uint64_t seeds, flip_seeds;  // the flipped graph is large, so it gets fewer
  std::vector<double> epsilons, flip_epsilons, etas, grid_etas, ablation_epsilons;
  std::uint64_t attack_trials;
};
Effort full_effort();
Effort quick_effort();

class Workbench {
 public:
  Workbench(const ReproductionRequest& request, const Progress& progress);

  const Effort effort;
  const Progress& progress;

  const std::vector<Benchmark>& graphs();  // made at the first use
  const Benchmark& first() { return graphs().front(); }
  std::string graph_words();                              // all graphs, for a figure
  std::string command(const std::string& figures) const;  // that makes them

  // All mechanisms at all epsilons; where there is an eta, the best of them, by NDCG on this very graph.
  const std::vector<EvaluationRow>& utility(const Benchmark& graph);
  // `paper` and `pushflow` on the whole grid of etas.
  const std::vector<EvaluationRow>& grid(const Benchmark& graph);

 private:
  const ReproductionRequest& request_;
  std::vector<Benchmark> graphs_;
  std::map<std::string, std::vector<EvaluationRow>> utility_, grid_;
};

// The smallest noise at which `epsilon_of` the noise, which falls with it, is at most epsilon.
double smallest_scale(double epsilon, const std::function<double(double)>& epsilon_of);

std::string words(const Benchmark& graph);

// A number, or why there is none.
report::Cell cell(const std::optional<double>& value, const std::optional<std::string>& refused);

// The measures of utility, which stand side by side in every table: NDCG and recall alone hide an answer that
// has nothing but the recipient's own neighbours.
struct UtilityMeasure {
  std::string name, title;  // of its column
  Measure EvaluationRow::* of;
};
const std::vector<UtilityMeasure>& utility_measures();

// The columns, or the cells of a row, that are given, then every measure with its interval.
std::vector<report::Column> with_measures(std::vector<report::Column> columns);
std::vector<report::Cell> with_measures(std::vector<report::Cell> cells, const EvaluationRow& measured);

}  // namespace hushwalk::reproduction
