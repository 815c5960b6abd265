// `frontier`: the separate numbers of `twohop`, and a second look. From the links into N, as they were
// released, a set A of nodes that look near is chosen; then everybody's links into A are released, and the
// tapered background of the rest R alone. Where `twohop` is one score, so is `frontier`.
// docs/math/27-frontier.md; why so: docs/decisions/0028-frontier.md.
#include "plan/frontier.h"

#include <algorithm>

#include "accounting/guarantee.h"
#include "accounting/round_up.h"
#include "base/fail.h"
#include "plan/link_plan.h"
#include "plan/planner.h"
#include "plan/two_hop.h"

namespace hushwalk {
namespace {

using accounting::div_up, accounting::next_up;
using accounting::FrontierScales, accounting::SeparateScales;
using accounting::QuantisedTaper;

constexpr double one_in = 5;  // at an epsilon of 1 one node in five is looked at again
// Of the privacy of an edge between A and R, what its end in A pays.
constexpr double set_share = 0.5;

FrontierScales frontier_scales(double epsilon, const SeparateScales& separate, double moved) {
  FrontierScales scales{.among = div_up(2, epsilon),
                        .into = div_up(1, (1 - set_share) * epsilon),
                        .out_of = div_up(1, set_share * epsilon)};
  const auto cost = [&] { return frontier_cost_up(separate, scales, moved); };
  while (cost().across > epsilon) scales.into = next_up(scales.into);
  return scales;
}

class Frontier final : public Planner {
 public:
  std::string name() const override { return "frontier"; }
  ParameterUse uses() const override { return {.background = true, .taper = true}; }

  // Whether there is a second look depends on what is released; the price is that of the dearer.
  void complete(Plan& plan) const override {
    ReleaseParameters& asked = plan.parameters;
    if (asked.scope == Scope::edge)
      refuse(
          "frontier protects edges away from the seed only: its noise differs between the seed's neighbours and the rest, which in edge scope is a secret; use `mechanism shared`, or `scope personalized`");
    if (!releases_separate_numbers(asked)) return one_score_->complete(plan);
    plan.lattice_bits = QuantisedTaper::fraction_bits;
    asked.taper = asked.taper.value_or(separate_taper);
    const QuantisedTaper taper(1, taper_of(*asked.taper));
    const double moved = links_of(taper.sensitivity(nodes_for_taper(plan.graph.nodes)));
    const SeparateScales separate = separate_scales(plan.epsilon(), moved);
    const FrontierScales scales = frontier_scales(plan.epsilon(), separate, moved);
    plan.noise = separate_noise(separate);
    plan.noise.push_back(link_noise("links among the nodes of a second look", scales.among));
    plan.noise.push_back(link_noise("links of the rest into the nodes of a second look", scales.into));
    plan.noise.push_back(
        link_noise("weighted links of the nodes of a second look to the rest", scales.out_of));
    plan.sensitivity = 2 * std::max(1.0, moved);
    plan.sensitivity_bound =
        "two counts of links, or the tapered links of both ends (docs/math/27-frontier.md)";
    plan.guarantee = accounting::pure_guarantee(
        asked.epsilon, accounting::frontier_cost_up(separate, scales, moved).worst(), asked.delta);
    plan.theorem =
        "adaptive blocks: along every transcript the numbers that read an edge cost at most epsilon together (docs/math/25-adaptive-blocks.md, docs/math/27-frontier.md)";
  }

  PlanWork work(const Plan& plan) const override {
    return releases_separate_numbers(plan.parameters) ? array_work(plan, 26, 3) : one_score_->work(plan);
  }

  std::string strangers_are_ranked_by(const Plan& plan) const override {
    if (!releases_separate_numbers(plan.parameters)) return one_score_->strangers_are_ranked_by(plan);
    return "by their links to the seed's neighbours, to nodes that look near and to all others";
  }
  std::string released_numbers_decide(const Plan& plan) const override {
    return releases_separate_numbers(plan.parameters)
               ? "whether any look near enough, the released numbers decide"
               : "";
  }

  std::vector<std::string> machine_checked(const Plan& plan) const override {
    if (!releases_separate_numbers(plan.parameters)) return one_score_->machine_checked(plan);
    return {"secondlook.secondlook_dp", "final.secondlook_private"};
  }

  // With hubs as they are, with hubs from four links on, and as one score.
  std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const override {
    ReleaseParameters tapered = request, one_score = request;
    tapered.taper = one_score.taper = 4;
    one_score.background = 1;
    return {{"defaults", request}, {"taper 4", tapered}, {"background 1, taper 4", one_score}};
  }

 private:
  std::unique_ptr<Planner> one_score_ = two_hop_planner();
};

}  // namespace

std::uint64_t frontier_size(std::uint64_t nodes, double epsilon) {
  return static_cast<std::uint64_t>(static_cast<double>(nodes) / (one_in * std::max(1.0, epsilon)));
}

std::unique_ptr<Planner> frontier_planner() { return std::make_unique<Frontier>(); }

}  // namespace hushwalk
