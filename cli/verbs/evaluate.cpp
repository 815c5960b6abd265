#include <memory>

#include "evaluation_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string graph;
  EvaluationFlags<EvaluationRequest> evaluation;
  std::vector<double> epsilons = {1}, etas;
  std::optional<std::string> output, format;
  Permissions permissions;
  bool resume = false;
};

std::string output_format(const Flags& flags, const Common& common) {
  return common.json ? "json" : flags.format.value_or("table");
}

EvaluationRequest make_request(const Flags& flags) {
  EvaluationRequest request = flags.evaluation.made();
  for (const std::string& name : request.mechanisms) check_mechanism(name, {"free", "exact"});
  request.epsilons.clear();
  for (const double epsilon : flags.epsilons) request.epsilons.emplace_back(epsilon);
  for (const double eta : flags.etas) request.etas.emplace_back(eta);
  return request;
}

EvaluationSummary run_resumably(const Flags& flags, const EvaluationRequest& request, const Graph& graph) {
  return evaluate_resumably(
      graph, request, *flags.output, flags.permissions,
      [](std::size_t rows) { notice("{} rows are there already", rows); }, progress_bar());
}

EvaluationSummary run_once(const Flags& flags, const EvaluationRequest& request, const Graph& graph,
                           const std::string& format) {
  const auto writer = format == "table" ? table_evaluation_writer(request.mechanisms, style_of(flags.output))
                                        : evaluation_writer(format, graph, request);
  Output output(flags.output, flags.permissions);
  bool begun = false;
  const EvaluationSummary summary = evaluate(
      graph, request,
      [&](const EvaluationRow& row) {
        if (!std::exchange(begun, true)) output.write(writer->begin());
        output.write(writer->row(row));
      },
      progress_bar());
  output.write(writer->end());
  output.commit();
  return summary;
}

void run(const Flags& flags, const Common& common) {
  check_format(common, flags.format);
  if (flags.resume && (!flags.output || output_format(flags, common) != "jsonl"))
    usage_error("--resume needs -o FILE and --format jsonl");
  const EvaluationRequest request = make_request(flags);
  if (request.seeds == 0 || request.top == 0) usage_error("--seeds and --top must be at least 1");
  if (request.release.rankings == 0) usage_error("evaluate needs at least one recipient: --users");
  check_inputs({flags.graph, flags.evaluation.diffusion.coefficients.value_or("")}, flags.output);
  const auto [graph, report] = open_with_advice(flags.graph, progress_bar());
  notice("{}", evaluation_warning);
  if (flags.resume && !report.lasting)
    usage_error("--resume needs a graph file, which has a lasting id: hushwalk import {} -o G.hwg",
                flags.graph);
  const EvaluationSummary summary = flags.resume
                                        ? run_resumably(flags, request, graph)
                                        : run_once(flags, request, graph, output_format(flags, common));
  if (summary.seeds < request.seeds)
    notice("only {} nodes have an edge: all of them are seeds, instead of {}", summary.seeds, request.seeds);
}

}  // namespace

void add_evaluate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  EvaluationRequest& request = flags->evaluation.request;
  request.mechanisms = {"auto", "free"};
  CLI::App* const verb =
      add_verb(app, common, "evaluate", "Measure how good private rankings are (itself not private)",
               "hushwalk evaluate friends.hwg --mechanism free,twohop,shared --epsilon 0.1,1 --seeds 50",
               [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file, or a text edge list")->required()->type_name("G");
  verb->add_option(
          "--mechanism", request.mechanisms,
          "Any of auto, those of rank, free (own neighbours, the rest at random) and exact (default: auto,free)")
      ->delimiter(',')
      ->type_name("NAME,…");
  verb->add_option("--epsilon", flags->epsilons,
                   "What each ranking spends; with --users what all share (default: 1)")
      ->delimiter(',')
      ->type_name("E,…");
  verb->add_option("--eta", flags->etas,
                   mechanisms_with(&MechanismKind::eta) +
                       ": values are clipped to eta times the degree (default: 1e-6)")
      ->delimiter(',')
      ->type_name("X,…");
  add_delta(*verb, request.release.delta, "Allow this probability of failure (default: none)");
  verb->add_option(
          "--background", request.release.background,
          mechanisms_with(&MechanismKind::background) + ": weight of links outside the neighbourhood")
      ->type_name("R");
  add_taper(*verb, request.release.taper,
            mechanisms_with(&MechanismKind::taper) + ": from which degree on links count less, or inf");
  flags->evaluation.add_to(*verb);
  add_format(*verb, flags->format, {"table", "jsonl", "csv", "json"});
  add_output(*verb, flags->output);
  add_mode(*verb, flags->permissions);
  verb->add_flag(
      "--resume", flags->resume,
      "With -o FILE --format jsonl: write rows into FILE as they are done, after a line that says what is evaluated, and go on from the rows that are there");
}

}  // namespace hushwalk::cli
