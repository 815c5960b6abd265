#include "hushwalk/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/planner.h"

namespace hushwalk {
namespace {

// Above it whoever guesses an edge by an answer may be right in all but one case of 22,000.
constexpr double weak_epsilon = 10;
// A chance of one in n lets a mechanism show somebody's edge as it is and keep its promise.
constexpr double weak_delta = 1e-5;

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

}  // namespace

std::vector<std::string> weak_points(const Plan& plan) {
  std::vector<std::string> points;
  look_at_epsilon(plan, points);
  look_at_delta(plan, points);
  return points;
}

std::optional<OtherPlan> alternative_to(const Plan& plan, const ReleaseParameters& request) {
  ReleaseParameters one = request;
  one.rankings = 1;
  const ReleaseParameters chosen = choose_mechanism(one);
  if (request.mechanism != "auto" || chosen.mechanism == plan.parameters.mechanism) return {};
  Plan other = plan;
  other.artefact = Artefact::none;  // each ranking has noise of its own, at the same epsilon
  return OtherPlan{
      chosen.mechanism, other.total_epsilon(),
      fmt::format(
          "for {} rankings auto takes {}, one artefact for all of them: epsilon = {:.9g} once, and not {:.9g} "
          "in all as by {}, which it takes for up to ten. People who are not linked to the seed yet are ranked {} "
          "(evaluate measures it: new_ndcg); mechanism {} is the other way",
          plan.parameters.rankings, plan.parameters.mechanism, plan.total_epsilon(), other.total_epsilon(),
          chosen.mechanism, find_planner(plan.parameters.mechanism).strangers_are_ranked_by(),
          chosen.mechanism)};
}

}  // namespace hushwalk
