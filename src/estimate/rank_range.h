// From places in a list to ranges of exact ranks. After the noise, as all of estimate.h. How well the ranges
// hold is an experience, not a theorem: docs/decisions/0049-rank-ranges.md has the rule and where it was
// tried, and `evaluate` tells for a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diffusion/series.h"
#include "estimate/own_links.h"
#include "hushwalk/listing.h"
#include "hushwalk/ranking.h"

namespace hushwalk {

inline constexpr double clear_of_noise = 6;  // standard deviations

// What was released of the links of the recipient's own neighbours: their sum, which may be too low but not
// too high, and the standard deviation of the noise in what tells these neighbours apart.
struct NearLinks {
  std::size_t near;
  double sum, noise;
};
NearLinks near_links(const OwnLinks& own, std::span<const double> links, double noise);

// None for a diffusion that goes further from the seed than those the rule was tuned for. `link_noise` as in
// RankDoubt.
std::optional<RankDoubt> rank_doubt(const NearLinks& links, std::size_t nodes, const Series& theta,
                                    double link_noise = 0);

// Of lists that are made in one way. Immutable; threads may share one.
class RankRanges {
 public:
  // Error as Listing::marks().
  RankRanges(std::uint64_t nodes, const Listing& listing);

  // To the best nodes of a seed, whose neighbours are `near`. Seed sets have none: their neighbours differ in
  // what a first step gives them.
  void add_to(std::vector<RankedNode>& list, const SeedVector& seed, std::span<const Node> near,
              const std::optional<RankDoubt>& doubt) const;

 private:
  bool may_be_listed(Node node) const { return listed_.empty() || listed_[node]; }

  std::vector<bool> listed_;  // by node; empty: all are
  std::uint64_t candidates_;  // how many
  bool exclude_neighbors_;
};

}  // namespace hushwalk
