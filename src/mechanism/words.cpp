#include "mechanism/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace hushwalk {
namespace {

std::string protects(const Plan& plan) {
  if (plan.scope == Scope::edge) return "every single edge of the graph";
  return plan.seeds_per_ranking > 1 ? "every single edge that touches no seed of the answer"
                                    : "every single edge that does not touch the seed";
}

std::string audience(const Plan& plan) {
  if (plan.scope == Scope::edge) return "anyone: the answer may be published";
  return plan.seeds_per_ranking > 1
             ? "one recipient who already knows all edges of every seed in the set"
             : "the owner of the seed only, who already knows the seed's own edges; an answer must not be "
               "passed on, and a file with the answers of several seeds is for the custodian to hand out, "
               "not "
               "to publish";
}

std::string pooling(const Plan& plan) {
  if (plan.scope == Scope::edge)
    return plan.one_artefact
               ? fmt::format("any number of answers from one artefact together spend {:g}, once",
                             plan.epsilon)
               : fmt::format("answers add up: k of them protect every edge at k times {:g}", plan.epsilon);
  const std::string known = "recipients who pool their answers know the edges at their seeds exactly; ";
  return known +
         (plan.one_artefact
              ? fmt::format("every other edge stays protected at {:g} in all, because one noisy "
                            "artefact serves everybody",
                            plan.epsilon)
              : fmt::format("every other edge is then protected at the sum of their budgets, {:g} for "
                            "each answer",
                            plan.epsilon));
}

std::string odds(double epsilon) {
  return epsilon <= 20 ? fmt::format("{:.4g}", std::exp(epsilon)) : fmt::format("e^{:g}", epsilon);
}

std::string meaning(const Plan& plan) {
  const double delta = plan.certified_delta();
  return fmt::format(
      "whatever somebody knows already, an answer changes the odds that one such edge exists by a factor of "
      "at "
      "most {} (e^epsilon){}; for k edges at once by at most e^(k epsilon), for example {} for two",
      odds(plan.epsilon), delta > 0 ? fmt::format(", except with probability {:g}", delta) : "",
      odds(2 * plan.epsilon));
}

}  // namespace

Words words_of(const Plan& plan, const CertificateContext& context) {
  Words words{protects(plan), audience(plan), pooling(plan), meaning(plan), {}};
  words.assumptions.push_back(
      plan.graph.nodes_declared
          ? "the node list is public, as declared"
          : "given that this node list is public: it was collected from the edges, so that a node seen in "
            "one "
            "edge only would appear or vanish with it; import with --nodes to declare the list");
  const bool uses_bound = plan.eta.has_value();
  if (uses_bound && plan.graph.max_edges_declared)
    words.assumptions.push_back(fmt::format(
        "the bound of {} edges is public and was not chosen by looking at the edges", plan.graph.max_edges));
  if (context.public_candidates) words.assumptions.push_back("the list of candidates is public");
  words.assumptions.push_back(
      "all parameters were chosen without looking at the edges, and nothing else about the graph is given "
      "out");
  return words;
}

namespace {

// A paragraph with its name in the margin.
std::string paragraph(std::string_view name, std::string_view text) {
  constexpr std::size_t margin = 12, width = 100;
  std::string result = fmt::format("{:<{}}", name, margin);
  std::size_t column = margin;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column > margin && column + 1 + word.size() > width) {
      result += fmt::format("\n{:<{}}", "", margin);
      column = margin;
    }
    if (column > margin) result += ' ', ++column;
    result += word;
    column += word.size();
  }
  return result + ".\n";
}

std::string spent(const Plan& plan) {
  const std::string delta =
      plan.certified_delta() > 0 ? fmt::format(", delta = {:g}", plan.certified_delta()) : " (pure)";
  if (plan.rankings == 1) return fmt::format("epsilon = {:g}{}", plan.epsilon, delta);
  return fmt::format("epsilon = {:g}{} for each of {} rankings, {:g} in all", plan.epsilon, delta,
                     plan.rankings, plan.total_epsilon());
}

}  // namespace

std::string certificate_text(const Plan& plan, const CertificateContext& context) {
  const Words words = words_of(plan, context);
  std::string text = paragraph("Protected:", words.protects) + paragraph("Privacy:", spent(plan)) +
                     paragraph("Meaning:", words.meaning) + paragraph("For whom:", words.audience) +
                     paragraph("Pooling:", words.pooling) +
                     paragraph("Mechanism:", fmt::format("{}; by {}", plan.mechanism, plan.theorem));
  for (const NoiseUse& use : plan.noise)
    text +=
        paragraph("Noise:", fmt::format("discrete Laplace of scale {:.6g}{} on {}", use.laplace_scale,
                                        use.draws > 1 ? fmt::format(", {} draws,", use.draws) : "", use.on));
  for (const std::string& assumption : words.assumptions) text += paragraph("Assumed:", assumption);
  return text;
}

}  // namespace hushwalk
