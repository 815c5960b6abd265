#include "graph/generate/block_sampler.h"

#include "graph/generate/permutation.h"

namespace hushwalk {

BlockSampler::BlockSampler(const BlockModel& model, std::uint64_t seed)
    : all_(model.weights), mixing_(model.mixing) {
  if (model.communities <= 1) {
    mixing_ = 1;
    return;
  }
  const std::size_t nodes = model.weights.size();
  community_.resize(nodes);
  members_.resize(model.communities);
  // Communities of equal size (to within one node), drawn independently of the weights.
  const Permutation place(nodes, CounterRandom(seed, Stream::communities));
  for (std::size_t v = 0; v < nodes; ++v) {
    community_[v] = static_cast<std::uint32_t>(place(v) % model.communities);
    members_[community_[v]].push_back(static_cast<Node>(v));
  }
  for (const auto& members : members_) {
    std::vector<double> weights;
    weights.reserve(members.size());
    for (const Node v : members) weights.push_back(model.weights[v]);
    within_.emplace_back(weights);
  }
}

Node BlockSampler::partner_of(Node node, std::uint64_t where, std::uint64_t who) const noexcept {
  if (mixing_ >= 1 || unit_interval(where) < mixing_) return all_.pick(who);
  const std::uint32_t community = community_[node];
  return members_[community][within_[community].pick(who)];
}

EdgeKey BlockSampler::edge(const CounterRandom& random, std::uint64_t index) const noexcept {
  const Node u = any_node(random.word(index, 0));
  return edge_key(u, partner_of(u, random.word(index, 1), random.word(index, 2)));
}

}  // namespace hushwalk
