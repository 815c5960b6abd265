#include <memory>

#include "release_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string graph, output;
  double epsilon = 0;
  std::optional<std::string> taper;
};

void run(const Flags& flags, const Common& common) {
  check_inputs({flags.graph}, flags.output);
  ReleaseRequest request;
  request.mechanism = "shared";
  request.scope = Scope::edge;
  request.epsilon = Epsilon(flags.epsilon);
  request.taper = parsed_taper(flags.taper);
  const Progress progress = progress_bar();
  const auto [graph, report] = open_graph(flags.graph, progress);
  if (!report.lasting)
    usage_error(
        fmt::format("'{}' is a text, and an artefact must name a lasting graph; make one first: hushwalk "
                    "import {} -o G.hwg",
                    flags.graph, flags.graph));
  const Plan plan = make_plan(public_facts(graph), request);
  notice("no ledger: nobody is keeping count of what this graph has given away");
  SharedArtefact::make(plan, graph, progress).save(flags.output);
  if (common.json)
    print_out(Json{{"certificate", Json::parse(certificate_json(plan))}}.dump(2) + "\n");
  else
    print_out(fmt::format(
        "{}\nAnswers for any seed, at no further cost:\n  hushwalk rank {} --shared {} --seed V\n",
        certificate_text(plan), flags.graph, flags.output));
}

}  // namespace

void add_share(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(app, common, "share", "Make one private artefact that serves every node",
                                  "hushwalk share friends.hwg --epsilon 1 -o friends.share",
                                  [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file")->required()->type_name("G");
  verb->add_option("--epsilon", flags->epsilon,
                   "What the artefact may leak about an edge, once for all answers")
      ->required()
      ->type_name("E");
  verb->add_option("--taper", flags->taper,
                   "The degree from which hubs count less, or inf (default: from epsilon)")
      ->type_name("T");
  verb->add_option("-o,--output", flags->output, "The artefact to write")->required()->type_name("S");
}

}  // namespace hushwalk::cli
