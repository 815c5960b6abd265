// Attacks on mechanisms that are broken on purpose.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "controls.h"

namespace hushwalk::testing {

using auditing::AdjacentPair;
using auditing::Target;

constexpr std::uint64_t N = 20'000;

struct Attacked {
  std::string mechanism;
  Scope scope;
};
inline const std::vector<Attacked> everything = {
    {"twohop", Scope::personalized},   {"frontier", Scope::personalized},
    {"shared", Scope::personalized},   {"shared", Scope::edge},
    {"output", Scope::personalized},   {"output", Scope::edge},
    {"paper", Scope::personalized},    {"paper", Scope::edge},
    {"pushflow", Scope::personalized}, {"pushflow", Scope::edge}};

inline ReleaseParameters request_of(const Attacked& one) {
  ReleaseParameters request;
  request.mechanism = one.mechanism;
  request.scope = one.scope;
  return request;
}

// The first setting of the standard audit of a mechanism.
inline Target honest(const Attacked& one) { return auditing::standard_targets(request_of(one)).front(); }

inline AuditReport attack(const Target& target, Scope scope, const std::vector<AdjacentPair>& pairs,
                          std::uint64_t trials = N) {
  AuditRequest request;
  request.release.scope = scope;
  request.trials = trials;
  return auditing::attack(std::span(&target, 1), pairs, request, {});
}

inline bool mentions(const AuditReport& report, const std::string& words) {
  return std::ranges::any_of(
      report.findings, [&](const std::string& finding) { return finding.find(words) != std::string::npos; });
}

inline std::vector<AdjacentPair> first_pairs(Scope scope, std::size_t count) {
  std::vector<AdjacentPair> pairs = auditing::worst_pairs(scope);
  pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(count), pairs.end());
  return pairs;
}

inline void divide_noise(Plan& plan, double by) {
  for (NoiseUse& use : plan.noise) use.laplace_scale /= by, use.lattice_scale /= by;
}

inline double worst_ratio(const Start& start, const std::function<Plan(std::uint64_t, std::uint64_t)>& plan,
                          Scope scope, const std::vector<AdjacentPair>& pairs) {
  const Control control(start);
  return attack({"control", control, plan}, scope, pairs, 0).worst_sensitivity_ratio;
}

}  // namespace hushwalk::testing
