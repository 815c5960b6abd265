// `shared`: B_v = sum over u ~ v of w(d_u) + Laplace(2 S_w / epsilon), once for everybody.
// docs/math/16-shared.md; that many answers may be made from it, docs/math/17-joint-dp.md.
#include "mechanism/mechanism.h"

#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/phase.h"
#include "estimate/rank_range.h"
#include "estimate/shared_scores.h"
#include "mechanism/links.h"
#include "mechanism/node_noise.h"
#include "plan/link_plan.h"

namespace hushwalk {
namespace {

using accounting::QuantisedTaper;

// Counting is about half of the work, noise the other.
std::vector<std::int64_t> tapered_links(const Plan& plan, const Rows& rows, const Progress& progress) {
  std::vector<std::int64_t> links = weighted_links(rows, QuantisedTaper(1, taper_of(*plan.parameters.taper)));
  if (progress) progress("releasing", 0.5);
  return links;
}

// The noisy links of all nodes, in the first part, from those of the nodes of these rows.
std::vector<std::int64_t> with_noise(const Rows& rows, std::vector<std::int64_t> links,
                                     const DiscreteLaplace& noise, NoiseSource& source) {
  std::vector<std::int64_t> draws(links.size());
  draw_noise({source, NoiseKind::artefact}, noise, draws, rows.first_node());
  for (std::size_t i = 0; i < links.size(); ++i) links[i] = plus_noise(links[i], draws[i]);
  return rows.in_first(std::move(links));
}

SharedScores scores_by(const Plan& plan, std::span<const std::int64_t> noisy_links) {
  const Phase phase("estimating from an artefact");
  return {{to_links(noisy_links), plan.noise.front().laplace_scale},
          series_of(plan.parameters.diffusion.steps())};
}

// What the recipient knows; nothing in edge scope.
std::optional<OwnLinks> known_links(const Plan& plan, const Graph& graph, const SeedVector& seed) {
  if (plan.parameters.scope == Scope::edge) return {};
  return own_links(graph, seed);
}
const OwnLinks* pointer(const std::optional<OwnLinks>& own) { return own ? &*own : nullptr; }

// An answer, for the diffusion and the scope of the plan: post-processing.
PrivateScores scores_of(const SharedScores& scores, const Plan& plan, const Graph& graph,
                        const SeedVector& seed) {
  std::optional<OwnLinks> own = known_links(plan, graph, seed);
  Estimate estimate = scores.all(seed, pointer(own));
  return {std::move(estimate.scores), own ? std::move(own->near) : std::vector<Node>(), estimate.near_error,
          estimate.far_error, estimate.doubt};
}

std::vector<PrivateScores> answers_of(const SharedScores& scores, const Plan& plan, const Graph& graph,
                                      std::span<const SeedVector> seeds, const Progress& progress = {}) {
  std::vector<PrivateScores> found;
  for (const SeedVector& seed : seeds) {
    found.push_back(scores_of(scores, plan, graph, seed));
    if (progress) progress("ranking", static_cast<double>(found.size()) / static_cast<double>(seeds.size()));
  }
  return found;
}

class SharedAnswers final : public ArtefactAnswers {
 public:
  SharedAnswers(Plan plan, Graph graph, SharedScores scores, const Listing& listing)
      : plan_(std::move(plan)),
        graph_(std::move(graph)),
        ranking_(std::move(scores), listing),
        ranges_(graph_.nodes(), listing) {}
  std::vector<RankedNode> best(const SeedVector& seed) const override {
    check_seeds(std::span(&seed, 1), graph_.nodes());
    const std::optional<OwnLinks> own = known_links(plan_, graph_, seed);
    std::vector<RankedNode> nodes = ranking_.best(seed, pointer(own));
    if (own) ranges_.add_to(nodes, seed, own->near, ranking_.scores().doubt(&*own));
    return nodes;
  }

 private:
  Plan plan_;
  Graph graph_;
  SharedRanking ranking_;
  RankRanges ranges_;
};

class SharedRelease final : public Release {
 public:
  SharedRelease(const Plan& plan, const Graph& graph, NoiseSource& source, const Progress& progress)
      : plan_(plan),
        graph_(graph),
        source_(source),
        links_(tapered_links(plan, graph, progress)),
        noise_(plan.noise.front().lattice_scale),
        noisy_links_(with_noise(graph, links_, noise_, source)) {}

  void renew(std::uint64_t answer) override {
    noisy_links_ = with_noise(graph_, links_, noise_, *source_.answer(answer));
  }

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t, const Progress&) override {
    return {seeds.size(), {noisy_links_}};
  }

  double scale(const SeedVector&, std::size_t, Node) const override {
    return plan_.noise.front().lattice_scale;
  }

  PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
    return scores_of(scores_by(plan_, numbers.front()), plan_, graph_, seed);
  }
  std::vector<PrivateScores> answer(std::span<const SeedVector> seeds, std::uint64_t,
                                    const Progress& progress) override {
    return answers_of(scores_by(plan_, noisy_links_), plan_, graph_, seeds, progress);
  }

 private:
  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  std::vector<std::int64_t> links_;
  DiscreteLaplace noise_;
  std::vector<std::int64_t> noisy_links_;
};

class Shared final : public Mechanism {
 public:
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress& progress) const override {
    return std::make_unique<SharedRelease>(plan, graph, noise, progress);
  }
  std::vector<std::int64_t> artefact(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                     const Progress& progress) const override {
    return release_links(plan, graph, noise, progress);
  }
  void check_artefact(const Plan& plan, std::span<const std::int64_t> values) const override {
    if (values.size() != plan.graph.nodes)
      fail("the artefact is damaged: {} numbers for {} nodes", values.size(), plan.graph.nodes);
  }
  std::vector<PrivateScores> answers(const Plan& plan, std::span<const std::int64_t> values,
                                     const Graph& graph, std::span<const SeedVector> seeds) const override {
    return answers_of(scores_by(plan, values), plan, graph, seeds);
  }
  std::unique_ptr<ArtefactAnswers> list(const Plan& plan, std::span<const std::int64_t> values,
                                        const Graph& graph, const Listing& listing) const override {
    return std::make_unique<SharedAnswers>(plan, graph, scores_by(plan, values), listing);
  }
};

}  // namespace

std::vector<std::int64_t> release_links(const Plan& plan, const Graph& graph, NoiseSource& source,
                                        const Progress& progress) {
  const Rows rows(graph);
  return with_noise(rows, tapered_links(plan, rows, progress),
                    DiscreteLaplace(plan.noise.front().lattice_scale), source);
}

std::unique_ptr<Mechanism> shared_mechanism() { return std::make_unique<Shared>(); }

}  // namespace hushwalk
