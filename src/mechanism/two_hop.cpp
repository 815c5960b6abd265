// `twohop`. The recipient knows N, the seed's neighbours, so that an edge is publicly inside N, between N and
// the rest O, or inside O. For every v but the seed
//   y_v = #{links of v into N} + r sum over u in O, u ~ v of w(d_u)  +  Laplace(b_in in N, b_out in O).
// docs/math/13-edge-cost.md. With more epsilon, separate numbers tell more: two_hop_separate.h.
#include "mechanism/two_hop.h"

#include <algorithm>
#include <cmath>

#include "accounting/edge_cost.h"
#include "accounting/round_up.h"
#include "base/fail.h"
#include "mechanism/estimate.h"
#include "mechanism/link_plan.h"
#include "mechanism/links.h"
#include "mechanism/node_noise.h"
#include "mechanism/two_hop_separate.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

constexpr std::size_t in_noise = 0, out_noise = 1;  // in Plan::noise

class TwoHopRelease final : public Release {
 public:
  TwoHopRelease(const Plan& plan, const Graph& graph, NoiseSource& source)
      : plan_(plan),
        graph_(graph),
        source_(source),
        taper_(*plan.background, taper_of(*plan.taper)),
        background_(weighted_links(graph, taper_)),
        noise_{DiscreteLaplace(plan.noise[in_noise].lattice_scale),
               DiscreteLaplace(plan.noise[out_noise].lattice_scale)},
        theta_(series_of(plan.diffusion.steps())) {}

  std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Numbers> answers;
    for (const SeedVector& seed : seeds) {
      answers.push_back({noisy_links(seed, *source_.answer(first + answers.size()))});
      if (progress)
        progress("ranking", static_cast<double>(answers.size()) / static_cast<double>(seeds.size()));
    }
    return answers;
  }

  double scale(const SeedVector& seed, std::size_t, Node node) const override {
    return plan_.noise[std::ranges::binary_search(own_links(graph_, seed).near, node) ? in_noise : out_noise]
        .lattice_scale;
  }

  PrivateScores scores(const Numbers& numbers, const SeedVector& seed) const override {
    const OwnLinks own = own_links(graph_, seed);
    Estimate estimate = estimate_two_hop({to_links(numbers.front()), plan_.noise[in_noise].laplace_scale,
                                          plan_.noise[out_noise].laplace_scale},
                                         seed, own, theta_);
    return {std::move(estimate.scores), own.near, estimate.near_error, estimate.far_error};
  }

 private:
  std::vector<std::int64_t> noisy_links(const SeedVector& seed, NoiseSource& answer) const {
    const OwnLinks own = own_links(graph_, seed);
    std::vector<std::int64_t> links = two_hop_links(graph_, taper_, background_, seed, own.near);
    add_noise_by_part(answer, 0, noise_, seed, own.near, links);
    return links;
  }

  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  QuantisedTaper taper_;
  std::vector<std::int64_t> background_;
  NoiseByPart noise_;
  Series theta_;
};

// From here on separate numbers are worth their noise, on every graph tried; below, one score is safer.
constexpr double separate_from = 0.4;

bool is_separate(double epsilon, const std::optional<double>& background) {
  return !background && epsilon >= separate_from;
}

void complete_one_score(Plan& plan, const ReleaseRequest& request) {
  const double epsilon = plan.epsilon;
  plan.background = request.background.value_or(default_background(epsilon));
  plan.taper = request.taper.value_or(epsilon < 0.1 ? std::numeric_limits<double>::infinity() : 300);
  plan.lattice_bits = QuantisedTaper::fraction_bits;
  const QuantisedTaper taper(*plan.background, taper_of(*plan.taper));
  const double moved = links_of(taper.checked_sensitivity(pairs_exist(plan.graph.nodes)));
  const double b_in = accounting::div_up(2, epsilon);
  double b_out = accounting::div_up(accounting::add_up(1, moved), epsilon);
  const auto cost = [&] { return accounting::two_hop_cost_up(b_in, b_out, moved).worst(); };
  while (cost() > epsilon) b_out = accounting::next_up(b_out);  // the cost is rounded up too
  plan.noise = {link_noise("links of the seed's neighbours", b_in),
                link_noise("links of all other nodes", b_out)};
  plan.sensitivity = accounting::add_up(1, moved);
  plan.sensitivity_bound = "edge between the seed's neighbours and the rest (docs/math/13-edge-cost.md)";
  plan.guarantee = pure_guarantee(epsilon, plan.delta);
  plan.theorem =
      "the Laplace mechanism with a scale per node, by the three kinds of edges "
      "(docs/math/13-edge-cost.md)";
}

class TwoHop final : public Mechanism {
 public:
  std::string name() const override { return "twohop"; }
  Parameters parameters() const override { return {.background = true, .taper = true}; }

  void complete(Plan& plan, const ReleaseRequest& request) const override {
    if (plan.scope == Scope::edge)
      refuse(
          "twohop protects edges away from the seed only: its noise differs between the seed's neighbours "
          "and "
          "the rest, which in edge scope is a secret; use --mechanism shared, or --scope personalized");
    if (is_separate(plan.epsilon, request.background))
      complete_separate(plan, request);
    else
      complete_one_score(plan, request);
  }

  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress&) const override {
    if (is_separate(plan.epsilon, plan.background)) return start_separate(plan, graph, noise);
    return std::make_unique<TwoHopRelease>(plan, graph, noise);
  }
};

}  // namespace

double default_background(double epsilon) { return std::clamp(0.015 * std::pow(epsilon, -1.5), 0.005, 1.0); }

std::unique_ptr<Mechanism> make_two_hop() { return std::make_unique<TwoHop>(); }

}  // namespace hushwalk
