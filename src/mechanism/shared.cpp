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

std::vector<std::int64_t> exact_background(const Plan& plan, const Graph& graph) {
  return weighted_links(graph, QuantisedTaper(1, taper_of(*plan.taper)));
}

std::vector<std::int64_t> add_noise(std::vector<std::int64_t> links, const DiscreteLaplace& noise,
                                    NoiseSource& source) {
  std::vector<std::int64_t> draws(links.size());
  draw_noise({source, NoiseKind::artefact}, noise, draws);
  for (std::size_t i = 0; i < links.size(); ++i) links[i] = plus_noise(links[i], draws[i]);
  return links;
}

class SharedRelease final : public Release {
 public:
  SharedRelease(const Plan& plan, const Graph& graph, NoiseSource& source)
      : plan_(plan),
        graph_(graph),
        source_(source),
        links_(exact_background(plan, graph)),
        noise_(plan.noise.front().lattice_scale),
        background_(add_noise(links_, noise_, source)) {}

  void renew(std::uint64_t answer) override {
    background_ = add_noise(links_, noise_, *source_.answer(answer));
  }

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
  NoiseSource& source_;
  std::vector<std::int64_t> links_;
  DiscreteLaplace noise_;
  std::vector<std::int64_t> background_;  // the links with noise
};

class Shared final : public Mechanism {
 public:
  std::string name() const override { return "shared"; }
  Parameters parameters() const override { return {.taper = true}; }

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

  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress&) const override {
    return std::make_unique<SharedRelease>(plan, graph, noise);
  }
};

}  // namespace

std::vector<std::int64_t> release_background(const Plan& plan, const Graph& graph, NoiseSource& source) {
  return add_noise(exact_background(plan, graph), DiscreteLaplace(plan.noise.front().lattice_scale), source);
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
