// Lazy PPR from one seed by other libraries, each in the form that suits it best.
//
// Preparing the matrix is not timed, and the peers get their nodes in descending degree too (the order
// hushwalk uses inside), which they would not have of themselves.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hushwalk/graph.h"

namespace hushwalk::bench {

struct Ppr {
  double beta;
  int steps;
};

// The graph as rows in descending degree.
struct DegreeOrder {
  explicit DegreeOrder(const Graph& graph);
  std::vector<Node> node_of_row, row_of_node;
  std::vector<std::vector<Node>> rows;  // neighbours as rows, ascending
  std::vector<double> by_node(const std::vector<double>& by_row) const;
};

// x = M x + restart s with M = walk P + stay I as one matrix: a single product and no other pass.
class EigenPpr {
 public:
  EigenPpr(const DegreeOrder& order, Ppr ppr);
  ~EigenPpr();
  std::vector<double> run(Node seed) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// x' = stay x + restart s, then x' += product, accumulated in place as in LAGraph's PageRank.
class GraphBlasPpr {
 public:
  enum class Form {
    times,   // PLUS_TIMES with walk P
    second,  // PLUS_SECOND with the bare pattern and pre-divided values
  };
  GraphBlasPpr(const DegreeOrder& order, Ppr ppr, Form form);
  ~GraphBlasPpr();
  std::vector<double> run(Node seed, int threads) const;                             // mxv
  std::vector<double> run_together(std::span<const Node> seeds, int threads) const;  // mxm; that of the first

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hushwalk::bench
