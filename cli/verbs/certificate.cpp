// A certificate as a page for people who sign off.
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>

#include "answer_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

using namespace report;

struct Flags {
  std::string file, audience, output;
  std::optional<std::string> public_key, ledger, key;
  Permissions permissions = publishable;
};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::failed, fmt::format("cannot read '{}'", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string words(const Json& certificate, const char* name) { return certificate.at("words").at(name); }

std::string number_words(const Json& value) {
  return value.is_string() ? value.get<std::string>() : fmt::format("{}", value.get<double>());
}

// From even odds; rounded up, as a promise is.
std::string odds_example(const Json& certificate) {
  if (!certificate.at("epsilon").is_number()) return "";
  const double epsilon = certificate.at("epsilon");
  const double percent = std::ceil(1000 * std::exp(epsilon) / (1 + std::exp(epsilon))) / 10;
  return fmt::format(
      "An example: somebody thinks that it is as likely as not (50 %) that two given people are connected, and knows everything else about the graph. After one answer they may think so with at most {} %{}.",
      percent, certificate.at("delta") > 0 ? ", but for a chance of failure of delta" : "");
}

Figure table_of(const std::string& id, const std::string& title,
                const std::vector<std::pair<std::string, std::string>>& rows) {
  Table table{{{"what", "What"}, {"says", "The certificate says"}}, {}};
  for (const auto& [what, says] : rows) table.rows.push_back({what, says});
  return {.id = id, .title = title, .table = std::move(table)};
}

std::string spent_words(const Json& certificate) {
  return fmt::format(
      "{} ranking{}: epsilon = {}{} together", number_words(certificate.at("rankings")),
      certificate.at("rankings") == 1 ? "" : "s", number_words(certificate.at("total_epsilon")),
      certificate.at("total_delta") > 0 ? " and delta = " + number_words(certificate.at("total_delta")) : "");
}

std::string charged_words(const Json& certificate) {
  const Json charged = certificate.value("charged", Json());
  return charged.is_null()
             ? "by no ledger"
             : fmt::format("on {}, by entry {} of the ledger {}", charged.at("at").get<std::string>(),
                           charged.at("entry").get<std::int64_t>(),
                           certificate.at("ledger").get<std::string>());
}

std::string machine_words(const Json& certificate, const Verification& found) {
  const Json names = certificate.value("machine_checked", Json());
  if (names.is_null() || !found.words) return "";
  return fmt::format("; checked by machine (proofs/): {}",
                     fmt::join(names.get<std::vector<std::string>>(), ", "));
}

// NIST SP 800-226, by the questions it asks.
Figure nist(const Json& certificate, const Verification& found) {
  std::string assumptions;
  for (const Json& one : certificate.at("words").at("assumptions"))
    assumptions += (assumptions.empty() ? "" : "; ") + one.get<std::string>();
  return table_of(
      "nist", "In the terms of NIST SP 800-226",
      {{"Privacy parameters", fmt::format("epsilon = {}, delta = {}", number_words(certificate.at("epsilon")),
                                          number_words(certificate.at("delta")))},
       {"Definition of privacy", certificate.at("definition")},
       {"Unit of privacy", certificate.at("privacy_unit")},
       {"Trust model", certificate.at("trust_model")},
       {"Mechanism and proof",
        fmt::format("{}; {}{}", certificate.at("mechanism").get<std::string>(),
                    certificate.at("theorem").get<std::string>(), machine_words(certificate, found))},
       {"Composition", words(certificate, "counted")},
       {"Assumptions", assumptions},
       {"Randomness", certificate.value("randomness", "")}});
}

// All that its ledger has charged by now, for a page that the custodian hands to those who decide.
std::vector<std::pair<std::string, std::string>> budget_rows(const Flags& flags, const Json& certificate) {
  if (!flags.ledger) return {{"So far", "known to the custodian of the ledger"}};
  const LedgerState state = Ledger(*flags.ledger, flags.key.value_or("")).state(0);
  if (certificate.value("ledger", Json()) != state.ledger_id)
    throw Error(ErrorCode::failed, fmt::format("the ledger '{}' ({}) is not the one that charged this",
                                               *flags.ledger, state.ledger_id));
  std::vector<std::pair<std::string, std::string>> rows = {
      {"So far", fmt::format("epsilon = {:.9g} {} is spent, by {} releases, up to {}", state.total.spent,
                             of_limit(state.total), state.total.releases, state.updated)}};
  if (state.period)
    rows.emplace_back("This period",
                      fmt::format("epsilon = {:.9g} {} is spent; it ends on {}", state.period->account.spent,
                                  of_limit(state.period->account), state.period->ends));
  rows.emplace_back("The ledger promises", state.promise);
  if (!state.warning.empty()) rows.emplace_back("But", state.warning);
  return rows;
}

Figure budget(const Flags& flags, const Json& certificate, const Verification& found) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"This answer", spent_words(certificate)},
      {"Charged", charged_words(certificate)},
      {"Signed", found.signature ? fmt::format("by {}{}", certificate.at("issuer").get<std::string>(),
                                               found.issuer ? "" : ", as the key says: it was not compared")
                                 : "by nobody"}};
  for (auto& row : budget_rows(flags, certificate)) rows.push_back(std::move(row));
  return table_of("budget", "What was spent", rows);
}

Page page_of(const Flags& flags, const Json& certificate, const Verification& found) {
  const bool edge = certificate.at("scope") == "edge";
  return {
      .title = "What this answer may tell about the people in the graph",
      .paragraphs =
          {"This page says in plain words what the certificate of an answer promises. The answer was computed from a graph whose connections are secret, with random noise, so that it tells little about any single connection.",
           fmt::format("The certificate was checked when this page was made: {}.", found.reason),
           fmt::format("What nobody can check: {}.", never_checked)},
      .sections = {
          {.title = "What is protected, and what is not",
           .paragraphs =
               {fmt::format("Protected: {}.", words(certificate, "protects")),
                edge
                    ? "Not protected: who is in the graph (the list of nodes is public), and facts that many connections together show."
                    : "Not protected: the recipient's own connections, which the recipient knows; who is in the graph (the list of nodes is public); facts that many connections together show.",
                fmt::format("In numbers: {}.", words(certificate, "meaning")), odds_example(certificate)},
           .figures = {}},
          {.title = "Who may see it",
           .paragraphs = {fmt::format("{}.", words(certificate, "audience")),
                          fmt::format("Together: {}.", words(certificate, "pooling"))},
           .figures = {}},
          {.title = "The budget",
           .paragraphs = {fmt::format("{}.", words(certificate, "counted"))},
           .figures = {budget(flags, certificate, found)}},
          {.title = "For the file", .figures = {nist(certificate, found)}}}};
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
  Output output(flags.output, flags.permissions);
  output.write(page_html(page_of(flags, Json::parse(found.certificate), found)));
  output.commit();
  if (common.json && flags.output != "-") print_json(Json{{"page", flags.output}}.dump(2));
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
  verb->add_option("--for", flags->audience, "Who reads it: legal")->type_name("WHOM");
  verb->add_option("--public-key", flags->public_key, "It must be signed by this key")->type_name("P");
  verb->add_option("--ledger", flags->ledger,
                   "Say what this ledger, which charged it, has spent in all: for the custodian to decide")
      ->type_name("L");
  add_key(*verb, flags->key);
  verb->add_option("-o,--output", flags->output, "The page to write")->required()->type_name("FILE");
  add_mode(*verb, flags->permissions);
}

}  // namespace hushwalk::cli
