// Counting links in whole numbers, in units of 2^-32: what `twohop` and `shared` release before noise.
// "By node" is by public node of the rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "accounting/taper.h"
#include "diffusion/rows.h"
#include "estimate/own_links.h"
#include "hushwalk/graph.h"
#include "hushwalk/seed.h"

namespace hushwalk {

OwnLinks own_links(const Graph& graph, const SeedVector& seed);

// B_v = sum over u ~ v of weight(d_u), by node.
std::vector<std::int64_t> weighted_links(const Rows& rows, const accounting::QuantisedTaper& taper);
// The same, walked through once for as long as the graph is open.
std::shared_ptr<const std::vector<std::int64_t>> kept_links(const Graph& graph,
                                                            const accounting::QuantisedTaper& taper);

// y_v = #{links of v into N} + sum over u in O, u ~ v of weight(d_u), by node, from the weighted links of all
// nodes; a seed's own entry is 0. Reads the links of the seeds and of their neighbours only.
std::vector<std::int64_t> two_hop_links(const Rows& rows, const accounting::QuantisedTaper& taper,
                                        const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                                        const std::vector<Node>& near);

// sum over u in O, u ~ v of weight(d^O_u), d^O the degree counted inside O, by node, from the weighted links
// of all nodes; a seed's own entry is 0. Reads the links of the seeds, of their neighbours and of the nodes
// next to these. Never to be released for a node of N: note 13 says why.
std::vector<std::int64_t> far_links(const Rows& rows, const accounting::QuantisedTaper& taper,
                                    const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                                    const std::vector<Node>& near);

// What the separate form of `twohop` releases before noise; a seed's own entries are 0.
struct SeparateLinks {
  std::vector<std::int64_t> into_near;  // links into N
  std::vector<std::int64_t> into_far;   // for v in N the plain links into O, for v in O far_links
};
SeparateLinks separate_links(const Rows& rows, const accounting::QuantisedTaper& taper,
                             const std::vector<std::int64_t>& all_links, const SeedVector& seed,
                             const std::vector<Node>& near);

// #{links of v into `nodes`}, in units of 2^-32, by node.
std::vector<std::int64_t> count_links_into(const Rows& rows, const std::vector<Node>& nodes);
// sum over u ~ v of weight[u], by node; the weights too.
std::vector<std::int64_t> sum_over_neighbors(const Rows& rows, const std::vector<std::int64_t>& weight);

}  // namespace hushwalk
