// Which nodes of an answer are listed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hushwalk/facts.h"

namespace hushwalk {

struct Listing {
  std::uint64_t top = 10;                            // at most so many
  bool exclude_neighbors = false;                    // without the seed's own neighbours
  std::optional<std::vector<Node>> candidates = {};  // only these
  friend bool operator==(const Listing&, const Listing&) = default;

  // By node, whether it may be listed; empty where all may. Error{usage} for a candidate that is no node.
  std::vector<bool> marks(std::uint64_t nodes) const;
};

}  // namespace hushwalk
