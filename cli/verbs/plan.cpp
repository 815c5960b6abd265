#include <memory>
#include <set>

#include "answer_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::optional<std::string> graph, candidates;
  std::optional<std::uint64_t> nodes, max_edges, rankings, seeds_per_ranking, top;
  SeedFlags seeds;
  bool exclude_neighbors = false, full = false;
  ReleaseFlags release;
};

void check(const Flags& flags) {
  check_privacy({.epsilon = flags.release.has_epsilon()});
  if (flags.graph.has_value() == flags.nodes.has_value())
    usage_error("say for which graph: a graph file G, or --nodes N for a graph of that size");
  flags.seeds.check();
  if (flags.seeds.any() && (flags.rankings || flags.seeds_per_ranking))
    usage_error("give seeds, or --rankings and --seeds-per-ranking, not both");
  if (flags.graph && flags.max_edges)
    usage_error("--max-edges goes with --nodes; a graph file has its own bound");
  if (!flags.graph && (flags.seeds.seeds_file || flags.seeds.seed_set))
    usage_error("without a graph say --rankings and --seeds-per-ranking instead of a file of seeds");
}

AnswerRequest request_without_seeds(const Flags& flags) {
  AnswerRequest request;
  request.release = flags.release.parameters();
  request.exclude_neighbors = flags.exclude_neighbors;
  if (flags.top) request.top = flags.top;
  if (flags.candidates) request.candidates.emplace();  // which they are makes no difference to a plan
  request.release.rankings = flags.rankings.value_or(1);
  request.release.seeds_per_ranking = flags.seeds_per_ranking.value_or(1);
  return request;
}

PlannedAnswer made(const Flags& flags) {
  AnswerRequest request = request_without_seeds(flags);
  check_request(request);
  if (flags.graph) {
    const Graph graph = open_with_notices(*flags.graph, progress_bar());
    if (flags.seeds.any()) request.seeds = flags.seeds.find(graph);
    return plan_answer(graph.facts(), request);
  }
  const std::set<std::string> named(flags.seeds.seeds.begin(), flags.seeds.seeds.end());
  if (flags.seeds.any()) request.release.rankings = flags.seeds.all ? *flags.nodes : named.size();
  return plan_answer(public_facts(*flags.nodes, flags.max_edges), request);
}

std::string text(const PlannedAnswer& planned) {
  const Plan& plan = planned.plan;
  const auto& [mechanism, scope, epsilon, delta, diffusion, eta, background, taper, rankings, seeds] =
      plan.parameters;
  std::string parameters;
  if (eta) parameters += fmt::format(", eta {:g}", eta->value());
  if (background) parameters += fmt::format(", background {:.6g}", *background);
  if (taper) parameters += fmt::format(", taper {:g}", *taper);
  const PlanWork work = plan_work(plan);
  return fmt::format("Plan:       {} for {} nodes and at most {} edges{}; lattice unit 2^-{}.\n", mechanism,
                     plan.graph.nodes, plan.graph.max_edges, parameters, plan.lattice_bits) +
         paragraph("Why:", planned.why + ".") + paragraph("Expects:", planned.expects + ".") +
         fmt::format(
             "Bound:      one edge moves the numbers by at most {:.6g} (l1), of which {:.2g} is rounding; {}.\n",
             plan.sensitivity, plan.slack, plan.sensitivity_bound) +
         certificate_text(plan, planned.context) +
         fmt::format("Work:       about {} beside the graph, and {} for noise plus {} per million edges.\n",
                     bytes_text(work.bytes), time_text(work.noise_seconds),
                     time_text(work.seconds_per_million_edges)) +
         (planned.alternative ? paragraph("Otherwise:", planned.alternative->words + ".") : "");
}

void run(const Flags& flags, const Common& common) {
  check(flags);
  const PlannedAnswer planned = made(flags);
  if (common.json) return print_json(planned_json(planned));
  print_text(text(planned));
  say_weak_points(planned.plan);
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
