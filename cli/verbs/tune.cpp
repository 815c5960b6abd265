#include <memory>

#include "evaluation_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::optional<std::string> proxy;
  std::optional<std::uint64_t> nodes, edges;
  EvaluationFlags<TuneRequest> evaluation;
};

void check(const Flags& flags) {
  if (flags.proxy && (flags.nodes || flags.edges))
    usage_error("give --proxy G, or --nodes and --edges, not both");
  if (!flags.proxy && !(flags.nodes && flags.edges))
    usage_error("tune needs a public graph: --proxy G, or --nodes N --edges M for one to be generated");
  if (flags.evaluation.request.epsilon.has_value() == flags.evaluation.request.target_ndcg.has_value())
    usage_error("give --epsilon E for the best parameters, or --target-ndcg X for the epsilon it needs");
}

Tuned tuned_on(const Flags& flags, const TuneRequest& request) {
  const Progress progress = progress_bar();
  if (!flags.proxy) {
    notice("simulating on a generated graph of {} nodes and {} edges; these numbers are taken as public",
           *flags.nodes, *flags.edges);
    return tune(ProxySize{*flags.nodes, *flags.edges}, request, progress);
  }
  notice(
      "the proxy '{}' is taken as public: what is chosen depends on its edges, so never give the graph that is to be protected",
      *flags.proxy);
  return tune(open_with_notices(*flags.proxy, progress), request, progress);
}

std::string to_text(const Tuned& tuned) {
  const auto measure = [](const Measure& m) {
    return m.mean ? fmt::format("{:.4f} ± {:.4f}", *m.mean, m.ci.value_or(0)) : std::string("-");
  };
  const ReleaseParameters& best = tuned.best.parameters;
  const std::string free = row("free", fmt::format("{} costs no budget", measure(tuned.free_ndcg))) +
                           row("free_new_ndcg", measure(tuned.free_new_ndcg));
  const std::string advice =
      tuned.free_is_enough
          ? row("advice", "spend nothing: own neighbours alone are as good as that in NDCG over all nodes")
          : "";
  if (tuned.tried.empty()) return free + advice;
  std::string text = row("mechanism", best.mechanism) + row("epsilon", number_text(best.epsilon.value()));
  if (best.rankings > 1) text += row("total_epsilon", number_text(tuned.best.total_epsilon.value()));
  if (best.eta) text += row("eta", number_text(best.eta->value()));
  if (best.background) text += row("background", number_text(*best.background));
  if (best.taper) text += row("taper", number_text(*best.taper));
  text += row("expected_ndcg", measure(tuned.best.ndcg)) + row("new_ndcg", measure(tuned.best.new_ndcg));
  return text + free + advice;
}

void run(const Flags& flags, const Common& common) {
  check(flags);
  const TuneRequest request = flags.evaluation.made();
  const Tuned tuned = tuned_on(flags, request);
  if (tuned.seeds < request.seeds) notice("{} seeds were used, instead of {}", tuned.seeds, request.seeds);
  common.json ? print_json(tuned_json(tuned, request)) : print_text(to_text(tuned));
}

}  // namespace

void add_tune(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "tune", "Find parameters, or the epsilon a target needs, on a public proxy graph",
               "hushwalk tune --nodes 2000 --edges 20000 --target-ndcg 0.9 --seeds 20",
               [flags, &common] { run(*flags, common); });
  verb->add_option("--proxy", flags->proxy, "A PUBLIC graph like the one to be protected, never that one")
      ->type_name("G");
  add_count(*verb, "--nodes", flags->nodes, "Simulate on a generated graph of so many nodes")->type_name("N");
  add_count(*verb, "--edges", flags->edges, "and about so many edges, as far as that is public")
      ->type_name("M");
  add_number(
      *verb, "--epsilon", [flags](double value) { flags->evaluation.request.epsilon.emplace(value); },
      "Find the mechanism and parameters with the highest NDCG for this; NDCG among new nodes is shown, but does not decide")
      ->type_name("E");
  verb->add_option(
          "--target-ndcg", flags->evaluation.request.target_ndcg,
          "Find the epsilon from which auto reaches this; nothing but auto is tried, so never frontier")
      ->type_name("X");
  flags->evaluation.add_to(*verb);
}

}  // namespace hushwalk::cli
