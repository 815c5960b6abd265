// Random edges of the degree-corrected block model (Karrer and Newman, "Stochastic blockmodels and community
// structure in networks", 2011): one end by weight among all nodes, the other by weight among all nodes or,
// with probability 1 - mixing, within the community of the first. With mixing = 1 this is the model of Chung
// and Lu
// ("The average distances in random graphs with given expected degrees", 2002).
#pragma once

#include <cstdint>
#include <vector>

#include "graph/generate/alias_table.h"
#include "graph/generate/counter_random.h"
#include "graph/generate/distinct_edges.h"

namespace hushwalk {

struct BlockModel {
  std::vector<double> weights;  // by node, positive
  std::uint32_t communities = 1;
  double mixing = 1;
};

class BlockSampler {
 public:
  BlockSampler(const BlockModel& model, std::uint64_t seed);

  // Two words are enough to choose a node: `where` (inside or anywhere) and `who`.
  Node any_node(std::uint64_t who) const noexcept { return all_.pick(who); }
  Node partner_of(Node node, std::uint64_t where, std::uint64_t who) const noexcept;
  EdgeKey edge(const CounterRandom& random, std::uint64_t index) const noexcept;

 private:
  AliasTable all_;
  double mixing_;
  std::vector<std::uint32_t> community_;    // of a node
  std::vector<std::vector<Node>> members_;  // of a community
  std::vector<AliasTable> within_;
};

}  // namespace hushwalk
