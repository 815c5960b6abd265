#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "accounting/reproduction.h"
#include "hushwalk/audit.h"
#include "hushwalk/generate.h"
#include "reproduction/figures.h"

namespace hushwalk::reproduction {

using namespace report;

Figure attack(Workbench& bench) {
  const Graph karate = generate("karate");
  const auto node = [&](std::int64_t id) { return *karate.node_list().find(id); };
  const std::vector<double> epsilons = {0.01, 0.03, 0.1, 0.3, 1, 2, 3, 5};
  Table table{
      {{"epsilon", "ε"}, {"guess", "Guess"}, {"success", "Share of right guesses"}, {"ci", "± 95 %", "", 2}},
      {}};
  const auto add = [&](double epsilon, const char* guess, double success, double ci) {
    table.rows.push_back({epsilon, guess, success, ci});
  };
  for (const char* mechanism : {"twohop", "shared", "output"}) {
    const auto rows = link_attack(karate, {node(3), node(10)}, node(1), {.mechanism = mechanism}, epsilons,
                                  bench.effort.attack_trials, bench.progress);
    for (const AttackRow& row : rows) {
      if (!std::isinf(row.epsilon)) add(row.epsilon, mechanism, row.success, row.success_ci);
      if (std::isinf(row.epsilon) && mechanism == std::string("twohop"))  // the same for all
        for (const double epsilon : epsilons) add(epsilon, "exact answer", row.success, row.success_ci);
    }
  }
  for (const double epsilon : epsilons) add(epsilon, "ceiling e^ε/(1+e^ε)", 1 / (1 + std::exp(-epsilon)), 0);
  return {
      .id = "attack",
      .title = "Guessing an edge from an answer",
      .caption =
          "Somebody knows every edge but one, which is there with probability 1/2, and sees an answer. From the exact answer the guess is right whenever it is tried; with noise no guess can beat the ceiling, whatever the attack. Points may lie above it by the sampling error shown.",
      .graph = "Zachary's karate club, edge 3–10, seed 1",
      .command = bench.command("attack"),
      .table = std::move(table),
      .chart = LineChart{
          .x = "epsilon", .y = "success", .series = "guess", .error = "ci", .x_scale = Scale::logarithmic}};
}

namespace {

constexpr const char* sound = "what the noise certifies (sound)";
constexpr const char* printed = "Theorem 2 as printed";
constexpr const char* ball = "ℓ1 ball of diameter 1";
constexpr const char* root = "scale divided by √2, as in the published code";

}  // namespace

Figure wrong_claims(Workbench& bench) {
  constexpr double eta = 1e-6, order = 2;
  const auto diffusion = Diffusion::ppr(beta, steps);
  const NoiseDesign design{{diffusion.steps().begin(), diffusion.steps().end()}, Eta(eta)};
  Table table{{{"laplace_scale", "Laplace scale of each draw"},
               {"claim", "Claim"},
               {"rdp", "Rényi divergence of order 2"}},
              {}};
  for (int half = -14; half <= -6; ++half) {
    const double scale = std::pow(10, half / 2.0);
    const accounting::ConstantChain chain{steps, beta, 2 * beta * eta, scale};
    const auto rdp = [&](double b) {
      return account({design, LaplaceScale(b)}, {}, Accountant::theorem, RenyiOrder(order)).rdp;
    };
    table.rows.push_back({scale, sound, rdp(scale)});
    table.rows.push_back({scale, printed, printed_theorem_2(chain, order).value_for_plots_only()});
    table.rows.push_back({scale, ball, diameter_bound(chain, 1, order).value_for_plots_only()});
    // Claimed for the scale that was meant, drawn with one that is smaller.
    table.rows.push_back({scale, root, rdp(scale * std::sqrt(2.0))});
  }
  return {
      .id = "wrong-claims",
      .title = "What would have been claimed",
      .caption =
          "Personalized lazy PPR, η = 10⁻⁶. Theorem 2 as printed certifies 0 for any noise, however small (its terms vanish at τ = 0; zeros are not on a logarithmic axis, see the table). Whoever means a Laplace scale but draws it divided by √2 claims a smaller loss than there is. The ball's diameter rests on a projection that is not non-expansive; here it also claims more than needed.",
      .warning = "The dashed claims are wrong: do not use them.",
      .command = bench.command("wrong-claims"),
      .table = std::move(table),
      .chart = LineChart{.x = "laplace_scale",
                         .y = "rdp",
                         .series = "claim",
                         .x_scale = Scale::logarithmic,
                         .y_scale = Scale::logarithmic,
                         .wrong = {printed, ball, root}}};
}

}  // namespace hushwalk::reproduction
