// What one edge does to a release when the noise is the same: for Laplace noise at the end the worst
// log-likelihood ratio, exactly; and everything that must not differ at all.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "audit/pairs.h"
#include "mechanism/mechanism.h"
#include "noise/release_key.h"

namespace hushwalk::auditing {

// What is attacked: a mechanism, the plan by which it runs and what that claims.
struct Subject {
  const Mechanism& mechanism;
  Plan plan;
};

// A number of a release.
struct Place {
  std::size_t column;
  Node node;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Comparison {
  // sum over all numbers of |change| / scale: the exact loss when noise comes last, and what pure epsilon is
  // proved from when there is noise inside too.
  double loss = 0;
  double distance = 0;  // sum of |change|, in lattice units
  double ratio = 0;     // to what is proved of them: epsilon, or the sensitivity where the claim is not pure
  std::vector<Place> moved;
  std::vector<std::int64_t> change;  // of each moved number, from the graph without the edge to that with it
  std::vector<double> scale;         // of each
  std::set<std::set<std::size_t>>
      columns;                     // which columns moved in the same comparison, for each that was made
  std::vector<std::string> leaks;  // what differs besides the numbers, which nothing ever should
  bool noise_comes_last = true;    // the changes do not depend on the noise, as far as was tried
  bool in_blocks = false;  // what is counted depends on what was released before: see Release::centres
};

// Runs both graphs under the same key.
Comparison compare(const Subject& subject, const AdjacentPair& pair, const ReleaseKey& key);

// The largest of several, each under a fresh key; what moved in any of them counts as moved.
Comparison compare_often(const Subject& subject, const AdjacentPair& pair, int times);

}  // namespace hushwalk::auditing
