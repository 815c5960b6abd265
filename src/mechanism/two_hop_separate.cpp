#include "mechanism/two_hop_separate.h"

#include <algorithm>

#include "accounting/edge_cost.h"
#include "accounting/round_up.h"
#include "mechanism/estimate_separate.h"
#include "mechanism/link_plan.h"
#include "mechanism/links.h"
#include "mechanism/node_noise.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;
using accounting::SeparateScales;

constexpr std::size_t into_near = 0, into_far = 1, columns = 2;  // of Numbers
// Plan::noise of a column, for v in N and for v in O.
constexpr std::size_t near_noise(std::size_t column) { return column; }
constexpr std::size_t far_noise(std::size_t column) { return columns + column; }

// The share of the privacy of an edge between N and O that its end in N pays.
constexpr double near_share = 0.05;
constexpr double default_taper = 100;

// Costs are rounded up, so that a scale may have to be a little more than the quotient.
SeparateScales separate_scales(double epsilon, double moved) {
  using accounting::div_up, accounting::next_up;
  SeparateScales scales{.in_links_in = div_up(2, epsilon),
                        .in_links_out = div_up(1, near_share * epsilon),
                        .out_links_in = div_up(1, (1 - near_share) * epsilon),
                        .out_background = div_up(2 * moved, epsilon)};
  const auto cost = [&] { return separate_cost_up(scales, moved); };
  while (cost().inside > epsilon) scales.in_links_in = next_up(scales.in_links_in);
  while (cost().between > epsilon) scales.out_links_in = next_up(scales.out_links_in);
  while (cost().outside > epsilon) scales.out_background = next_up(scales.out_background);
  return scales;
}

class SeparateRelease final : public Release {
 public:
  SeparateRelease(const Plan& plan, const Graph& graph, NoiseSource& source)
      : plan_(plan),
        graph_(graph),
        source_(source),
        taper_(1, taper_of(*plan.taper)),
        background_(weighted_links(graph, taper_)),
        into_near_(sampler(into_near)),
        into_far_(sampler(into_far)),
        theta_(series_of(plan.diffusion.steps())) {}

  std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    std::vector<Numbers> answers;
    for (const SeedVector& seed : seeds) {
      answers.push_back(noisy_links(seed, *source_.answer(first + answers.size())));
      if (progress)
        progress("ranking", static_cast<double>(answers.size()) / static_cast<double>(seeds.size()));
    }
    return answers;
  }

  double scale(const SeedVector& seed, std::size_t column, Node node) const override {
    const bool near = std::ranges::binary_search(own_links(graph_, seed).near, node);
    return plan_.noise[near ? near_noise(column) : far_noise(column)].lattice_scale;
  }

  PrivateScores scores(const Numbers& numbers, const SeedVector& seed) const override {
    OwnLinks own = own_links(graph_, seed);
    const SeparateNumbers noisy{to_links(numbers[into_near]),
                                to_links(numbers[into_far]),
                                {laplace_scale(near_noise(into_near)), laplace_scale(near_noise(into_far)),
                                 laplace_scale(far_noise(into_near)), laplace_scale(far_noise(into_far))}};
    Estimate estimate = estimate_separate(noisy, seed, own, theta_);
    return {std::move(estimate.scores), std::move(own.near), estimate.near_error, estimate.far_error};
  }

 private:
  Numbers noisy_links(const SeedVector& seed, NoiseSource& answer) const {
    const OwnLinks own = own_links(graph_, seed);
    SeparateLinks links = separate_links(graph_, taper_, background_, seed, own.near);
    add_noise_by_part(answer, into_near, into_near_, seed, own.near, links.into_near);
    add_noise_by_part(answer, into_far, into_far_, seed, own.near, links.into_far);
    return {std::move(links.into_near), std::move(links.into_far)};
  }

  double laplace_scale(std::size_t use) const { return plan_.noise[use].laplace_scale; }
  NoiseByPart sampler(std::size_t column) const {
    return {DiscreteLaplace(plan_.noise[near_noise(column)].lattice_scale),
            DiscreteLaplace(plan_.noise[far_noise(column)].lattice_scale)};
  }

  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  QuantisedTaper taper_;
  std::vector<std::int64_t> background_;
  NoiseByPart into_near_, into_far_;
  Series theta_;
};

}  // namespace

void complete_separate(Plan& plan, const ReleaseRequest& request) {
  plan.taper = request.taper.value_or(default_taper);
  plan.lattice_bits = QuantisedTaper::fraction_bits;
  const QuantisedTaper taper(1, taper_of(*plan.taper));
  const double moved = links_of(taper.sensitivity(pairs_exist(plan.graph.nodes)));
  const SeparateScales scales = separate_scales(plan.epsilon, moved);
  plan.noise = {link_noise("links of the seed's neighbours among themselves", scales.in_links_in),
                link_noise("links of the seed's neighbours to other nodes", scales.in_links_out),
                link_noise("links of all other nodes to the seed's neighbours", scales.out_links_in),
                link_noise("tapered links of all other nodes among themselves", scales.out_background)};
  plan.sensitivity = 2 * std::max(1.0, moved);
  plan.sensitivity_bound =
      "two counts of links, or the tapered links of both ends (docs/math/13-edge-cost.md, \"Separate "
      "numbers\")";
  plan.guarantee = pure_guarantee(plan.epsilon, plan.delta);
  plan.theorem =
      "the Laplace mechanism with a scale per node and number, by the three kinds of edges "
      "(docs/math/13-edge-cost.md, \"Separate numbers\")";
}

std::unique_ptr<Release> start_separate(const Plan& plan, const Graph& graph, NoiseSource& noise) {
  return std::make_unique<SeparateRelease>(plan, graph, noise);
}

}  // namespace hushwalk
