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

// What was released of the links of the recipient's own neighbours; each noise is a standard deviation.
struct NearLinks {
  std::size_t near;
  double sum, noise;                    // of all; the sum may be too low but not too high
  double spread = 0, number_noise = 0;  // how far the number of one of them is from their median, usually
  double among = 0, among_noise = 0;    // links to each other, at both ends, where these were counted apart
};
double spread_of(std::vector<double> numbers);  // the median distance from the median
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
