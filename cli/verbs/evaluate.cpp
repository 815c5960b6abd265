#include <algorithm>
#include <memory>

#include "accounting_flags.h"
#include "checkpoint.h"
#include "evaluation_flags.h"
#include "evaluation_writer.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

constexpr const char* warning = "not private: an evaluation reads every edge";

struct Flags {
  std::string graph;
  std::vector<std::string> mechanisms = {"auto", "free"};
  std::vector<double> epsilons = {1}, etas;
  std::optional<double> delta, background, taper;
  EvaluationFlags evaluation{100};
  std::optional<std::string> output, format;
  Permissions permissions;
  bool resume = false;
};

std::string output_format(const Flags& flags, const Common& common) {
  return common.json ? "json" : flags.format.value_or("table");
}

void check(const Flags& flags, const Common& common) {
  if (common.json && flags.format.value_or("json") != "json")
    usage_error(fmt::format("--json contradicts --format {}", *flags.format));
  if (flags.resume && (!flags.output || output_format(flags, common) != "jsonl"))
    usage_error("--resume needs -o FILE and --format jsonl");
  if (flags.evaluation.seeds == 0 || flags.evaluation.top == 0)
    usage_error("--seeds and --top must be at least 1");
}

EvaluationRequest make_request(const Flags& flags) {
  EvaluationRequest request;
  request.mechanisms = flags.mechanisms;
  request.epsilons.clear();
  for (const double epsilon : flags.epsilons) request.epsilons.emplace_back(epsilon);
  for (const double eta : flags.etas) request.etas.emplace_back(eta);
  request.diffusion = flags.evaluation.diffusion.make();
  request.scope = flags.evaluation.parsed_scope();
  if (flags.delta) request.delta.emplace(*flags.delta);
  request.background = flags.background;
  request.taper = flags.taper;
  request.seeds = flags.evaluation.seeds;
  request.random_seed = flags.evaluation.random_seed;
  request.top = flags.evaluation.top;
  return request;
}

Json request_json(const Flags& flags, const EvaluationRequest& request) {
  return {{"mechanisms", request.mechanisms},
          {"epsilons", flags.epsilons},
          {"etas", flags.etas},
          {"diffusion", diffusion_json(flags.evaluation.diffusion, request.diffusion)},
          {"scope", flags.evaluation.scope},
          {"delta", optional_json(flags.delta)},
          {"background", optional_json(flags.background)},
          {"taper", optional_json(flags.taper)},
          {"seeds", request.seeds},
          {"random_seed", request.random_seed},
          {"top", request.top}};
}

// The first line of a file to resume.
Json work_json(const Flags& flags, const EvaluationRequest& request, const Graph& graph) {
  Json work = request_json(flags, request);
  work["coefficients"] = Json::array();
  if (flags.evaluation.diffusion.coefficients)
    for (const Step& step : request.diffusion.steps())
      work["coefficients"].push_back({step.walk, step.stay, step.restart});
  work["graph"] = {{"nodes", graph.nodes()}, {"edges", graph.edges()}, {"graph_id", graph.facts().graph_id}};
  return {{"evaluation", work}, {"private", false}};
}

void say_what_is_missing(const EvaluationRequest& request, const EvaluationSummary& summary) {
  if (summary.seeds < request.seeds)
    notice("only {} nodes have an edge: all of them are seeds, instead of {}", summary.seeds, request.seeds);
}

std::vector<EvaluationRow> rows_of(const Checkpoint& checkpoint, const std::string& path) {
  std::vector<EvaluationRow> rows;
  try {
    for (const Json& line : checkpoint.lines()) rows.push_back(row_from_checkpoint(line));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::failed, fmt::format("'{}' is damaged: {}", path, error.what()));
  }
  return rows;
}

