#include "hushwalk/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "hushwalk/error.h"
#include "plan/planner.h"
#include "plan/two_hop.h"

namespace hushwalk {
namespace {

// Above it whoever guesses an edge by an answer may be right in all but one case of 22,000.
constexpr double weak_epsilon = 10;
// A chance of one in n lets a mechanism show somebody's edge as it is and keep its promise.
constexpr double weak_delta = 1e-5;
// Up to here `frontier` was measured, from where it begins to differ from `twohop`.
constexpr double frontier_measured_to = 10;

void look_at_epsilon(const Plan& plan, std::vector<std::string>& points) {
  if (plan.epsilon() > weak_epsilon)
    points.push_back(fmt::format(
        "epsilon = {:.9g} promises next to nothing: an answer may make a guess of an edge all but "
        "certain; 1 or less is a promise",
        plan.epsilon()));
  else if (plan.total_epsilon() > weak_epsilon)
    points.push_back(
        fmt::format("all {} rankings together spend epsilon = {:.9g}: recipients who pool them are promised "
                    "next to nothing",
                    plan.parameters.rankings, plan.total_epsilon()));
}

void look_at_delta(const Plan& plan, std::vector<std::string>& points) {
  const double delta = plan.certified_delta(), one_of_all = 1 / static_cast<double>(plan.graph.nodes);
  if (plan.parameters.delta && delta == 0)
    points.push_back(fmt::format("delta = {:g} has no effect: {} keeps its promise without it",
                                 plan.parameters.delta->value(), plan.parameters.mechanism));
  else if (delta > weak_delta || delta > one_of_all)
    points.push_back(fmt::format("delta = {:g} is a large chance of failure for {} nodes; stay below {:g}",
                                 delta, plan.graph.nodes, std::min(weak_delta, one_of_all)));
  if (plan.total_delta() >= 1)
    points.push_back("all rankings together may fail with certainty: for them no total is promised");
}

ReleaseParameters left_to_auto(ReleaseParameters request, std::uint64_t rankings) {
  request.mechanism = "auto";
  request.rankings = rankings;
  return request;
}

// The same answers by another mechanism; none where it is refused.
std::optional<Plan> planned_by(const std::string& mechanism, const Plan& plan, ReleaseParameters request) {
  request.mechanism = mechanism;
  request.rankings = plan.parameters.rankings;
  try {
    return make_plan(plan.graph, request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return {};
  }
}

std::string ranked_by(const Plan& plan) {
  return find_planner(plan.parameters.mechanism).strangers_are_ranked_by(plan);
}

// In edge scope an answer does not know its seed's neighbours, either.
std::string strangers(const Plan& plan) {
  return plan.parameters.scope == Scope::edge ? "everybody, the seed's neighbours too, is ranked"
                                              : "people who are not linked to the seed yet are ranked";
}

OtherPlan described(const Plan& other, const std::string& words) {
  const std::string& mechanism = other.parameters.mechanism;
  return {mechanism, other.total_epsilon(),
          fmt::format("{}; mechanism {} is the other way", words, mechanism)};
}

// To a plan with one artefact, for one ranking, where noise of its own costs the same. For several it would
// cost several times as much.
std::optional<OtherPlan> noise_of_its_own(const Plan& plan, const ReleaseParameters& request) {
  if (plan.parameters.rankings > 1 || plan.epsilon() < told_more_from) return {};
  const ReleaseParameters open = left_to_auto(request, 1);
  const std::string chosen = choose_mechanism(open).mechanism;
  if (find_planner(chosen).artefact() != Artefact::none) return {};
  const std::optional<Plan> other = planned_by(chosen, plan, request);
  if (!other) return {};
  return described(*other, fmt::format("auto would take {} at the same price, epsilon = {:.9g}: {}", chosen,
                                       other->total_epsilon(), why_chosen(open)));
}

// Of a plan with noise for each of several rankings.
std::string spent_in_all(const Plan& plan) {
  const double delta = plan.total_delta();
  if (delta >= 1) return "for all of which together nothing is promised";
  return fmt::format("epsilon = {:.9g}{} in all", plan.total_epsilon(),
                     delta > 0 ? fmt::format(" and delta = {:.9g}", delta) : "");
}

// To a plan with noise for each of several rankings: what `auto` takes for ever so many.
std::optional<OtherPlan> one_for_all(const Plan& plan, const ReleaseParameters& request) {
  const ReleaseParameters open = left_to_auto(request, std::numeric_limits<std::uint64_t>::max());
  const std::optional<Plan> other = planned_by(choose_mechanism(open).mechanism, plan, request);
  if (!other) return {};
  return described(
      *other,
      fmt::format("{} has noise of its own for each of {} rankings, {}; {} "
                  "makes one artefact for all of them, epsilon = {:.9g} once, by which {} {} "
                  "(evaluate measures it: new_ndcg)",
                  plan.parameters.mechanism, plan.parameters.rankings, spent_in_all(plan),
                  other->parameters.mechanism, other->total_epsilon(), strangers(*other), ranked_by(*other)));
}

// Of one seed, by the lazy walk as it is without a parameter.
bool frontier_was_measured(const ReleaseParameters& asked) {
  return asked.seeds_per_ranking == 1 && asked.diffusion == Diffusion::ppr() &&
         asked.epsilon.value() <= frontier_measured_to;
}

// To one ranking by `twohop`, where `frontier` is not the same.
std::optional<OtherPlan> second_look(const Plan& plan, const ReleaseParameters& request) {
  if (request.mechanism != "auto" || !releases_separate_numbers(plan.parameters) ||
      !frontier_was_measured(plan.parameters))
    return {};
  const std::optional<Plan> other = planned_by("frontier", plan, request);
  if (!other) return {};
  return described(*other, fmt::format("frontier takes a second look at the same price, epsilon = {:.9g}: as "
                                       "measured, better on clustered, sparse graphs, worse by up to 0.002 "
                                       "NDCG where hubs decide (docs/utility.md, \"A second look\")",
                                       other->total_epsilon()));
}

}  // namespace

std::vector<std::string> weak_points(const Plan& plan) {
  std::vector<std::string> points;
  look_at_epsilon(plan, points);
  look_at_delta(plan, points);
  return points;
}

std::string expected_of(const Plan& plan) {
  const std::string decided = find_planner(plan.parameters.mechanism).released_numbers_decide(plan);
  return fmt::format(
      "{} {}{}{}; how good that is depends on the graph: tune tells on a public one like it, docs/utility.md "
      "has figures of some",
      strangers(plan), ranked_by(plan), decided.empty() ? "" : "; ", decided);
}

std::optional<OtherPlan> alternative_for_few(const Plan& plan, const ReleaseParameters& request) {
  if (request.mechanism != "auto") return {};
  const std::string chosen = choose_mechanism(left_to_auto(request, 1)).mechanism;
  if (chosen == plan.parameters.mechanism) return {};
  const std::optional<Plan> other = planned_by(chosen, plan, request);
  if (!other) return {};
  return described(
      *other,
      fmt::format(
          "for {} rankings auto takes {}, one artefact for all of them: epsilon = {:.9g} once, and not {:.9g} "
          "in all as by {}, which it takes for up to {}. People who are not linked to the seed yet are ranked {} "
          "(evaluate measures it: new_ndcg)",
          plan.parameters.rankings, plan.parameters.mechanism, plan.total_epsilon(), other->total_epsilon(),
          chosen, many_rankings, ranked_by(plan)));
}

std::optional<OtherPlan> alternative_to(const Plan& plan, const ReleaseParameters& request) {
  if (auto fewer = alternative_for_few(plan, request)) return fewer;
  if (request.eta || request.background || request.taper) return {};  // a wish for what has that parameter
  if (plan.one_artefact()) return noise_of_its_own(plan, request);
  return plan.parameters.rankings > 1 ? one_for_all(plan, request) : second_look(plan, request);
}

}  // namespace hushwalk
