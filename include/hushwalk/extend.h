// A mechanism from outside this repository. It says from public numbers what one edge can move; the library
// prices that, adds the noise, certifies, ranks, evaluates and audits. docs/extending.md has a whole one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hushwalk/accounting.h"
#include "hushwalk/facts.h"
#include "hushwalk/graph.h"
#include "hushwalk/parameters.h"
#include "hushwalk/seed.h"

namespace hushwalk {

// A column of whole numbers, one for each node, in units of 2^-32.
using Column = std::vector<std::int64_t>;

// Its functions are called by whichever thread asks, several at a time where several ask: what they share
// must be locked. They are kept as long as the process lives.
struct OutsideMechanism {
  std::string name;
  std::string
      proof;  // where its author argues for `released`; certificates name it and say that nobody here checked
  // What is released and what an edge moves. Sees nothing but its arguments; throws Error{refused} for what
  // the proof does not cover, a scope for example.
  std::function<ReleasedNumbers(const PublicFacts&, const ReleaseParameters&)> released;
  // The columns before noise. It may read every edge, and only here.
  std::function<std::vector<Column>(const Graph&, const SeedVector&, const ReleaseParameters&)> count;
  // The score of every node from the columns after noise, in links; the seed is known to the recipient.
  std::function<std::vector<double>(const std::vector<std::vector<double>>& columns, const SeedVector&)>
      score;
};

// For this process, before it is used. Error{usage} when the name is taken.
void register_mechanism(OutsideMechanism mechanism);

}  // namespace hushwalk
