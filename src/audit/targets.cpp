#include "audit/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "audit/climb.h"
#include "audit/statistical.h"
#include "base/fail.h"

namespace hushwalk {
namespace auditing {
namespace {

constexpr double rounding = 1e-9;  // of the sums that make a ratio
constexpr int recordings = 8;      // of noise, for each pair

Target target(std::string setting, const ReleaseRequest& request, bool sampled = true) {
  return {std::move(setting), find_mechanism(request.mechanism),
          [request](std::uint64_t nodes, std::uint64_t seeds) {
            ReleaseRequest made = request;
            made.seeds_per_ranking = seeds;
            made.rankings = std::numeric_limits<std::uint32_t>::max();
            return make_plan(public_facts(nodes), made);
          },
          sampled};
}

// `twohop` has two forms: with a background it is one score, without one and with epsilon enough separate
// numbers.
std::vector<Target> link_targets(ReleaseRequest request) {
  const Parameters parameters = parameters_of(request.mechanism);
  std::vector<Target> targets = {target("defaults", request)};
  if (parameters.taper) {
    request.taper = 4;
    targets.push_back(target("taper 4", request));
  }
  if (parameters.background) {
    request.background = 1;
    targets.push_back(target("background 1, taper 4", request));
  }
  return targets;
}

// One step, or two where the first shows nothing secret: the bound is that of one clipped step, and is
// attained.
std::vector<Target> diffusion_targets(ReleaseRequest request) {
  const int first = request.scope == Scope::personalized ? 2 : 1;
  const auto with = [&](const std::string& name, Diffusion diffusion, double eta, bool sampled) {
    request.diffusion = std::move(diffusion);
    request.eta = Eta(eta);
    return target(fmt::format("{}, steps {}, eta {:g}", name, request.diffusion.steps().size(), eta), request,
                  sampled);
  };
  std::vector<Target> targets = {
      with("ppr", Diffusion::ppr(0.8, first), 0.03, true),
      with("pagerank", Diffusion::pagerank(0.8, first), first == 1 ? 0.025 : 0.02, false),
      with("ppr", Diffusion::ppr(0.8, first + 1), 0.03, true),
      with("heat", Diffusion::heat(2, first + 3), 0.01, false), with("ppr", Diffusion::ppr(), 1e-6, false)};
  if (request.mechanism == "paper") {  // priced by shifts
    request.delta = Delta(1e-6);
    targets.push_back(with("delta 1e-6, heat", Diffusion::heat(2, first + 3), 0.01, false));
  }
  return targets;
}

// The caps of both ends are attained with and without the edge, and the rest of an infinite run is small: the
// fixed-point bound is attained for a teleport probability from 1/3 on. The published one is the smaller at
// two rounds.
std::vector<Target> push_flow_targets(ReleaseRequest request) {
  const auto with = [&](double beta, int rounds, double cap, bool sampled) {
    request.diffusion = Diffusion::ppr(beta, rounds);
    request.eta = Eta(cap);
    return target(fmt::format("beta {:g}, rounds {}, eta {:g}", beta, rounds, cap), request, sampled);
  };
  return {with(0.5, 25, 0.03, true), with(0.8, 2, 0.03, false), with(0.8, 100, 0.01, false),
          with(0.8, 100, default_eta, false)};
}

std::vector<Target> edge_flip_targets(ReleaseRequest request) {
  request.diffusion = Diffusion::ppr(0.8, 3);  // which only scores are made of
  return {target("ppr, steps 3", request)};
}

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

// The most promising pairs of every setting. The choice sees no sample.
std::vector<Case*> cases_to_sample(std::vector<Case>& cases, std::uint64_t trials) {
  constexpr std::size_t most = 4;
  std::map<const Target*, std::vector<Case*>> by_target;
  for (Case& one : cases)
    if (one.target.sampled && !one.comparison.moved.empty()) by_target[&one.target].push_back(&one);
  std::vector<Case*> chosen;
  for (auto& [target, list] : by_target) {
    std::ranges::stable_sort(list, std::greater(),
                             [&](const Case* one) { return promise(one->comparison, trials); });
    list.resize(std::min(list.size(), most));
    chosen.insert(chosen.end(), list.begin(), list.end());
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
    const Summit found = climb(targets[i], request.scope, steps, request.random_seed + i, [&](double done) {
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

std::vector<Target> standard_targets(const ReleaseRequest& request) {
  if (request.mechanism.starts_with("pushflow")) return push_flow_targets(request);
  if (request.mechanism.starts_with("edgeflip")) return edge_flip_targets(request);
  return parameters_of(request.mechanism).eta ? diffusion_targets(request) : link_targets(request);
}

AuditReport attack(std::span<const Target> targets, std::span<const AdjacentPair> pairs,
                   const AuditRequest& request, const Progress& progress) {
  AuditReport report;
  report.mechanism = request.mechanism;
  report.scope = request.scope;
  report.claimed_epsilon = request.epsilon.value();
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
  if (!(request.confidence > 0 && request.confidence < 1))
    fail_usage("confidence is {}; it must be between 0 and 1", request.confidence);
  if (request.trials > 1'000'000'000) fail_usage("at most 1000000000 trials");
  ReleaseRequest release;
  release.mechanism = request.mechanism;
  release.scope = request.scope;
  release.epsilon = request.epsilon;
  release.mechanism = make_plan(public_facts(2), release).mechanism;  // what `auto` stands for
  AuditRequest resolved = request;
  resolved.mechanism = release.mechanism;
  const std::vector<auditing::Target> targets = auditing::standard_targets(release);
  return auditing::attack(targets, auditing::worst_pairs(request.scope), resolved, progress);
}

}  // namespace hushwalk
