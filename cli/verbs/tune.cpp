#include <memory>

#include "accounting_flags.h"
#include "evaluation_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::optional<std::string> proxy;
  std::optional<std::uint64_t> nodes, edges;
  std::optional<double> epsilon, target_ndcg;
  EvaluationFlags evaluation{30};
};

void check(const Flags& flags) {
  if (flags.proxy && (flags.nodes || flags.edges))
    usage_error("give --proxy G, or --nodes and --edges, not both");
  if (!flags.proxy && !(flags.nodes && flags.edges))
    usage_error("tune needs a public graph: --proxy G, or --nodes N --edges M for one to be generated");
  if (flags.epsilon.has_value() == flags.target_ndcg.has_value())
    usage_error("give --epsilon E for the best parameters, or --target-ndcg X for the epsilon it needs");
}

TuneRequest make_request(const Flags& flags) {
  TuneRequest request;
  if (flags.epsilon) request.epsilon.emplace(*flags.epsilon);
  request.target_ndcg = flags.target_ndcg;
  request.diffusion = flags.evaluation.diffusion.make();
  request.scope = flags.evaluation.parsed_scope();
  request.seeds = flags.evaluation.seeds;
  request.random_seed = flags.evaluation.random_seed;
  request.top = flags.evaluation.top;
  return request;
}

Graph proxy_graph(const Flags& flags, const Progress& progress) {
  if (!flags.proxy) {
    notice("simulating on a generated graph of {} nodes and {} edges; these numbers are taken as public",
           *flags.nodes, *flags.edges);
    return generate("chung-lu", {*flags.nodes, *flags.edges, flags.evaluation.random_seed}, progress);
  }
  notice(
      "the proxy '{}' is taken as public: what is chosen depends on its edges, so never give the graph that "
      "is to be protected",
      *flags.proxy);
  return open_graph_saying(*flags.proxy, progress);
}

Json plan_json(const TunedPlan& plan) {
  return {{"mechanism", plan.mechanism},
          {"epsilon", plan.epsilon},
          {"eta", optional_json(plan.eta)},
          {"background", optional_json(plan.background)},
          {"taper", optional_json(plan.taper)},
          {"expected_ndcg", optional_json(plan.ndcg.mean)},
          {"expected_ndcg_ci", optional_json(plan.ndcg.ci)}};
}

Json to_json(const Flags& flags, const Tuned& tuned) {
  Json json = plan_json(tuned.best);
  json["free_ndcg"] = optional_json(tuned.free_ndcg.mean);
  json["scope"] = flags.evaluation.scope;
  json["seeds"] = tuned.seeds;
  json["tried"] = Json::array();
  for (const TunedPlan& plan : tuned.tried) json["tried"].push_back(plan_json(plan));
  return json;
}

std::string to_text(const Tuned& tuned) {
  const auto measure = [](const Measure& m) {
    return m.mean ? fmt::format("{:.4f} ± {:.4f}", *m.mean, m.ci.value_or(0)) : std::string("-");
  };
  std::string text = row("mechanism", tuned.best.mechanism) + row("epsilon", number_text(tuned.best.epsilon));
  if (tuned.best.eta) text += row("eta", number_text(*tuned.best.eta));
  if (tuned.best.background) text += row("background", number_text(*tuned.best.background));
  if (tuned.best.taper) text += row("taper", number_text(*tuned.best.taper));
  text += row("expected_ndcg", measure(tuned.best.ndcg));
  return text + row("free", fmt::format("{} costs no budget", measure(tuned.free_ndcg)));
}

void run(const Flags& flags, const Common& common) {
  refuse_several_processes();
  check(flags);
  const TuneRequest request = make_request(flags);
  const Progress progress = progress_bar();
  const Tuned tuned = tune(proxy_graph(flags, progress), request, progress);
  if (tuned.seeds < request.seeds) notice("{} seeds were used, instead of {}", tuned.seeds, request.seeds);
  print_out(common.json ? to_json(flags, tuned).dump(2) + "\n" : to_text(tuned));
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
  verb->add_option("--epsilon", flags->epsilon, "Find the best parameters for this")->type_name("E");
  verb->add_option("--target-ndcg", flags->target_ndcg, "Find the epsilon from which auto reaches this")
      ->type_name("X");
  flags->evaluation.add_to(*verb);
}

}  // namespace hushwalk::cli
