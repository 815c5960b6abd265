#include "diffusion/best_exactly.h"

#include <utility>

#include "base/fail.h"
#include "base/phase.h"
#include "diffusion/best.h"
#include "diffusion/groups.h"
#include "diffusion/rows.h"

namespace hushwalk {
namespace {

// Of some nodes those of these rows, as entries of what is by node.
std::vector<Node> entries_of(const Rows& rows, std::span<const Node> nodes) {
  std::vector<Node> entries;
  for (const Node node : nodes)
    if (rows.find(node)) entries.push_back(static_cast<Node>(rows.entry(node)));
  return entries;
}

// The best of all parts are among the best of each, and the order is total: whoever meets them finds the
// same.
std::vector<Ranked> best_of_parts(const Rows& rows, std::span<const double> scores,
                                  std::span<const Node> excluded, const Listing& listing) {
  const Phase phase("choosing the best nodes");
  std::optional<std::vector<Node>> candidates;
  if (listing.candidates) candidates = entries_of(rows, *listing.candidates);
  std::vector<Ranked> mine = top_k(scores, listing.top, entries_of(rows, excluded), candidates);
  for (Ranked& item : mine) item.node += rows.first_node();
  if (listing.top == 0) return mine;
  Best best(std::min<std::uint64_t>(listing.top, rows.nodes() + 1));
  rows.give_to_first<Ranked>(mine, [&](std::span<const Ranked> some) {
    for (const Ranked& item : some) best.offer(item);
  });
  return best.take();
}

}  // namespace

std::vector<Node> excluded_nodes(const Graph& graph, const SeedVector& seed, const Listing& listing,
                                 std::span<const Node> near) {
  std::vector<Node> excluded;
  for (const auto& [node, weight] : seed.entries()) excluded.push_back(node);
  if (!listing.exclude_neighbors) return excluded;
  excluded.insert(excluded.end(), near.begin(), near.end());
  if (!near.empty()) return excluded;
  const Phase phase("looking up own links");
  for (const auto& [node, weight] : seed.entries()) {
    const std::vector<Node> neighbors = graph.neighbors(node);
    excluded.insert(excluded.end(), neighbors.begin(), neighbors.end());
  }
  return excluded;
}

std::vector<std::vector<Ranked>> best_exactly(const Graph& graph, const Diffusion& diffusion,
                                              std::span<const SeedVector> seeds, const Listing& listing,
                                              const Progress& progress) {
  const Rows rows = Rows(graph).ready_for(seeds.size(), diffusion.steps().size());
  static_cast<void>(listing.marks(rows.nodes()));
  std::vector<std::vector<Ranked>> found;
  const auto work = [&] {
    const auto scores = diffuse_in_groups(rows, diffusion, seeds, {}, progress, choose_lanes);
    for (std::size_t i = 0; i < seeds.size(); ++i)
      found.push_back(best_of_parts(rows, scores[i], excluded_nodes(graph, seeds[i], listing), listing));
  };
  const SpreadRows* const spread = spread_rows(graph);
  spread ? spread->diffuse_together({diffusion, seeds, {}, &listing}, work) : work();
  return found;
}

}  // namespace hushwalk
