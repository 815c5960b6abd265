#include "mechanism/links.h"

#include <algorithm>
#include <cmath>

#include "base/alone.h"
#include "base/fail.h"
#include "base/phase.h"

namespace hushwalk {

using accounting::QuantisedTaper;

OwnLinks own_links(const Graph& graph, const SeedVector& seed) {
  const Phase phase("looking up own links");
  check_seeds(std::span(&seed, 1), graph.nodes());
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

namespace {

std::int64_t weight_of(const Rows& rows, const QuantisedTaper& taper, Row row) {
  return static_cast<std::int64_t>(taper.weight(rows.degree(row)));
}

std::int64_t in_units(std::int64_t links) { return links * static_cast<std::int64_t>(QuantisedTaper::unit); }

template <class F>
void for_each_mine(const Rows& rows, const std::vector<Node>& nodes, const F& f) {
  for (const Node node : nodes)
    if (const auto row = rows.find(node)) f(*row);
}

template <class F>
void for_each_mine(const Rows& rows, const SeedVector& seed, const F& f) {
  for (const auto& [node, weight] : seed.entries())
    if (const auto row = rows.find(node)) f(*row);
}

// How many links each row has into some nodes.
template <class Nodes>
std::vector<std::int64_t> links_into(const Rows& rows, const Nodes& nodes) {
  Scatter links(rows);
  for_each_mine(rows, nodes, [&](Row row) { links.add_to_neighbors(row, 1); });
  return std::move(links).take();
}

// Numbers of links by row, most of them 0, as numbers by node in units of the taper.
std::vector<std::int64_t> few_by_node(const Rows& rows, const std::vector<std::int64_t>& numbers) {
  std::vector<std::int64_t> by_node(rows.mine());
  for (Row row = 0; row < rows.mine(); ++row)
    if (numbers[row] != 0) by_node[rows.node_index(row)] = in_units(numbers[row]);
  return by_node;
}

// By node, given the changes by row; a seed's own entry becomes 0.
std::vector<std::int64_t> changed_links(const Rows& rows, std::vector<std::int64_t> links, Scatter changes,
                                        const SeedVector& seed) {
  const std::vector<std::int64_t> change = std::move(changes).take();
  // Few rows change, and nodes lie in another order than rows: the others are not looked for.
  for (Row row = 0; row < rows.mine(); ++row)
    if (change[row] != 0) links[rows.node_index(row)] += change[row];
  for_each_mine(rows, seed, [&](Row row) { links[rows.node_index(row)] = 0; });
  return links;
}

std::vector<std::int64_t> far_links(const Rows& rows, const QuantisedTaper& taper,
                                    const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                                    const std::vector<Node>& near,
                                    const std::vector<std::int64_t>& into_near) {
  Scatter changes(rows);
  const auto reweigh = [&](Row row, std::uint64_t weight) {
    const auto change = static_cast<std::int64_t>(weight) - weight_of(rows, taper, row);
    if (change != 0) changes.add_to_neighbors(row, change);
  };
  std::vector<char> in_far(rows.mine(), 1);
  const auto leave_out = [&](Row row) {
    reweigh(row, 0);
    in_far[row] = 0;
  };
  for_each_mine(rows, near, leave_out);
  for_each_mine(rows, seed, leave_out);
  // A node of O has no link to a seed: what does not lead into N stays inside O.
  for (Row row = 0; row < rows.mine(); ++row)
    if (in_far[row] && into_near[row] > 0)
      reweigh(row, taper.weight(rows.degree(row) - static_cast<std::uint64_t>(into_near[row])));
  return changed_links(rows, all_links, std::move(changes), seed);
}

}  // namespace

std::vector<std::int64_t> weighted_links(const Rows& rows, const QuantisedTaper& taper) {
  const Phase phase("walking through all links");
  const std::vector<std::int64_t> links =
      rows.neighbor_sums([&](Row row) { return weight_of(rows, taper, row); });
  return rows.by_node([&](Row row) { return links[row]; });
}

std::shared_ptr<const std::vector<std::int64_t>> kept_links(const Graph& graph, const QuantisedTaper& taper) {
  // All processes of a job walk together, or none of them.
  if (spread_rows(graph))
    return std::make_shared<const std::vector<std::int64_t>>(weighted_links(graph, taper));
  // Rows, not the graph: a graph that kept itself would never be closed.
  return kept_numbers(graph).get(taper.key(), [rows = Rows(graph), taper] {
    return alone([&] { return weighted_links(rows, taper); });
  });
}

std::vector<std::int64_t> two_hop_links(const Rows& rows, const QuantisedTaper& taper,
                                        const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                                        const std::vector<Node>& near) {
  Scatter changes(rows);
  const auto count_as = [&](std::int64_t weight) {
    return [&, weight](Row row) { changes.add_to_neighbors(row, weight - weight_of(rows, taper, row)); };
  };
  for_each_mine(rows, near, count_as(in_units(1)));
  for_each_mine(rows, seed, count_as(0));
  return changed_links(rows, all_links, std::move(changes), seed);
}

std::vector<std::int64_t> far_links(const Rows& rows, const QuantisedTaper& taper,
                                    const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                                    const std::vector<Node>& near) {
  return far_links(rows, taper, all_links, seed, near, links_into(rows, near));
}

SeparateLinks separate_links(const Rows& rows, const QuantisedTaper& taper,
                             const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                             const std::vector<Node>& near) {
  const std::vector<std::int64_t> into_near = links_into(rows, near), into_seeds = links_into(rows, seed);
  SeparateLinks found{few_by_node(rows, into_near), far_links(rows, taper, all_links, seed, near, into_near)};
  for_each_mine(rows, near, [&](Row row) {
    const auto degree = static_cast<std::int64_t>(rows.degree(row));
    found.into_far[rows.node_index(row)] = in_units(degree - into_near[row] - into_seeds[row]);
  });
  for_each_mine(rows, seed, [&](Row row) { found.into_near[rows.node_index(row)] = 0; });
  return found;
}

std::vector<std::int64_t> count_links_into(const Rows& rows, const std::vector<Node>& nodes) {
  return few_by_node(rows, links_into(rows, nodes));
}

std::vector<std::int64_t> sum_over_neighbors(const Rows& rows, const std::vector<std::int64_t>& weight) {
  const std::vector<std::int64_t> sums =
      rows.neighbor_sums([&](Row row) { return weight[rows.node_index(row)]; });
  return rows.by_node([&](Row row) { return sums[row]; });
}

}  // namespace hushwalk
