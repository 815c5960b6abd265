// `twohop`. The recipient knows N, the seed's neighbours, so that an edge is publicly inside N, between N and
// the rest O, or inside O, and each kind has a cost of its own (docs/math/13-edge-cost.md). There are two
// forms. One score for every v but the seed,
//   y_v = #{links of v into N} + r sum over u in O, u ~ v of w(d_u)  +  Laplace(b_in in N, b_out in O);
// and, with more epsilon, separate numbers: for v in N the links into N and the plain count of links into O;
// for v in O the links into N and the sum over u in O, u ~ v of w(d^O_u), degrees counted inside O. An edge
// between N and O is then paid for by both its ends: most of it by the links into N, which matter most.
#include "plan/two_hop.h"

#include <algorithm>
#include <cmath>

#include "accounting/edge_cost.h"
#include "accounting/guarantee.h"
#include "accounting/round_up.h"
#include "base/fail.h"
#include "plan/link_plan.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

using accounting::add_up, accounting::div_up, accounting::next_up;
using accounting::QuantisedTaper, accounting::SeparateScales;

// From here on separate numbers are worth their noise, on every graph tried; below, one score is safer.
constexpr double separate_from = 0.4;
// The share of the privacy of an edge between N and O that its end in N pays.
constexpr double near_share = 0.05;

void complete_one_score(Plan& plan) {
  const double epsilon = plan.epsilon();
  ReleaseParameters& asked = plan.parameters;
  asked.background = asked.background.value_or(default_background(epsilon));
  asked.taper = asked.taper.value_or(epsilon < 0.1 ? std::numeric_limits<double>::infinity() : 300);
  const QuantisedTaper taper(*asked.background, taper_of(*asked.taper));
  const double moved = links_of(taper.checked_sensitivity(nodes_for_taper(plan.graph.nodes)));
  const double b_in = div_up(2, epsilon);
  double b_out = div_up(add_up(1, moved), epsilon);
  const auto cost = [&] { return accounting::two_hop_cost_up(b_in, b_out, moved).worst(); };
  while (cost() > epsilon) b_out = next_up(b_out);  // the cost is rounded up too
  plan.noise = {link_noise("links of the seed's neighbours", b_in),
                link_noise("links of all other nodes", b_out)};
  plan.sensitivity = add_up(1, moved);
  plan.sensitivity_bound = "edge between the seed's neighbours and the rest (docs/math/13-edge-cost.md)";
  plan.guarantee = accounting::pure_guarantee(asked.epsilon, cost(), asked.delta);
  plan.theorem =
      "the Laplace mechanism with a scale per node, by the three kinds of edges (docs/math/13-edge-cost.md)";
}

void complete_separate(Plan& plan) {
  ReleaseParameters& asked = plan.parameters;
  asked.taper = asked.taper.value_or(separate_taper);
  const QuantisedTaper taper(1, taper_of(*asked.taper));
  const double moved = links_of(taper.sensitivity(nodes_for_taper(plan.graph.nodes)));
  const SeparateScales scales = separate_scales(plan.epsilon(), moved);
  plan.noise = separate_noise(scales);
  plan.sensitivity = 2 * std::max(1.0, moved);
  plan.sensitivity_bound =
      "two counts of links, or the tapered links of both ends (docs/math/13-edge-cost.md, \"Separate numbers\")";
  plan.guarantee = accounting::pure_guarantee(
      asked.epsilon, accounting::separate_cost_up(scales, moved).worst(), asked.delta);
  plan.theorem =
      "the Laplace mechanism with a scale per node and number, by the three kinds of edges (docs/math/13-edge-cost.md, \"Separate numbers\")";
}

class TwoHop final : public Planner {
 public:
  std::string name() const override { return "twohop"; }
  ParameterUse uses() const override { return {.background = true, .taper = true}; }

  void complete(Plan& plan) const override {
    if (plan.parameters.scope == Scope::edge)
      refuse(
          "twohop protects edges away from the seed only: its noise differs between the seed's neighbours and the rest, which in edge scope is a secret; use `mechanism shared`, or `scope personalized`");
    plan.lattice_bits = QuantisedTaper::fraction_bits;
    releases_separate_numbers(plan.parameters) ? complete_separate(plan) : complete_one_score(plan);
  }

  PlanWork work(const Plan& plan) const override {
    return array_work(plan, releases_separate_numbers(plan.parameters) ? 16 : 6);
  }

  std::string strangers_are_ranked_by(const Plan& plan) const override {
    const std::string near = "by their links to the seed's neighbours";
    return plan.parameters.background == 0.0 ? near + " alone" : near + " and by their other links";
  }

  std::vector<std::string> machine_checked(const Plan& plan) const override {
    if (releases_separate_numbers(plan.parameters)) return {"twohop.twohop_dp", "final.twohop_private"};
    return {"onescore.onescore_coded", "final.onescore_private"};
  }

  // Each form, with a taper that a small graph feels.
  std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const override {
    ReleaseParameters tapered = request, one_score = request;
    tapered.taper = one_score.taper = 4;
    one_score.background = 1;
    return {{"defaults", request}, {"taper 4", tapered}, {"background 1, taper 4", one_score}};
  }

  // The default first; then one score with its usual background, a quarter and four times of it; each also
  // with the plain degree.
  std::vector<ReleaseParameters> variants(const ReleaseParameters& request) const override {
    std::vector<ReleaseParameters> tried = {request};
    for (const double factor : {1.0, 0.25, 4.0}) {
      tried.push_back(request);
      tried.back().background = std::min(1.0, factor * default_background(request.epsilon.value()));
    }
    const std::size_t tapered = tried.size();
    for (std::size_t i = 0; i < tapered; ++i) {
      tried.push_back(tried[i]);
      tried.back().taper = std::numeric_limits<double>::infinity();
    }
    return tried;
  }
};

}  // namespace

bool releases_separate_numbers(const ReleaseParameters& parameters) {
  return !parameters.background && parameters.epsilon.value() >= separate_from;
}

// The cost of one number, rounded up, is at most epsilon, a double itself; two that are added may be beyond
// it.
SeparateScales separate_scales(double epsilon, double moved) {
  SeparateScales scales{.in_links_in = div_up(2, epsilon),
                        .in_links_out = div_up(1, near_share * epsilon),
                        .out_links_in = div_up(1, (1 - near_share) * epsilon),
                        .out_background = div_up(2 * moved, epsilon)};
  const auto cost = [&] { return separate_cost_up(scales, moved); };
  while (cost().between > epsilon) scales.out_links_in = next_up(scales.out_links_in);
  return scales;
}

std::vector<NoiseUse> separate_noise(const SeparateScales& scales) {
  return {link_noise("links of the seed's neighbours among themselves", scales.in_links_in),
          link_noise("links of the seed's neighbours to other nodes", scales.in_links_out),
          link_noise("links of all other nodes to the seed's neighbours", scales.out_links_in),
          link_noise("tapered links of all other nodes among themselves", scales.out_background)};
}

double default_background(double epsilon) { return std::clamp(0.015 * std::pow(epsilon, -1.5), 0.005, 1.0); }

std::unique_ptr<Planner> two_hop_planner() { return std::make_unique<TwoHop>(); }

}  // namespace hushwalk