void run_resumable(const Flags& flags, const EvaluationRequest& request, const Graph& graph) {
  Checkpoint checkpoint(*flags.output, flags.permissions, work_json(flags, request, graph));
  const std::vector<EvaluationRow> done = rows_of(checkpoint, *flags.output);
  if (!done.empty()) notice("{} rows are there already", done.size());
  say_what_is_missing(
      request, evaluate(
                   graph, request, [&](const EvaluationRow& row) { checkpoint.append(checkpoint_json(row)); },
                   progress_bar(), done));
}

std::size_t name_width(const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name == "auto" ? 12 : name.size());
  return width;
}

void run_once(const Flags& flags, const EvaluationRequest& request, const Graph& graph,
              const std::string& format) {
  Json head = {
      {"private", false}, {"note", warning}, {"graph", {{"nodes", graph.nodes()}, {"edges", graph.edges()}}}};
  head.update(request_json(flags, request));
  const auto writer = make_evaluation_writer(format, std::move(head), name_width(request.mechanisms));
  std::optional<OutputFile> file;
  if (flags.output) file.emplace(*flags.output, FileKind::text, flags.permissions);
  const auto write = [&](const std::string& text) {
    if (!text.empty()) file ? file->write(text) : print_out(text);
  };
  bool begun = false;
  const EvaluationSummary summary = evaluate(
      graph, request,
      [&](const EvaluationRow& row) {
        if (!std::exchange(begun, true)) write(writer->begin());
        write(writer->row(row));
      },
      progress_bar());
  say_what_is_missing(request, summary);
  write(writer->end());
  if (file) file->commit();
}

void run(const Flags& flags, const Common& common) {
  refuse_several_processes();
  check(flags, common);
  const EvaluationRequest request = make_request(flags);
  check_inputs({flags.graph, flags.evaluation.diffusion.coefficients.value_or("")}, flags.output);
  const auto [graph, report] = open_graph(flags.graph, progress_bar());
  for (const std::string& text : report.notices) notice("{}", text);
  notice("{}", warning);
  if (flags.resume && !report.lasting)
    usage_error(fmt::format(
        "--resume needs a graph file, which has a lasting id: hushwalk import {} -o G.hwg", flags.graph));
  if (flags.resume)
    run_resumable(flags, request, graph);
  else
    run_once(flags, request, graph, output_format(flags, common));
}

}  // namespace

void add_evaluate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "evaluate", "Measure how good private rankings are (itself not private)",
               "hushwalk evaluate friends.hwg --mechanism free,twohop,shared --epsilon 0.1,1 --seeds 50",
               [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file, or a text edge list")->required()->type_name("G");
  verb->add_option("--mechanism", flags->mechanisms,
                   "Any of auto, those of rank, free (own neighbours, the rest at random) and exact "
                   "(default: auto,free)")
      ->delimiter(',')
      ->type_name("NAME,…");
  verb->add_option("--epsilon", flags->epsilons, "What each ranking spends (default: 1)")
      ->delimiter(',')
      ->type_name("E,…");
  verb->add_option("--eta", flags->etas,
                   "paper, output, pushflow: values are clipped to eta times the degree (default: 1e-6)")
      ->delimiter(',')
      ->type_name("X,…");
  verb->add_option("--delta", flags->delta, "Allow this probability of failure (default: none)")
      ->type_name("D");
  verb->add_option("--background", flags->background, "twohop: weight of links outside the neighbourhood")
      ->type_name("R");
  verb->add_option("--taper", flags->taper, "twohop, shared: from which degree on links count less, or inf")
      ->type_name("T");
  flags->evaluation.add_to(*verb);
  verb->add_option("--format", flags->format, "table, jsonl, csv or json (default: table)")
      ->check(CLI::IsMember({"table", "jsonl", "csv", "json"}).description(""))
      ->type_name("NAME");
  verb->add_option("-o,--output", flags->output, "Write to this file instead of standard output")
      ->type_name("FILE");
  add_mode(*verb, flags->permissions);
  verb->add_flag("--resume", flags->resume,
                 "With -o FILE --format jsonl: write rows into FILE as they are done, after a line that says "
                 "what is evaluated, and go on from the rows that are there");
}

}  // namespace hushwalk::cli
