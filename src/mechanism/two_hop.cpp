// `twohop` as one score; plan/two_hop.cpp says what it is.
#include <algorithm>
#include <memory>

#include "estimate/estimate.h"
#include "mechanism/node_noise.h"
#include "mechanism/seed_by_seed.h"
#include "mechanism/two_hop_separate.h"
#include "plan/link_plan.h"
#include "plan/two_hop.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

class TwoHopRelease final : public SeedBySeed {
 public:
  TwoHopRelease(const Plan& plan, const Graph& graph, NoiseSource& source)
      : SeedBySeed(graph, source),
        plan_(plan),
        taper_(*plan.parameters.background, taper_of(*plan.parameters.taper)),
        all_links_(kept_links(graph, taper_)),
        noise_{DiscreteLaplace(plan.noise[in_noise].lattice_scale),
               DiscreteLaplace(plan.noise[out_noise].lattice_scale)},
        theta_(series_of(plan.parameters.diffusion.steps())) {}

  double scale(const SeedVector& seed, std::size_t, Node node) const override {
    return plan_.noise[std::ranges::binary_search(own_links(graph_, seed).near, node) ? in_noise : out_noise]
        .lattice_scale;
  }

 private:
  Columns noisy(const SeedVector& seed, const OwnLinks& own, NoiseSource& noise) const override {
    const Rows rows(graph_);
    Column links = two_hop_links(rows, taper_, *all_links_, seed, own.near);
    add_noise_by_part(noise, 0, noise_, seed, own.near, {links, rows.first_node()});
    return {rows.in_first(std::move(links))};
  }

  PrivateScores estimate(const Columns& columns, const SeedVector& seed, OwnLinks own) const override {
    Estimate found = estimate_two_hop({to_links(columns.front()), plan_.noise[in_noise].laplace_scale,
                                       plan_.noise[out_noise].laplace_scale},
                                      seed, own, theta_);
    return {std::move(found.scores), std::move(own.near), found.near_error, found.far_error, found.doubt};
  }

  const Plan& plan_;
  QuantisedTaper taper_;
  std::shared_ptr<const Column> all_links_;
  NoiseByPart noise_;
  Series theta_;
};

class TwoHop final : public Mechanism {
 public:
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& source,
                                 const Progress&) const override {
    if (releases_separate_numbers(plan.parameters)) return start_separate(plan, graph, source);
    return std::make_unique<TwoHopRelease>(plan, graph, source);
  }
};

}  // namespace

std::unique_ptr<Mechanism> two_hop_mechanism() { return std::make_unique<TwoHop>(); }

}  // namespace hushwalk
