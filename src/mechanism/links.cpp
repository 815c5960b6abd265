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

namespace {

// How many links each node has into N, by row.
std::vector<std::uint32_t> links_into(const Csr& csr, const std::vector<Node>& near) {
  std::vector<std::uint32_t> links(csr.rows());
  for (const Node node : near)
    for (const Row neighbor : csr.row(csr.row_of_node[node])) ++links[neighbor];
  return links;
}

std::vector<std::int64_t> far_background(const Csr& csr, const QuantisedTaper& taper,
                                         const std::vector<std::int64_t>& background, const SeedVector& seed,
                                         const std::vector<Node>& near,
                                         const std::vector<std::uint32_t>& into_near) {
  std::vector<std::int64_t> links = background;
  const auto reweigh = [&](Row row, std::uint64_t weight) {
    const auto change = static_cast<std::int64_t>(weight - taper.weight(csr.degree(row)));
    if (change == 0) return;
    for (const Row neighbor : csr.row(row)) links[csr.node_of_row[neighbor]] += change;
  };
  std::vector<char> in_far(csr.rows(), 1);
  const auto leave_out = [&](Node node) {
    const Row row = csr.row_of_node[node];
    reweigh(row, 0);
    in_far[row] = 0;
  };
  for (const Node node : near) leave_out(node);
  for (const auto& [node, weight] : seed.entries()) leave_out(node);
  // A node of O has no link to a seed: what does not lead into N stays inside O.
  for (Row row = 0; row < csr.rows(); ++row)
    if (in_far[row] && into_near[row] > 0) reweigh(row, taper.weight(csr.degree(row) - into_near[row]));
  for (const auto& [node, weight] : seed.entries()) links[node] = 0;
  return links;
}

}  // namespace

std::vector<std::int64_t> far_background(const Graph& graph, const QuantisedTaper& taper,
                                         const std::vector<std::int64_t>& background, const SeedVector& seed,
                                         const std::vector<Node>& near) {
  const Csr& csr = csr_of(graph);
  return far_background(csr, taper, background, seed, near, links_into(csr, near));
}

SeparateLinks separate_links(const Graph& graph, const QuantisedTaper& taper,
                             const std::vector<std::int64_t>& background, const SeedVector& seed,
                             const std::vector<Node>& near) {
  const Csr& csr = csr_of(graph);
  const auto in_units = [](std::uint64_t links) {
    return static_cast<std::int64_t>(links * QuantisedTaper::unit);
  };
  const std::vector<std::uint32_t> into_near = links_into(csr, near);
  SeparateLinks found{std::vector<std::int64_t>(csr.rows()),
                      far_background(csr, taper, background, seed, near, into_near)};
  for (Row row = 0; row < csr.rows(); ++row) found.into_near[csr.node_of_row[row]] = in_units(into_near[row]);
  for (const Node node : near) {
    const Row row = csr.row_of_node[node];
    found.into_far[node] = in_units(csr.degree(row) - into_near[row]);
  }
  for (const auto& [node, weight] : seed.entries()) {
    found.into_near[node] = 0;
    for (const Row neighbor : csr.row(csr.row_of_node[node]))
      found.into_far[csr.node_of_row[neighbor]] -= in_units(1);  // a link to a seed leads into neither
  }
  for (const auto& [node, weight] : seed.entries()) found.into_far[node] = 0;
  return found;
}

accounting::Taper taper_of(double taper) {
  if (std::isinf(taper) && taper > 0) return std::nullopt;
  if (!(taper >= 1 && taper <= static_cast<double>(QuantisedTaper::max_taper)) || taper != std::floor(taper))
    fail_usage("taper is {}; it must be a whole number from 1 to {}, or inf", taper,
               QuantisedTaper::max_taper);
  return static_cast<std::uint64_t>(taper);
}

}  // namespace hushwalk
