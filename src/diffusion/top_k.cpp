#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "diffusion/best.h"
#include "hushwalk/listing.h"

namespace hushwalk {
namespace {

void set_all(std::vector<bool>& marks, std::span<const Node> nodes, bool value) {
  for (const Node node : nodes) {
    if (node >= marks.size()) fail_usage("node {} has no score: there are {} scores", node, marks.size());
    marks[node] = value;
  }
}

}  // namespace

std::vector<bool> Listing::marks(std::uint64_t nodes) const {
  if (!candidates) return {};
  std::vector<bool> listed(nodes);
  set_all(listed, *candidates, true);
  return listed;
}

std::vector<Ranked> top_k(std::span<const double> scores, std::uint64_t k, std::span<const Node> excluded,
                          std::optional<std::span<const Node>> candidates) {
  std::vector<bool> eligible(scores.size(), !candidates);
  if (candidates) set_all(eligible, *candidates, true);
  set_all(eligible, excluded, false);
  if (k == 0) return {};
  Best best(std::min<std::uint64_t>(k, scores.size() + 1));
  for (std::size_t node = 0; node < scores.size(); ++node) {
    if (!eligible[node]) continue;
    if (std::isnan(scores[node])) fail("the score of node {} is not a number", node);
    best.offer({static_cast<Node>(node), scores[node]});
  }
  return best.take();
}

}  // namespace hushwalk
