// Whose ranking: the same flags for `rank` and `plan`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common.h"

namespace hushwalk::cli {

struct SeedFlags {
  std::vector<std::string> seeds;
  std::optional<std::string> seeds_file, seed_set;
  bool all = false;

  void add_to(CLI::App& verb);
  int ways() const;  // how many of the four were used
  // One for each ranking; a seed given twice is there once.
  std::vector<SeedVector> find(const Graph& graph) const;
};

}  // namespace hushwalk::cli
