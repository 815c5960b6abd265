#include <algorithm>
#include <memory>
#include <set>

#include "release_flags.h"
#include "seed_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::optional<std::string> graph;
  std::optional<std::uint64_t> nodes, max_edges;
  std::optional<std::uint64_t> rankings, seeds_per_ranking;
  SeedFlags seeds;
  std::optional<std::string> candidates;
  std::optional<std::uint64_t> top;
  bool exclude_neighbors = false, full = false;
  ReleaseFlags release;
};

// What is planned for: public facts, and how many rankings of how many seeds.
struct Target {
  PublicFacts facts;
  std::uint64_t rankings = 1, seeds_per_ranking = 1;
};

Target count_seeds(const Flags& flags, Target target, const Graph& graph) {
  if (flags.seeds.ways() == 0) return target;
  const std::vector<SeedVector> seeds = flags.seeds.find(graph);
  target.rankings = seeds.size();
  for (const SeedVector& seed : seeds)
    target.seeds_per_ranking = std::max<std::uint64_t>(target.seeds_per_ranking, seed.entries().size());
  return target;
}

Target find_target(const Flags& flags) {
  if (flags.graph.has_value() == flags.nodes.has_value())
    usage_error("say for which graph: a graph file G, or --nodes N for one that is not there");
  if (flags.seeds.ways() > 1) usage_error("give only one of --seed, --seeds-file, --all and --seed-set");
  if (flags.seeds.ways() == 1 && (flags.rankings || flags.seeds_per_ranking))
    usage_error("give seeds, or --rankings and --seeds-per-ranking, not both");
  Target target{{}, flags.rankings.value_or(1), flags.seeds_per_ranking.value_or(1)};
  if (flags.graph) {
    if (flags.max_edges) usage_error("--max-edges goes with --nodes; a graph file has its own bound");
    const Graph graph = open_graph_saying(*flags.graph, progress_bar());
    target.facts = public_facts(graph);
    return count_seeds(flags, target, graph);
  }
  target.facts = public_facts(*flags.nodes, flags.max_edges);
  if (flags.seeds.all) target.rankings = *flags.nodes;
  if (!flags.seeds.seeds.empty())
    target.rankings = std::set<std::string>(flags.seeds.seeds.begin(), flags.seeds.seeds.end()).size();
  if (flags.seeds.seeds_file || flags.seeds.seed_set)
    usage_error("without a graph say --rankings and --seeds-per-ranking instead of a file of seeds");
  return target;
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
         fmt::format(
             "Work:       about {:.3g} MB beside the graph, and {:.2g} s for noise plus {:.2g} s per million "
             "edges.\n",
             plan_memory(plan) * 1e-6, plan_time(plan).noise, plan_time(plan).per_million_edges);
}

void run(const Flags& flags, const Common& common) {
  ReleaseRequest request = flags.release.request();
  if (flags.exclude_neighbors && request.scope == Scope::edge)
    throw Error(ErrorCode::refused, excludes_neighbors_in_edge_scope);
  const Target target = find_target(flags);
  request.rankings = target.rankings;
  request.seeds_per_ranking = target.seeds_per_ranking;
  const Plan plan = make_plan(target.facts, request);
  if (!common.json) return print_out(text(plan));
  Json document = {{"plan", Json::parse(plan_json(plan))}};
  document["plan"]["memory_bytes"] = plan_memory(plan);
  document["plan"]["seconds_for_noise"] = plan_time(plan).noise;
  document["plan"]["seconds_per_million_edges"] = plan_time(plan).per_million_edges;
  document["certificate"] = Json::parse(
      certificate_json(plan, {.public_candidates = flags.candidates.has_value(), .released = false}));
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
  flags->seeds.add_to(*verb);
  flags->release.add_to(*verb);
  verb->add_option("--candidates", flags->candidates, "As for rank: the certificate names a public list")
      ->type_name("FILE");
  verb->add_flag("--exclude-neighbors", flags->exclude_neighbors, "As for rank: refused in edge scope");
  add_count(*verb, "--top", flags->top, "As for rank: costs nothing")->type_name("K");
  verb->add_flag("--full", flags->full, "As for rank: costs nothing");
}

}  // namespace hushwalk::cli
