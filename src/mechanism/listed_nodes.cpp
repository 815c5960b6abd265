// The best nodes of one answer, without the seeds and what else is left out.
#include "base/phase.h"
#include "diffusion/best_exactly.h"
#include "estimate/rank_range.h"
#include "hushwalk/mechanism.h"

namespace hushwalk {

std::vector<RankedNode> listed_nodes(const Graph& graph, const SeedVector& seed, const PrivateScores& scores,
                                     const Listing& listing) {
  const Phase phase("choosing the best nodes");
  std::vector<RankedNode> nodes;
  for (const Ranked& best : top_k(scores.scores, listing.top,
                                  excluded_nodes(graph, seed, listing, scores.near), listing.candidates))
    nodes.push_back({best.node, best.score, scores.error(best.node)});
  if (scores.doubt) RankRanges(graph.nodes(), listing).add_to(nodes, seed, scores.near, scores.doubt);
  return nodes;
}

}  // namespace hushwalk
