// Simulations under accountants of which some are unsound: what the paper's ablations compare.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "accounting/conversion.h"
#include "accounting/reproduction.h"
#include "evaluation/simulation.h"
#include "reproduction/figures.h"
#include "reproduction/simulated_diffusion.h"

namespace hushwalk::reproduction {

using namespace report;

namespace {

constexpr std::uint64_t top = 100;

// What the step moves at most: the clip by degree on the lazy walk, or the same clip for every node.
double step_distortion(ClipBy clip, double eta) {
  return clip == ClipBy::degree ? 2 * beta * eta : 2 * (beta / 2) * eta;
}

// Tracked distances, sound: Theorem 2, corrected. A uniform clip enters through its smaller distortion.
double tracked_scale(ClipBy clip, double eta, double epsilon, double delta) {
  const auto diffusion = Diffusion::ppr(beta, steps);
  const NoiseDesign design{{diffusion.steps().begin(), diffusion.steps().end()},
                           Eta(step_distortion(clip, eta) / (2 * beta))};
  return smallest_scale(epsilon, [&](double scale) {
    return account({design, LaplaceScale(scale)}, Delta(delta), Accountant::theorem).epsilon;
  });
}

// From divergences of finite orders.
double smallest_epsilon(double delta, const std::function<double(double)>& rdp) {
  double best = std::numeric_limits<double>::infinity();
  const auto orders = PrivacyCost::orders();
  for (const double order : orders.first(orders.size() - 1))
    best = std::min(best, accounting::epsilon_up(order, rdp(order), delta));
  return best;
}

// A diameter in place of the tracked distance.
double diameter_scale(ClipBy clip, double eta, double diameter, double epsilon, double delta) {
  return smallest_scale(epsilon, [&](double scale) {
    const accounting::ConstantChain chain{steps, beta, step_distortion(clip, eta), scale};
    return smallest_epsilon(
        delta, [&](double order) { return diameter_bound(chain, diameter, order).value_for_plots_only(); });
  });
}

// Gaussian noise with the same tracking: divergence order * C.
double gaussian_scale(double eta, double epsilon, double delta) {
  const double rho = step_distortion(ClipBy::degree, eta);
  double least = std::numeric_limits<double>::infinity(), tracked = 0;
  for (int tau = 1; tau < steps; ++tau) {
    const double carried = std::pow(beta, steps - tau) * tracked;  // step 1 moves nothing
    least = std::min(least, (steps - tau) * rho * rho + carried * carried);
    tracked = beta * tracked + rho;
  }
  return smallest_scale(epsilon, [&](double scale) {
    return smallest_epsilon(delta, [&](double order) { return order * least / (2 * scale * scale); });
  });
}

struct Variant {
  std::string name;
  Simulation simulation;
  std::function<double(double eta, double epsilon)> scale;
};

class Ablation {
 public:
  explicit Ablation(Workbench& bench)
      : bench_(bench),
        graph_(bench.first().graph),
        seeds_(draw_seeds(graph_, bench.effort.seeds, 1)),
        known_(exact_answers(graph_, Diffusion::ppr(beta, steps), seeds_, top, bench.progress)) {}

  // At the best eta of the list, by NDCG on this graph.
  EvaluationRow best(const Variant& variant, double epsilon) {
    EvaluationRow best;
    for (const double eta : bench_.effort.etas) {
      Simulation simulation = variant.simulation;
      simulation.eta = eta;
      simulation.scale = variant.scale(eta, epsilon);
      EvaluationRow row = measure(simulation);
      if (row.ndcg.mean && (!best.ndcg.mean || *row.ndcg.mean > *best.ndcg.mean)) best = std::move(row);
      if (bench_.progress) bench_.progress("simulating", -1);
    }
    return best;
  }

 private:
  EvaluationRow measure(const Simulation& simulation) {
    const auto answers = simulate(graph_, simulation, seeds_);
    std::vector<Metrics> metrics;
    metrics.reserve(answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) metrics.push_back(known_[i].exact.compare(answers[i]));
    const auto over_seeds = [&](double Metrics::* field) { return summarize(column(metrics, field)); };
    EvaluationRow row;
    row.eta = simulation.eta;
    row.ndcg = over_seeds(&Metrics::ndcg);
    row.recall = over_seeds(&Metrics::recall);
    row.new_ndcg = over_seeds(&Metrics::new_ndcg);
    row.new_recall = over_seeds(&Metrics::new_recall);
    return row;
  }

