#include "hushwalk/certificate_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>

#include "base/json.h"

namespace hushwalk::report {
namespace {

std::string words(const Json& certificate, const char* name) { return certificate.at("words").at(name); }

std::string number_words(const Json& value) {
  return value.is_string() ? value.get<std::string>() : fmt::format("{}", value.get<double>());
}

// From even odds; rounded up, as a promise is.
std::string odds_example(const Json& certificate) {
  if (!certificate.at("epsilon").is_number()) return "";
  const double epsilon = certificate.at("epsilon");
  const double percent = std::ceil(1000 / (1 + std::exp(-epsilon))) / 10;
  return fmt::format(
      "An example: somebody thinks that it is as likely as not (50 %) that two given people are connected, and knows everything else about the graph. After one answer they may think so with at most {} %{}.",
      percent, certificate.at("delta") > 0 ? ", but for a chance of failure of delta" : "");
}

Figure table_of(const std::string& id, const std::string& title, const LabelledTexts& rows) {
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

Figure budget(const Json& certificate, const Verification& found, const LabelledTexts& so_far) {
  LabelledTexts rows = {
      {"This answer", spent_words(certificate)},
      {"Charged", charged_words(certificate)},
      {"Signed", found.signature ? fmt::format("by {}{}", certificate.at("issuer").get<std::string>(),
                                               found.issuer ? "" : ", as the key says: it was not compared")
                                 : "by nobody"}};
  rows.insert(rows.end(), so_far.begin(), so_far.end());
  return table_of("budget", "What was spent", rows);
}

}  // namespace

Page certificate_page(const Verification& found, const LabelledTexts& so_far) {
  const Json certificate = Json::parse(found.certificate);
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
           .figures = {budget(certificate, found, so_far)}},
          {.title = "For the file", .figures = {nist(certificate, found)}}}};
}

std::string written_page_json(const std::string& path) { return Json{{"page", path}}.dump(2); }

}  // namespace hushwalk::report
