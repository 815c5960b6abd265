// `shared`: B_v = sum over u ~ v of w(d_u) + Laplace(2 S_w / epsilon), once for everybody.
// docs/math/16-shared.md; that many answers may be made from it, docs/math/17-joint-dp.md.
#include "mechanism/shared.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/round_up.h"
#include "mechanism/estimate.h"
#include "mechanism/link_plan.h"
#include "mechanism/links.h"
#include "mechanism/node_noise.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

class SharedRelease final : public Release {
 public:
  SharedRelease(const Plan& plan, const Graph& graph, const RandomSource& source)
      : plan_(plan), graph_(graph), background_(release_background(plan, graph, source)) {}

  std::vector<Numbers> numbers(std::span<const SeedVector> seeds, std::uint64_t, const Progress&) override {
    return {seeds.size(), {background_}};
  }

  double scale(const SeedVector&, std::size_t, Node) const override {
    return plan_.noise.front().lattice_scale;
  }

  PrivateScores scores(const Numbers& numbers, const SeedVector& seed) const override {
    return scores_from(numbers.front(), plan_, graph_, seed);
  }

 private:
  const Plan& plan_;
  const Graph& graph_;
  std::vector<std::int64_t> background_;
};

class Shared final : public Mechanism {
 public:
  std::string name() const override { return "shared"; }

  void complete(Plan& plan, const ReleaseRequest& request) const override {
    plan.taper = request.taper.value_or(plan.epsilon < 0.1 ? std::numeric_limits<double>::infinity() : 1000);
    plan.lattice_bits = QuantisedTaper::fraction_bits;
    plan.one_artefact = true;
    const QuantisedTaper taper(1, taper_of(*plan.taper));
    plan.sensitivity = 2 * links_of(taper.sensitivity(pairs_exist(plan.graph.nodes)));
    plan.sensitivity_bound = "both ends of an edge (docs/math/16-shared.md)";
    plan.noise = {link_noise("links of every node", accounting::div_up(plan.sensitivity, plan.epsilon))};
    plan.guarantee = pure_guarantee(plan.epsilon, plan.delta);
    plan.theorem = plan.scope == Scope::edge
                       ? "the Laplace mechanism on weighted link counts (docs/math/16-shared.md)"
                       : "the Laplace mechanism on weighted link counts, and the billboard lemma for answers "
                         "that use the "
                         "recipient's own links (docs/math/16-shared.md, docs/math/17-joint-dp.md)";
  }

  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, const RandomSource& source,
                                 const Progress&) const override {
    return std::make_unique<SharedRelease>(plan, graph, source);
  }
};

}  // namespace

std::vector<std::int64_t> release_background(const Plan& plan, const Graph& graph,
                                             const RandomSource& source) {
  std::vector<std::int64_t> links = weighted_links(graph, QuantisedTaper(1, taper_of(*plan.taper)));
  std::vector<std::int64_t> noise(links.size());
  draw_noise({source, 0}, 0, DiscreteLaplace(plan.noise.front().lattice_scale), noise);
  for (std::size_t i = 0; i < links.size(); ++i) links[i] = plus_noise(links[i], noise[i]);
  return links;
}

PrivateScores scores_from(std::span<const std::int64_t> background, const Plan& plan, const Graph& graph,
                          const SeedVector& seed) {
  std::optional<OwnLinks> own;
  if (plan.scope == Scope::personalized) own = own_links(graph, seed);
  Estimate estimate = estimate_shared({to_links(background), plan.noise.front().laplace_scale}, seed,
                                      own ? &*own : nullptr, series_of(plan.diffusion.steps()));
  return {std::move(estimate.scores), {}, estimate.near_error, estimate.far_error};
}

std::unique_ptr<Mechanism> make_shared() { return std::make_unique<Shared>(); }

}  // namespace hushwalk