  Workbench& bench_;
  const Graph& graph_;
  std::vector<Node> seeds_;
  std::vector<KnownSeed> known_;
};

// What spends nothing, and our own mechanisms on the same seeds.
void add_ours(Workbench& bench, Table& table) {
  EvaluationRequest request{
      .mechanisms = {"free", "twohop", "shared"}, .epsilons = {}, .seeds = bench.effort.seeds};
  for (const double epsilon : bench.effort.ablation_epsilons) request.epsilons.emplace_back(epsilon);
  const auto add = [&](const EvaluationRow& row, double epsilon) {
    table.rows.push_back(with_measures({epsilon, row.mechanism, Missing{"none"}}, row));
  };
  evaluate(
      bench.first().graph, request,
      [&](const EvaluationRow& row) {
        if (row.epsilon) return add(row, *row.epsilon);
        for (const double epsilon : bench.effort.ablation_epsilons) add(row, epsilon);
      },
      bench.progress);
}

Table run(Workbench& bench, const std::vector<Variant>& variants) {
  Table table{with_measures({{"epsilon", "ε"}, {"variant", "Variant"}, {"eta", "best η"}}), {}};
  Ablation ablation(bench);
  for (const Variant& variant : variants)
    for (const double epsilon : bench.effort.ablation_epsilons) {
      const EvaluationRow best = ablation.best(variant, epsilon);
      table.rows.push_back(
          with_measures({epsilon, variant.name, best.eta ? Cell(*best.eta) : Cell(Missing{"none"})}, best));
    }
  add_ours(bench, table);
  return table;
}

Variant tracked(const Benchmark& benchmark, std::string name, ClipBy clip) {
  return {std::move(name), {.clip = clip}, [&benchmark, clip](double eta, double epsilon) {
            // Everything is proportional to eta.
            return eta / 1e-6 * tracked_scale(clip, 1e-6, epsilon, benchmark.paper_delta());
          }};
}

Variant by_diameter(const Benchmark& benchmark, std::string name, ClipBy clip, bool project, double per_eta,
                    double fixed) {
  return {std::move(name), {.clip = clip, .project = project}, [=, &benchmark](double eta, double epsilon) {
            return diameter_scale(clip, eta, eta * per_eta + fixed, epsilon, benchmark.paper_delta());
          }};
}

constexpr const char* by_degree_projected = "by degree, ℓ1 ball of diameter 1";
constexpr const char* uniform_projected = "uniform, ℓ1 ball of diameter 1";

}  // namespace

Figure ablation(Workbench& bench) {
  const Benchmark& benchmark = bench.first();
  const double n = static_cast<double>(benchmark.graph.nodes()),
               degrees = 2 * static_cast<double>(benchmark.graph.secret_edges());
  const std::vector<Variant> variants = {
      tracked(benchmark, "by degree, tracked", ClipBy::degree),
      tracked(benchmark, "uniform, tracked", ClipBy::one),
      by_diameter(benchmark, by_degree_projected, ClipBy::degree, true, 0, 1),
      by_diameter(benchmark, uniform_projected, ClipBy::one, true, 0, 1),
      by_diameter(benchmark, "by degree, diameter ηΣd", ClipBy::degree, false, degrees, 0),
      by_diameter(benchmark, "uniform, diameter ηn", ClipBy::one, false, n, 0)};
  return {
      .id = "ablation",
      .title = "Clip by degree or for all alike; tracked distance or diameter",
      .caption =
          "Personalized lazy PPR with two Laplace draws a step, δ = 1/|E|, every variant with its best η of the list, by NDCG. The first two are sound. Accounting by the diameter of the ℓ1 ball rests on a projection that is not non-expansive in ℓ1 (dashed), and ηΣd is a secret.",
      .warning = "Simulations for comparison with the paper, not releases: two of the bounds do not hold.",
      .graph = words(benchmark),
      .command = bench.command("ablation"),
      .table = run(bench, variants),
      .chart = LineChart{.x = "epsilon",
                         .y = "ndcg",
                         .series = "variant",
                         .error = "ndcg_ci",
                         .other_y = "new_ndcg",
                         .other_error = "new_ndcg_ci",
                         .x_scale = Scale::logarithmic,
                         .wrong = {by_degree_projected, uniform_projected}}};
}

Figure noise_type(Workbench& bench) {
  const Benchmark& benchmark = bench.first();
  const std::vector<Variant> variants = {
      tracked(benchmark, "Laplace", ClipBy::degree),
      {"Gaussian", {.noise = NoiseLaw::gaussian}, [&](double eta, double epsilon) {
         return gaussian_scale(eta, epsilon, benchmark.paper_delta());
       }}};
  return {
      .id = "noise-type",
      .title = "Laplace against Gaussian noise",
      .caption =
          "The same clipped diffusion, two draws a step, distances tracked in ℓ1, the same conversion to δ = 1/|E|, best η by NDCG each. The Gaussian curve pays for tracking in ℓ1 what it would need in ℓ2 only.",
      .warning = "Simulations for comparison with the paper, not releases.",
      .graph = words(benchmark),
      .command = bench.command("noise-type"),
      .table = run(bench, variants),
      .chart = LineChart{.x = "epsilon",
                         .y = "ndcg",
                         .series = "variant",
                         .error = "ndcg_ci",
                         .other_y = "new_ndcg",
                         .other_error = "new_ndcg_ci",
                         .x_scale = Scale::logarithmic}};
}

}  // namespace hushwalk::reproduction
