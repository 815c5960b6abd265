// Attacks on our own promise. An audit never proves privacy, it fails to disprove it: `consistent` means that
// no attack here got more out of a release than it claims. What each can and cannot see: docs/audit.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hushwalk/accounting.h"
#include "hushwalk/graph.h"
#include "hushwalk/parameters.h"
#include "hushwalk/progress.h"
#include "hushwalk/seed.h"

namespace hushwalk {

struct AuditRequest {
  ReleaseParameters release = {};     // of it mechanism, scope and epsilon
  std::uint64_t trials = 100'000;     // releases of each of two adjacent graphs, for every case
  double confidence = 1 - 1e-6;       // that epsilon_lower_bound is one, all cases together
  bool sensitivity = false;           // also climb over graphs, edges and seeds
  std::uint64_t climb_steps = 20000;  // how many moves a climb tries
  std::uint64_t random_seed = 1;      // of the climb; noise always comes from the operating system
};

// Two graphs that differ in one edge, and a plan.
struct AuditCase {
  std::string graphs;                              // the family
  std::string setting;                             // parameters of the plan
  double sensitivity_ratio = 0;                    // what the edge moves, as a part of the proven bound
  std::optional<double> epsilon_lower_bound = {};  // by sampling; the less promising cases have none
};

struct AuditReport {
  std::string mechanism;  // never `auto`
  Scope scope = Scope::personalized;
  double claimed_epsilon = 0;
  double epsilon_lower_bound = 0;
  double confidence = 0;
  std::uint64_t trials = 0;
  double worst_sensitivity_ratio = 0;
  std::string worst_graphs;  // where it was found
  std::vector<AuditCase> cases;
  std::vector<std::string> findings;  // what breaks the promise

  bool violated() const noexcept { return !findings.empty(); }
  std::string verdict() const { return violated() ? "violated" : "consistent"; }
};

// What was found, as a sentence and as JSON.
std::string meaning(const AuditReport& report);
std::string audit_json(const AuditReport& report);

// Keeps nothing between calls, so that any number of threads may audit at once. Error{usage} when a number
// makes no sense, Error{refused} when the mechanism has no such scope.
AuditReport audit(const AuditRequest& request, const Progress& progress = {});

// A link-disclosure attack: somebody who knows every edge but one sees an answer and guesses whether that one
// is there, which it is with probability 1/2.
struct AttackRow {
  double epsilon = 0;     // infinity: the exact answer
  double success = 0;     // the part of right guesses
  double success_ci = 0;  // half-width at 95 %
  double ceiling = 0;     // e^epsilon / (1 + e^epsilon): nobody can do better
};

// Against the exact diffusion first, then against a release of the mechanism at each epsilon, `trials`
// guesses each. The edge must not touch the seed in personalized scope, or be a pair of equal nodes
// (Error{usage}).
std::vector<AttackRow> link_attack(const Graph& graph, std::pair<Node, Node> edge, const SeedVector& seed,
                                   const ReleaseParameters& request, std::span<const double> epsilons,
                                   std::uint64_t trials, const Progress& progress = {});
std::string attack_json(const ReleaseParameters& attacked, std::uint64_t trials,
                        std::span<const AttackRow> rows);

}  // namespace hushwalk
