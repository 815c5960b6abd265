#include <memory>

#include "release_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::optional<std::string> graph;
  std::optional<std::uint64_t> nodes, max_edges;
  std::uint64_t rankings = 1, seeds_per_ranking = 1;
  ReleaseFlags release;
};

PublicFacts facts(const Flags& flags) {
  if (flags.graph.has_value() == flags.nodes.has_value())
    usage_error("say for which graph: a graph file G, or --nodes N for one that is not there");
  if (flags.nodes) return public_facts(*flags.nodes, flags.max_edges);
  if (flags.max_edges) usage_error("--max-edges goes with --nodes; a graph file has its own bound");
  return public_facts(open_graph_saying(*flags.graph, progress_bar()));
}

std::string text(const Plan& plan) {
  std::string parameters;
  if (plan.eta) parameters += fmt::format(", eta {:g}", *plan.eta);
  if (plan.background) parameters += fmt::format(", background {:.6g}", *plan.background);
  if (plan.taper) parameters += fmt::format(", taper {:g}", *plan.taper);
  return fmt::format(
             "Plan:       {} for {} nodes and at most {} edges{}; lattice unit 2^-{}.\n"
             "Bound:      one edge moves the numbers by at most {:.6g} (l1), of which {:.2g} is rounding; "
             "{}.\n",
             plan.mechanism, plan.graph.nodes, plan.graph.max_edges, parameters, plan.lattice_bits,
             plan.sensitivity, plan.slack, plan.sensitivity_bound) +
         certificate_text(plan) +
         fmt::format("Work:       about {:.3g} MB beside the graph.\n", plan_memory(plan) * 1e-6);
}

void run(const Flags& flags, const Common& common) {
  ReleaseRequest request = flags.release.request();
  request.rankings = flags.rankings;
  request.seeds_per_ranking = flags.seeds_per_ranking;
  const Plan plan = make_plan(facts(flags), request);
  if (!common.json) return print_out(text(plan));
  Json document = {{"plan", Json::parse(plan_json(plan))}};
  document["plan"]["memory_bytes"] = plan_memory(plan);
  document["certificate"] = Json::parse(certificate_json(plan, {.released = false}));
  print_out(document.dump(2) + "\n");
}

}  // namespace

void add_plan(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "plan", "Show what a private answer would promise, spending nothing",
               "hushwalk plan --nodes 10000 --epsilon 0.5", [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file, of which only public facts are used")
      ->type_name("G");
  add_count(*verb, "--nodes", flags->nodes, "Plan for a graph with this many nodes")->type_name("N");
  add_count(*verb, "--max-edges", flags->max_edges, "and at most this many edges")->type_name("M");
  add_count(*verb, "--rankings", flags->rankings, "How many rankings (default: 1)")->type_name("COUNT");
  add_count(*verb, "--seeds-per-ranking", flags->seeds_per_ranking,
            "The size of the largest seed set (default: 1)")
      ->type_name("COUNT");
  flags->release.add_to(*verb);
}

}  // namespace hushwalk::cli
