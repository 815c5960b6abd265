// What an audit aims at, and one audit of it all.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/exact_loss.h"
#include "hushwalk/audit.h"

namespace hushwalk::auditing {

// A mechanism with parameters; the plan is made for the public numbers of a pair of graphs.
struct Target {
  std::string setting;
  const Mechanism& mechanism;
  std::function<Plan(std::uint64_t nodes, std::uint64_t seeds)> plan;
  bool sampled = true;  // else it is too slow for many trials, and only compared

  Subject subject(const AdjacentPair& pair) const {
    return {mechanism, plan(pair.nodes, pair.seed.entries().size())};
  }
};

// The parameters under which bounds are tight, and the defaults. `request` has mechanism, scope and epsilon.
std::vector<Target> standard_targets(const ReleaseParameters& request);

// All attacks on all targets. The targets share the confidence.
AuditReport attack(std::span<const Target> targets, std::span<const AdjacentPair> pairs,
                   const AuditRequest& request, const Progress& progress);

}  // namespace hushwalk::auditing
