#include "audit/climb.h"

#include <algorithm>

#include "graph/generate/counter_random.h"

namespace hushwalk::auditing {
namespace {

// Chance that repeats itself: for the search, never for noise.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : key_(mix_bits(seed + 1)) {}
  std::uint64_t below(std::uint64_t bound) {
    return hushwalk::below(bound, mix_bits(mix_bits(key_ + ++count_) ^ key_));
  }
  Node node(const AdjacentPair& pair) { return static_cast<Node>(below(pair.nodes)); }

 private:
  std::uint64_t key_, count_ = 0;
};

bool same(const Edge& a, const Edge& b) {
  return std::minmax(a.first, a.second) == std::minmax(b.first, b.second);
}

bool allowed(const AdjacentPair& pair, Scope scope) {
  const auto [u, v] = pair.edge;
  if (u == v) return false;
  return scope == Scope::edge || (!pair.seed.contains(u) && !pair.seed.contains(v));
}

void toggle(AdjacentPair& pair, const Edge& edge) {
  if (edge.first == edge.second || same(edge, pair.edge)) return;
  const auto removed = std::erase_if(pair.edges, [&](const Edge& other) { return same(edge, other); });
  if (removed == 0) pair.edges.push_back(edge);
}

void move_edge(AdjacentPair& pair, const Edge& edge) {
  pair.edge = edge;
  std::erase_if(pair.edges, [&](const Edge& other) { return same(edge, other); });
}

void change_seed(AdjacentPair& pair, Chance& chance) {
  constexpr std::size_t most = 3;
  std::vector<std::pair<Node, double>> entries(pair.seed.entries().begin(), pair.seed.entries().end());
  const Node node = chance.node(pair);
  const auto weight = static_cast<double>(1 + chance.below(4));
  const auto found = std::ranges::find(entries, node, &std::pair<Node, double>::first);
  if (found == entries.end()) {
    if (entries.size() == most)
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(chance.below(most)));
    entries.emplace_back(node, weight);
  } else if (entries.size() > 1) {
    entries.erase(found);
  }
  pair.seed = SeedVector::weighted(std::move(entries));
}

AdjacentPair moved(AdjacentPair pair, Chance& chance) {
  switch (chance.below(8)) {
    case 0:
      move_edge(pair, {chance.node(pair), chance.node(pair)});
      break;
    case 1:
      change_seed(pair, chance);
      break;
    case 2:
      toggle(pair, {chance.node(pair), chance.node(pair)});
      [[fallthrough]];
    default:
      toggle(pair, {chance.node(pair), chance.node(pair)});
  }
  return pair;
}

AdjacentPair random_pair(Chance& chance) {
  AdjacentPair pair{"random", 4 + chance.below(12), {}, {1, 2}, 0};
  const std::uint64_t density = chance.below(10);
  for (Node u = 0; u < pair.nodes; ++u)
    for (Node v = 0; v < u; ++v)
      if (chance.below(10) < density) toggle(pair, {u, v});
  return pair;
}

}  // namespace

Summit climb(const Target& target, Scope scope, std::uint64_t steps, std::uint64_t random_seed,
             const std::function<void(double)>& done) {
  Chance chance(random_seed);
  std::vector<AdjacentPair> starts = worst_pairs(scope);
  for (const Node degree : {1U, 8U})
    for (AdjacentPair& pair : worst_pairs(scope, degree)) starts.push_back(std::move(pair));
  for (int i = 0; i < 5; ++i) starts.push_back(random_pair(chance));
  std::optional<Summit> best;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    ReleaseKey key = ReleaseKey::fresh();
    Summit here{starts[i], compare(target.subject(starts[i]), starts[i], key)};
    for (std::uint64_t step = 0; step < steps / starts.size() && here.comparison.leaks.empty(); ++step) {
      const AdjacentPair next = moved(here.pair, chance);
      if (!allowed(next, scope)) continue;
      std::optional<ReleaseKey> other;
      if (chance.below(4) == 0) other = ReleaseKey::fresh();
      Comparison found = compare(target.subject(next), next, other ? *other : key);
      if (found.ratio < here.comparison.ratio && found.leaks.empty()) continue;
      here = {next, std::move(found)};
      if (other) key = std::move(*other);
    }
    if (!best || here.comparison.ratio > best->comparison.ratio || !here.comparison.leaks.empty()) {
      best = std::move(here);
      if (!best->comparison.leaks.empty()) break;
    }
    if (done) done(static_cast<double>(i + 1) / static_cast<double>(starts.size()));
  }
  return *best;
}

}  // namespace hushwalk::auditing
