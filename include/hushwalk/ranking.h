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

// Where the exact rank of a node lies, from 1 and among the nodes that may be listed, with a probability of
// about rank_probability. By a rule that sees nothing but what is released and what the recipient knows, and
// was tuned on some public graphs and tried on others: docs/decisions/0049-rank-ranges.md.
struct RankRange {
  std::uint64_t low, high;
  friend bool operator==(const RankRange&, const RankRange&) = default;
};
inline constexpr double rank_probability = 0.9;

// What makes such ranges of the places in a list: an exact rank is at most so many times greater or smaller.
struct RankDoubt {
  double near;            // for the recipient's own neighbours
  double far = 0;         // for all others; 0: nothing can be said
  double link_noise = 0;  // the noise in links to own neighbours, where these were counted; else 0
  friend bool operator==(const RankDoubt&, const RankDoubt&) = default;
};

// An answer to one seed, as it is shown.
struct RankedNode {
  Node node;
  double score;
  std::optional<double> noise = {};     // its standard deviation, as far as it is public
  std::optional<RankRange> range = {};  // none where a mechanism cannot say, or only what is worth nothing
};
struct Ranking {
  SeedVector seed;
  std::vector<RankedNode> nodes;  // best first; never a seed
  std::string salt = {};          // for the hash in its certificate; none: it has no hash there
  bool estimated_anew = false;    // scores were made anew, by another version, of what was released before
  // Of a file that has one hash for all its rankings: not `salt`, which the recipient of this one knows.
  // Empty where nobody else ever sees `salt`.
  std::string file_salt = {};
  const std::string& salt_of_file() const { return file_salt.empty() ? salt : file_salt; }
};

// The k nodes with the highest scores, best first; equal scores in the order of the user's ids. Fewer when
// fewer remain after `excluded`; only nodes of `candidates` when given. Neither needs to be sorted or free of
// repeats. Error{usage} when either names a node without a score, Error{failed} when a score to be ranked is
// not a number.
std::vector<Ranked> top_k(std::span<const double> scores, std::uint64_t k,
                          std::span<const Node> excluded = {},
                          std::optional<std::span<const Node>> candidates = {});

}  // namespace hushwalk
