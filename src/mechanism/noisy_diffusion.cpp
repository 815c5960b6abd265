// `paper`, `output` and `pushflow`: the clipped diffusion on the lattice, with two draws on every node in
// every step, or one draw at the end. In personalized scope noise begins with step 2.
//
//   paper   x <- s
//           for k = 1..K:  x <- step_k(clip(x)) + Laplace + Laplace
//
//   output  x <- s
//           for k = 1..K:  x <- step_k(clip(x))
//           x <- x + Laplace
//
//   pushflow  x <- 0, which is a h for the h of DP-PUSHFLOWCAP (Epasto et al. 2022), a = 1 - beta
//             for k = 1..K:  x <- clip(step_k(x)), to a eta times the degree
//             x <- x + Laplace
#include <algorithm>
#include <array>
#include <cmath>

#include "diffusion/groups.h"
#include "diffusion/lattice_run.h"
#include "diffusion/series.h"
#include "mechanism/links.h"
#include "mechanism/mechanism.h"
#include "mechanism/node_noise.h"
#include "plan/noisy_diffusion.h"

namespace hushwalk {
namespace {

class NoisyDiffusionRelease final : public Release {
 public:
  NoisyDiffusionRelease(const Plan& plan, const Graph& graph, NoiseSource& source, const Variant& variant,
                        bool own)
      : plan_(plan),
        graph_(graph),
        source_(source),
        variant_(variant),
        own_(own),
        lattice_(lattice_of(plan, variant)),
        noise_(plan.noise.front().lattice_scale) {}

  std::vector<Columns> numbers(std::span<const SeedVector> seeds, std::uint64_t first,
                               const Progress& progress) override {
    const Rows rows = Rows(graph_).ready_for(seeds.size(), lattice_.steps.size());
    std::vector<Columns> answers;
    const double total = static_cast<double>(seeds.size() * lattice_.steps.size());
    double done = 0;
    const std::vector<std::size_t> groups = groups_of(seeds.size());
    LatticeRoom room(rows, groups);
    for (const std::size_t group : groups) {
      const std::size_t begin = answers.size();
      std::vector<std::unique_ptr<NoiseSource>> sources;
      sources.reserve(group);
      for (std::size_t i = 0; i < group; ++i) sources.push_back(source_.answer(first + begin + i));
      auto states = run_on_lattice(
          rows, lattice_, seeds.subspan(begin, group), variant_.draws,
          [&](std::size_t step, std::size_t seed, std::span<std::vector<std::int64_t>> draws) {
            return draw({*sources[seed], rows.first_node()}, step, draws);
          },
          [&] {
            done += static_cast<double>(group);
            if (progress) progress("diffusing", done / total);
          },
          room);
      for (auto& state : states) answers.push_back({rows.in_first(std::move(state))});
    }
    return answers;
  }

  double scale(const SeedVector&, std::size_t, Node) const override {
    return plan_.noise.front().lattice_scale;
  }

  PrivateScores scores(const Columns& numbers, const SeedVector& seed) const override {
    PrivateScores answer;
    answer.scores.reserve(numbers.front().size());
    for (const std::int64_t units : numbers.front())
      answer.scores.push_back(std::ldexp(static_cast<double>(units), -lattice_.bits));
    // Of the last step; noise of earlier steps has passed through the diffusion.
    answer.far_error = answer.near_error =
        std::sqrt(2.0 * variant_.draws) * plan_.noise.front().laplace_scale;
    if (own_)
      own_links(graph_, seed).add_to(answer.scores, series_of(plan_.parameters.diffusion.steps()).one);
    return answer;
  }

 private:
  // How many seeds are run side by side, one group after the other.
  std::vector<std::size_t> groups_of(std::size_t seeds) const {
    std::vector<std::size_t> groups;
    for (; seeds > 0; seeds -= groups.back())
      groups.push_back(std::min(choose_lanes(graph_.nodes(), seeds), seeds));
    return groups;
  }

  struct OfMyNodes {
    NoiseSource& answer;
    Node first;
  };

  bool draw(const OfMyNodes& noise, std::size_t step, std::span<std::vector<std::int64_t>> draws) const {
    if (variant_.placement == NoisePlacement::at_end
            ? step + 1 < lattice_.steps.size()
            : plan_.parameters.scope == Scope::personalized && step == 0)
      return false;
    constexpr std::array kinds = {NoiseKind::step_first, NoiseKind::step_second};
    for (std::size_t i = 0; i < draws.size(); ++i)
      draw_noise({noise.answer, kinds.at(i), step}, noise_, draws[i], noise.first);
    return true;
  }

  const Plan& plan_;
  const Graph& graph_;
  NoiseSource& source_;
  Variant variant_;
  bool own_;  // adds what the recipient knows
  LatticeDiffusion lattice_;
  DiscreteLaplace noise_;
};

class NoisyDiffusion final : public Mechanism {
 public:
  explicit NoisyDiffusion(const Variant& variant, bool own = false) : variant_(variant), own_(own) {}
  std::unique_ptr<Release> start(const Plan& plan, const Graph& graph, NoiseSource& noise,
                                 const Progress&) const override {
    return std::make_unique<NoisyDiffusionRelease>(plan, graph, noise, variant_, own_);
  }

 private:
  Variant variant_;
  bool own_;
};

}  // namespace

std::unique_ptr<Mechanism> paper_mechanism() { return std::make_unique<NoisyDiffusion>(paper_variant); }
std::unique_ptr<Mechanism> output_mechanism() { return std::make_unique<NoisyDiffusion>(output_variant); }
std::unique_ptr<Mechanism> push_flow_mechanism() {
  return std::make_unique<NoisyDiffusion>(push_flow_variant);
}
std::unique_ptr<Mechanism> push_flow_own_mechanism() {
  return std::make_unique<NoisyDiffusion>(push_flow_variant, true);
}

}  // namespace hushwalk
