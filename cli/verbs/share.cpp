#include <memory>

#include "answer_flags.h"
#include "spread.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string graph, output;
  ShareRequest request;
  AudienceFlags audience;
  std::optional<std::string> signing_key;
  Permissions permissions = publishable;
};

void run(const Flags& flags, const Common& common) {
  check_mechanism(flags.request.release.mechanism);
  check_inputs({flags.graph, flags.audience.ledger.value_or("")}, flags.output, FileKind::artefact);
  ShareRequest request = flags.request;
  request.audience = flags.audience.open();
  if (flags.signing_key)
    request.key = std::make_shared<const SigningKey>(SigningKey::open(*flags.signing_key));
  const Progress progress = progress_bar();
  const Graph graph = open_spread ? open_spread(flags.graph) : open_lasting_graph(flags.graph, progress);
  const auto [artefact, quote] = share(graph, request, progress);
  if (!flags.audience.ledger) notice("{}", no_ledger);
  say_charged(quote);
  say_weak_points(artefact.plan());
  artefact.save(flags.output, for_owner_if(!flags.audience.audience.recipient.empty(), flags.permissions));
  const IssuedCertificate certificate = artefact.certificate();
  if (common.json) return print_json(certificate_only_json(certificate));
  print_text(fmt::format(
      "{}\nAnswers for any seed, at no further cost:\n  hushwalk rank {} --shared {} --seed V{}\n",
      certificate.text, flags.graph, flags.output,
      flags.audience.ledger ? " --ledger " + *flags.audience.ledger : ""));
}

// Whether its artefact can be kept.
bool is_kept(const MechanismKind& kind) { return kind.artefact == Artefact::numbers; }

}  // namespace

void add_share(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(app, common, "share", "Make one private artefact that serves every node",
                                  "hushwalk share friends.hwg --epsilon 1 -o friends.share",
                                  [flags, &common] { run(*flags, common); });
  verb->add_option("graph", flags->graph, "A graph file")->required()->type_name("G");
  add_epsilon(*verb, flags->request.release.epsilon,
              "What the artefact may leak about an edge, once for all answers")
      ->required();
  verb->add_option(
          "--mechanism", flags->request.release.mechanism,
          mechanisms_with(is_kept, ", or ") + " (default: auto, which takes circles from epsilon 0.25 on)")
      ->type_name("NAME");
  add_taper(
      *verb, flags->request.release.taper,
      mechanisms_with([](const MechanismKind& kind) { return is_kept(kind) && kind.taper; }) +
          ": the degree from which hubs count less, or inf (default: from epsilon; circles: below 0.25 only)");
  flags->audience.add_to(*verb);
  add_signing_key(*verb, flags->signing_key);
  verb->add_option("-o,--output", flags->output, "The artefact to write")->required()->type_name("S");
  add_mode(*verb, flags->permissions);
}

}  // namespace hushwalk::cli
