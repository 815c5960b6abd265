// Growth with preferential attachment (Barabási and Albert, "Emergence of scaling in random networks", 1999).
// A target is an end of a random earlier edge, which is a node with probability proportional to its degree
// (Batagelj and Brandes, "Efficient generation of large random networks", 2005).

#include <utility>
#include <vector>

#include "base/fail.h"
#include "graph/generate/counter_random.h"
#include "graph/generate/models.h"
#include "graph/generate/permutation.h"

namespace hushwalk {
namespace {

// How many links each new node makes, so that they add up exactly: node t makes min(t, each), and `extra` of
// those after node `each` make one more.
class GrowingLinks {
 public:
  explicit GrowingLinks(const GraphSize& size) : nodes_(size.nodes) {
    std::uint64_t low = 1, high = nodes_;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (total(middle) <= size.edges ? low : high) = middle;
    }
    each_ = low;
    extra_ = size.edges - total(each_);
  }

  std::uint64_t of(std::uint64_t t) const {
    if (t <= each_) return t;
    const std::uint64_t later = nodes_ - 1 - each_, i = t - each_ - 1;
    return each_ + (i + 1) * extra_ / later - i * extra_ / later;  // spread evenly
  }

 private:
  // Σ min(t, each) over t = 1 .. nodes - 1, for each < nodes.
  std::uint64_t total(std::uint64_t each) const { return each * (nodes_ - 1) - each * (each - 1) / 2; }

  std::uint64_t nodes_, each_, extra_;
};

}  // namespace

EdgePieces barabasi_albert(const Recipe& recipe) {
  const auto [nodes, edges] = recipe.size;
  if (edges < nodes - 1)
    fail_usage(
        "ba with {} nodes has at least {} edges, because every new node makes a link; {} were asked for",
        nodes, nodes - 1, edges);
  const GrowingLinks links(recipe.size);
  const CounterRandom random(recipe.seed, Stream::candidates);
  std::vector<EdgeOfNodes> grown;
  grown.reserve(edges);
  std::vector<Node> targets, chosen_by(nodes);
  std::uint64_t draws = 0;
  for (std::uint64_t t = 1; t < nodes; ++t) {
    const std::uint64_t wanted = links.of(t), before = grown.size();
    if (recipe.progress && t % (1 << 16) == 0)
      recipe.progress("generating", static_cast<double>(before) / static_cast<double>(edges));
    targets.clear();
    if (wanted == t) {
      for (Node v = 0; v < t; ++v) targets.push_back(v);
    }
    while (targets.size() < wanted) {
      const std::uint64_t end = below(2 * before, random.word(draws++));
      const Node v = end % 2 == 0 ? grown[end / 2].u : grown[end / 2].v;
      if (std::exchange(chosen_by[v], static_cast<Node>(t)) != t) targets.push_back(v);
    }
    for (const Node v : targets) grown.push_back({static_cast<Node>(t), v});
  }
  const Permutation label(nodes, CounterRandom(recipe.seed, Stream::labels));
  for (auto& [u, v] : grown) u = static_cast<Node>(label(u)), v = static_cast<Node>(label(v));
  EdgePieces pieces;
  pieces.push_back(std::move(grown));
  return pieces;
}

}  // namespace hushwalk
