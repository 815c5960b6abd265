#include "mechanism/links.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/parallel.h"
#include "diffusion/sweep.h"
#include "graph/graph_impl.h"

namespace hushwalk {

using accounting::QuantisedTaper;

OwnLinks own_links(const Graph& graph, const SeedVector& seed) {
  std::vector<std::pair<Node, double>> links;
  for (const auto& [node, weight] : seed.entries()) {
    const std::vector<Node> neighbors = graph.neighbors(node);
    for (const Node neighbor : neighbors)
      if (!seed.contains(neighbor))
        links.emplace_back(neighbor, weight / static_cast<double>(neighbors.size()));
  }
  std::ranges::stable_sort(links, {}, &std::pair<Node, double>::first);
  OwnLinks own;
  for (const auto& [node, share] : links) {
    if (own.near.empty() || own.near.back() != node) {
      own.near.push_back(node);
      own.share.push_back(0);
    }
    own.share.back() += share;
  }
  return own;
}

std::vector<std::int64_t> weighted_links(const Graph& graph, const QuantisedTaper& taper) {
  const Csr& csr = csr_of(graph);
  std::vector<std::int64_t> weights(csr.rows()), links(csr.rows());
  parallel_for(csr.rows(), 1 << 14, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
      weights[row] = static_cast<std::int64_t>(taper.weight(csr.degree(static_cast<Row>(row))));
  });
  sweep<std::int64_t, 1>(csr, row_blocks_for<1>(csr), weights.data(),
                         [&](const RowBlock& block, const std::int64_t* sums) {
                           for (Row row = block.first; row < block.last; ++row)
                             links[csr.node_of_row[row]] = sums[row - block.first];
                         });
  return links;
}

std::vector<std::int64_t> two_hop_links(const Graph& graph, const QuantisedTaper& taper,
                                        const std::vector<std::int64_t>& background, const SeedVector& seed,
                                        const std::vector<Node>& near) {
  const Csr& csr = csr_of(graph);
  std::vector<std::int64_t> links = background;
  const auto move_links = [&](Node node, std::int64_t counted_as) {
    const Row row = csr.row_of_node[node];
    const auto change = counted_as - static_cast<std::int64_t>(taper.weight(csr.degree(row)));
    for (const Row neighbor : csr.row(row)) links[csr.node_of_row[neighbor]] += change;
  };
  for (const Node node : near) move_links(node, static_cast<std::int64_t>(QuantisedTaper::unit));
  for (const auto& [node, weight] : seed.entries()) move_links(node, 0);
  for (const auto& [node, weight] : seed.entries()) links[node] = 0;
  return links;
}

accounting::Taper taper_of(double taper) {
  if (std::isinf(taper) && taper > 0) return std::nullopt;
  if (!(taper >= 1 && taper <= static_cast<double>(QuantisedTaper::max_taper)) || taper != std::floor(taper))
    fail_usage("taper is {}; it must be a whole number from 1 to {}, or inf", taper,
               QuantisedTaper::max_taper);
  return static_cast<std::uint64_t>(taper);
}

}  // namespace hushwalk
