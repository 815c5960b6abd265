// From scores to a ranking.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hushwalk/facts.h"
#include "hushwalk/seed.h"

namespace hushwalk {

struct Ranked {
  Node node;
  double score;
  friend bool operator==(const Ranked&, const Ranked&) = default;
};

// An answer to one seed, as it is shown.
struct RankedNode {
  Node node;
  double score;
  std::optional<double> noise = {};  // its standard deviation, as far as it is public
};
struct Ranking {
  SeedVector seed;
  std::vector<RankedNode> nodes;  // best first; never a seed
  std::string salt = {};          // for the hash in its certificate; none: it has no hash there
  bool estimated_anew = false;    // scores were made anew, by another version, of what was released before
};

// The k nodes with the highest scores, best first; equal scores in the order of the user's ids. Fewer when
// fewer remain after `excluded`; only nodes of `candidates` when given. Neither needs to be sorted or free of
// repeats. Error{usage} when either names a node without a score, Error{failed} when a score to be ranked is
// not a number.
std::vector<Ranked> top_k(std::span<const double> scores, std::uint64_t k,
                          std::span<const Node> excluded = {},
                          std::optional<std::span<const Node>> candidates = {});

}  // namespace hushwalk
