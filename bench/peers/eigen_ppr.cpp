#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

#include "peers/peers.h"

namespace hushwalk::bench {

DegreeOrder::DegreeOrder(const Graph& graph) : node_of_row(graph.nodes()), row_of_node(graph.nodes()) {
  std::iota(node_of_row.begin(), node_of_row.end(), Node{0});
  std::ranges::stable_sort(node_of_row, std::greater{}, [&](Node node) { return graph.degree(node); });
  for (Node row = 0; row < graph.nodes(); ++row) row_of_node[node_of_row[row]] = row;
  for (const Node node : node_of_row) {
    std::vector<Node>& row = rows.emplace_back();
    for (const Node other : graph.neighbors(node)) row.push_back(row_of_node[other]);
    std::ranges::sort(row);
  }
}

std::vector<double> DegreeOrder::by_node(const std::vector<double>& by_row) const {
  std::vector<double> values(by_row.size());
  for (std::size_t row = 0; row < by_row.size(); ++row) values[node_of_row[row]] = by_row[row];
  return values;
}

struct EigenPpr::Impl {
  const DegreeOrder& order;
  Ppr ppr;
  Eigen::SparseMatrix<double, Eigen::RowMajor, int> step;
};

EigenPpr::EigenPpr(const DegreeOrder& order, Ppr ppr) : impl_(new Impl{order, ppr, {}}) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (std::size_t row = 0; row < order.rows.size(); ++row) {
    const int i = static_cast<int>(row);
    entries.emplace_back(i, i, ppr.beta / 2);
    for (const Node other : order.rows[row])
      entries.emplace_back(i, static_cast<int>(other),
                           ppr.beta / 2 / static_cast<double>(order.rows[other].size()));
  }
  const auto size = static_cast<Eigen::Index>(order.rows.size());
  impl_->step.resize(size, size);
  impl_->step.setFromTriplets(entries.begin(), entries.end());
  impl_->step.makeCompressed();
}

EigenPpr::~EigenPpr() = default;

std::vector<double> EigenPpr::run(Node seed) const {
  const Eigen::Index at = impl_->order.row_of_node[seed];
  Eigen::VectorXd x = Eigen::VectorXd::Zero(impl_->step.rows()), next = x;
  x[at] = 1;
  for (int k = 0; k < impl_->ppr.steps; ++k) {
    next.noalias() = impl_->step * x;
    next[at] += 1 - impl_->ppr.beta;
    x.swap(next);
  }
  return impl_->order.by_node({x.data(), x.data() + x.size()});
}

}  // namespace hushwalk::bench
