// A certificate as a page for people who sign off.
#include <memory>

#include "answer_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  std::string file, audience, output;
  std::optional<std::string> public_key, ledger, key;
  Permissions permissions = publishable;
};

// All that its ledger has charged by now, for a page that the custodian hands to those who decide.
report::LabelledTexts budget_rows(const Flags& flags, const Verification& found) {
  if (!flags.ledger) return {{"So far", "known to the custodian of the ledger"}};
  const Ledger ledger(*flags.ledger, flags.key.value_or(""));
  ledger.check_named_by(found);
  const LedgerState state = ledger.state(0);
  report::LabelledTexts rows = {{"So far", fmt::format("epsilon = {} {} is spent, by {} releases, up to {}",
                                                       spent_text(state.total.spent), of_limit(state.total),
                                                       state.total.releases, state.updated)}};
  if (state.period)
    rows.emplace_back("This period", fmt::format("epsilon = {} {} is spent; it ends on {}",
                                                 spent_text(state.period->account.spent),
                                                 of_limit(state.period->account), state.period->ends));
  rows.emplace_back("The ledger promises", state.promise);
  if (!state.warning.empty()) rows.emplace_back("But", state.warning);
  return rows;
}

void run(const Flags& flags, const Common& common) {
  if (flags.audience != "legal")
    usage_error("--for legal is the only page there is; not '{}'", flags.audience);
  check_inputs({flags.file, flags.public_key.value_or(""), flags.ledger.value_or(""), flags.key.value_or("")},
               flags.output);
  VerificationInput input;
  if (flags.public_key) input.public_key = text_of_file(*flags.public_key);
  const Verification found = verify_certificate_file(flags.file, input);
  if (!found.valid)
    throw Error(ErrorCode::failed,
                fmt::format("the certificate of '{}' does not hold: {}", flags.file, found.reason));
  Output output(flags.output, for_owner_if(flags.ledger.has_value(), flags.permissions));
  output.write(report::page_html(report::certificate_page(found, budget_rows(flags, found))));
  output.commit();
  if (common.json && flags.output != "-") print_json(report::written_page_json(flags.output));
}

}  // namespace

void add_certificate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(
      app, common, "certificate", "A certificate as a page for people who sign off",
      "hushwalk certificate answer.json --for legal -o page.html", [flags, &common] { run(*flags, common); });
  verb->add_option("file", flags->file, "A certificate, or what verify-certificate takes")
      ->required()
      ->type_name("FILE");
  flags->audience = "legal";
  verb->add_option("--for", flags->audience, "Who reads it")->type_name("legal");
  verb->add_option("--public-key", flags->public_key, "It must be signed by this key")->type_name("P");
  verb->add_option("--ledger", flags->ledger,
                   "Say what this ledger, which charged it, has spent in all: for the custodian to decide")
      ->type_name("L");
  add_key(*verb, flags->key);
  verb->add_option("-o,--output", flags->output, "The page to write")->required()->type_name("FILE");
  add_mode(*verb, flags->permissions);
}

}  // namespace hushwalk::cli
