#include "audit/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "audit/climb.h"
#include "audit/statistical.h"
#include "base/fail.h"
#include "hushwalk/mechanism.h"
#include "plan/planner.h"

namespace hushwalk {
namespace auditing {
namespace {

constexpr double rounding = 1e-9;  // of the sums that make a ratio
constexpr int recordings = 8;      // of noise, for each pair

struct Case {
  const Target& target;
  const AdjacentPair& pair;
  Comparison comparison;
  AuditCase row;
  std::vector<Place> quiet = {};
};

void judge(const Case& one, double epsilon, std::vector<std::string>& findings) {
  const std::string where = fmt::format("{}, {}", one.row.graphs, one.row.setting);
  for (const std::string& leak : one.comparison.leaks) findings.push_back(fmt::format("{}: {}", where, leak));
  if (!(one.row.sensitivity_ratio <= 1 + rounding))
    findings.push_back(fmt::format("{}: the edge moves the numbers by {:.6g} times the proven bound", where,
                                   one.row.sensitivity_ratio));
  for (const Place& place : one.quiet)
    findings.push_back(fmt::format("{}: node {} has less noise than it claims", where, place.node));
  if (one.row.epsilon_lower_bound && !(*one.row.epsilon_lower_bound <= epsilon))
    findings.push_back(
        fmt::format("{}: epsilon is at least {:.6g}, by sampling", where, *one.row.epsilon_lower_bound));
}

// About what sampling will show: the event that all moved numbers lie beyond their centres has the
// probability 2^-moved in one world and e^-loss of that in the other.
double promise(const Comparison& found, std::uint64_t trials) {
  constexpr double deviations = 5;
  const double p = std::ldexp(1.0, -static_cast<int>(found.moved.size())), q = p * std::exp(-found.loss),
               n = static_cast<double>(trials) / 2;
  return found.loss - deviations * (std::sqrt((1 - p) / (p * n)) + std::sqrt((1 - q) / (q * n)));
}

// The most promising pairs of every setting: first one for every set of columns that an edge moves together.
// The choice sees no sample.
std::vector<Case*> cases_to_sample(std::vector<Case>& cases, std::uint64_t trials) {
  constexpr std::size_t most = 4;
  std::map<const Target*, std::vector<Case*>> by_target;
  for (Case& one : cases)
    if (one.target.sampled && !one.comparison.moved.empty()) by_target[&one.target].push_back(&one);
  std::vector<Case*> chosen;
  for (auto& [target, list] : by_target) {
    std::ranges::stable_sort(list, std::greater(),
                             [&](const Case* one) { return promise(one->comparison, trials); });
    std::set<std::set<std::size_t>> seen;
    std::vector<Case*> first, others;
    for (Case* const one : list) {
      const std::size_t before = seen.size();
      seen.insert(one->comparison.columns.begin(), one->comparison.columns.end());
      (seen.size() > before ? first : others).push_back(one);
    }
    others.resize(std::min(others.size(), most - std::min(most, first.size())));
    chosen.insert(chosen.end(), first.begin(), first.end());
    chosen.insert(chosen.end(), others.begin(), others.end());
  }
  return chosen;
}

void sample_cases(std::vector<Case>& cases, const AuditRequest& request, const Progress& progress) {
  if (request.trials < 2) return;
  const std::vector<Case*> chosen = cases_to_sample(cases, request.trials);
  const auto count = static_cast<double>(chosen.size());
  const double alpha = (1 - request.confidence) / std::max(count, 1.0);
  double number = 0;
  for (Case* const chosen_one : chosen) {
    Case& one = *chosen_one;
    Sampled found = sampled_attack(one.target.subject(one.pair), one.pair, one.comparison, request.trials,
                                   alpha, [&](double done) {
                                     if (progress) progress("sampling", (number + done) / count);
                                   });
    one.row.epsilon_lower_bound = found.epsilon_lower_bound;
    one.quiet = std::move(found.quiet);
    number += 1;
  }
}

void climb_targets(std::span<const Target> targets, const AuditRequest& request, const Progress& progress,
                   AuditReport& report) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    // Long runs are slow, and no pair is tight for them.
    const std::uint64_t steps = targets[i].sampled ? request.climb_steps : request.climb_steps / 4;
    const Summit found =
        climb(targets[i], request.release.scope, steps, request.random_seed + i, [&](double done) {
          const double all = static_cast<double>(targets.size());
          if (progress) progress("climbing", (static_cast<double>(i) + done) / all);
        });
    Case one{targets[i],
             found.pair,
             found.comparison,
             {"found by climbing", targets[i].setting, found.comparison.ratio, {}}};
    judge(one, report.claimed_epsilon, report.findings);
    report.cases.push_back(std::move(one.row));
  }
}

}  // namespace

std::vector<Target> standard_targets(const ReleaseParameters& request) {
  std::vector<Target> targets;
  for (const TightRequest& tight : find_planner(request.mechanism).tight_requests(request))
    targets.push_back({tight.setting, find_mechanism(request.mechanism),
                       [made = tight.parameters](std::uint64_t nodes, std::uint64_t seeds) mutable {
                         made.seeds_per_ranking = seeds;
                         made.rankings = std::numeric_limits<std::uint32_t>::max();
                         return make_plan(public_facts(nodes), made);
                       },
                       tight.sampled});
  return targets;
}

AuditReport attack(std::span<const Target> targets, std::span<const AdjacentPair> pairs,
                   const AuditRequest& request, const Progress& progress) {
  AuditReport report;
  report.mechanism = request.release.mechanism;
  report.scope = request.release.scope;
  report.claimed_epsilon = request.release.epsilon.value();
  report.confidence = request.confidence;
  report.trials = request.trials;
  std::vector<Case> cases;
  for (const Target& target : targets)
    for (const AdjacentPair& pair : pairs) {
      Comparison found = compare_often(target.subject(pair), pair, recordings);
      const double ratio = found.ratio;
      cases.push_back({target, pair, std::move(found), {pair.name, target.setting, ratio, {}}});
    }
  sample_cases(cases, request, progress);
  for (const Case& one : cases) {
    judge(one, report.claimed_epsilon, report.findings);
    report.cases.push_back(one.row);
  }
  if (request.sensitivity) climb_targets(targets, request, progress, report);
  for (const AuditCase& row : report.cases) {
    report.epsilon_lower_bound = std::max(report.epsilon_lower_bound, row.epsilon_lower_bound.value_or(0));
    if (row.sensitivity_ratio > report.worst_sensitivity_ratio || report.worst_graphs.empty()) {
      report.worst_sensitivity_ratio = row.sensitivity_ratio;
      report.worst_graphs = fmt::format("{}, {}", row.graphs, row.setting);
    }
  }
  return report;
}

}  // namespace auditing

AuditReport audit(const AuditRequest& request, const Progress& progress) {
  refuse_several_processes();
  if (!(request.confidence > 0 && request.confidence < 1))
    fail_usage("confidence is {}; it must be between 0 and 1", request.confidence);
  if (request.trials > 1'000'000'000) fail_usage("at most 1000000000 trials");
  AuditRequest resolved = request;
  ReleaseParameters& release = resolved.release;
  release.mechanism = make_plan(public_facts(2), release).parameters.mechanism;  // what `auto` stands for
  const std::vector<auditing::Target> targets = auditing::standard_targets(release);
  return auditing::attack(targets, auditing::worst_pairs(release.scope), resolved, progress);
}

}  // namespace hushwalk
