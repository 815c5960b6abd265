#include "mechanism/two_hop_separate.h"

#include <algorithm>
#include <memory>

#include "estimate/separate.h"
#include "mechanism/node_noise.h"
#include "mechanism/seed_by_seed.h"
#include "plan/link_plan.h"
#include "plan/two_hop.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

class SeparateRelease final : public SeedBySeed {
 public:
  SeparateRelease(const Plan& plan, const Graph& graph, NoiseSource& source)
      : SeedBySeed(graph, source),
        plan_(plan),
        taper_(1, taper_of(*plan.parameters.taper)),
        all_links_(kept_links(graph, taper_)),
        into_near_(sampler(into_near)),
        into_far_(sampler(into_far)),
        theta_(series_of(plan.parameters.diffusion.steps())) {}

  double scale(const SeedVector& seed, std::size_t column, Node node) const override {
    const bool near = std::ranges::binary_search(own_links(graph_, seed).near, node);
    return plan_.noise[near ? near_noise(column) : far_noise(column)].lattice_scale;
  }

 private:
  Columns noisy(const SeedVector& seed, const OwnLinks& own, NoiseSource& noise) const override {
    const Rows rows(graph_);
    SeparateLinks links = separate_links(rows, taper_, *all_links_, seed, own.near);
    add_noise_by_part(noise, into_near, into_near_, seed, own.near, {links.into_near, rows.first_node()});
    add_noise_by_part(noise, into_far, into_far_, seed, own.near, {links.into_far, rows.first_node()});
    return {rows.in_first(std::move(links.into_near)), rows.in_first(std::move(links.into_far))};
  }

  PrivateScores estimate(const Columns& columns, const SeedVector& seed, OwnLinks own) const override {
    const SeparateNumbers noisy{to_links(columns[into_near]),
                                to_links(columns[into_far]),
                                {laplace_scale(near_noise(into_near)), laplace_scale(near_noise(into_far)),
                                 laplace_scale(far_noise(into_near)), laplace_scale(far_noise(into_far))}};
    Estimate found = estimate_separate(noisy, seed, own, theta_);
    return {std::move(found.scores), std::move(own.near), found.near_error, found.far_error, found.doubt};
  }

  double laplace_scale(std::size_t use) const { return plan_.noise[use].laplace_scale; }
  NoiseByPart sampler(std::size_t column) const {
    return {DiscreteLaplace(plan_.noise[near_noise(column)].lattice_scale),
            DiscreteLaplace(plan_.noise[far_noise(column)].lattice_scale)};
  }

  const Plan& plan_;
  QuantisedTaper taper_;
  std::shared_ptr<const Column> all_links_;
  NoiseByPart into_near_, into_far_;
  Series theta_;
};

}  // namespace

std::unique_ptr<Release> start_separate(const Plan& plan, const Graph& graph, NoiseSource& source) {
  return std::make_unique<SeparateRelease>(plan, graph, source);
}

}  // namespace hushwalk
