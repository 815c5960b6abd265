#include <memory>

#include "ledger_flags.h"
#include "release_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string graph, output;
  double epsilon = 0;
  std::optional<std::string> taper;
  LedgerFlags ledger;
  Permissions permissions = publishable;
};

// The content of the artefact's file.
std::vector<std::byte> make_artefact(const Flags& flags, const ReleaseRequest& request,
                                     const Progress& progress) {
  const Graph graph = open_lasting_graph(flags.graph, progress);
  if (!flags.ledger.ledger) {
    const Plan plan = make_plan(public_facts(graph), request);
    notice(no_ledger);
    return SharedArtefact::make(plan, graph, progress).bytes();
  }
  Ledger ledger(*flags.ledger.ledger);
  LedgerArtefact artefact = share(ledger, graph, flags.ledger.request(request, {}), progress);
  say_charged(artefact.charged);
  return std::move(artefact.bytes);
}

void run(const Flags& flags, const Common& common) {
  refuse_several_processes();
  flags.ledger.check();
  check_inputs({flags.graph, flags.ledger.ledger.value_or("")}, flags.output, FileKind::artefact);
  ReleaseRequest request;
  request.mechanism = "shared";
  request.scope = Scope::edge;
  request.epsilon = Epsilon(flags.epsilon);
  request.taper = parsed_taper(flags.taper);
  const std::vector<std::byte> bytes = make_artefact(flags, request, progress_bar());
  OutputFile file(flags.output, FileKind::artefact, flags.permissions);
  file.write(bytes);
  file.commit();
  if (common.json) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return print_out(
        Json{{"certificate", Json::parse(text.substr(0, text.find('\n'))).at("certificate")}}.dump(2) + "\n");
  }
  const SharedArtefact artefact = SharedArtefact::parse(bytes, flags.output);
  print_out(fmt::format(
      "{}\nAnswers for any seed, at no further cost:\n  hushwalk rank {} --shared {} --seed V{}\n",
      certificate_text(artefact.plan(), artefact.context()), flags.graph, flags.output,
      flags.ledger.ledger ? " --ledger " + *flags.ledger.ledger : ""));
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
  flags->ledger.add_to(*verb);
  verb->add_option("-o,--output", flags->output, "The artefact to write")->required()->type_name("S");
  add_mode(*verb, flags->permissions);
}

}  // namespace hushwalk::cli
