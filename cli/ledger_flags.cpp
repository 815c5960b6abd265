#include "ledger_flags.h"

namespace hushwalk::cli {

void LedgerFlags::add_to(CLI::App& verb) {
  verb.add_option("--ledger", ledger,
                  "Charge this ledger, and answer a repeated question from it (default: $HUSHWALK_LEDGER)")
      ->envname("HUSHWALK_LEDGER")
      ->type_name("L");
  verb.add_option(
          "--recipient", recipient,
          "Under a ledger: who gets the answer (default: the owner of the seed; in edge scope nobody, and a "
          "ledger with a budget for each recipient then wants this or --publish)")
      ->type_name("NAME");
  verb.add_flag("--publish", publish,
                "Under a ledger, in edge scope: for anyone, charged to everybody's own budget");
}

LedgerRequest LedgerFlags::request(ReleaseRequest release, std::vector<SeedVector> seeds) const {
  return {std::move(release), std::move(seeds), recipient.value_or(""), publish};
}

void LedgerFlags::check() const {
  if (recipient && !ledger) usage_error("--recipient goes with --ledger: nobody else keeps count");
  if (publish && !ledger) usage_error("--publish goes with --ledger: nobody else keeps count");
  if (publish && recipient) usage_error("give --recipient or --publish, not both");
}

Graph open_lasting_graph(const std::string& path, const Progress& progress) {
  auto [graph, report] = open_graph(path, progress);
  if (!report.lasting)
    throw Error(
        ErrorCode::refused,
        fmt::format(
            "'{}' is a text and gets a new id every time it is read, so that nothing can be counted or kept "
            "for it; make a graph file first: hushwalk import {} -o G.hwg",
            path, path));
  return graph;
}

std::string payments_words(const LedgerQuote& quote) {
  if (quote.payments.empty()) return "";
  if (quote.payments.size() > 1) return fmt::format(" and to {} recipients' own", quote.payments.size());
  const auto& [recipient, epsilon, published] = quote.payments.front();
  if (published) return fmt::format(" and {:.9g} to everybody's own", epsilon);
  return recipient.empty() ? "" : fmt::format(" and {:.9g} to '{}'", epsilon, recipient);
}

void say_charged(const LedgerQuote& quote) {
  const std::string spent =
      fmt::format("epsilon = {:.9g} of {:.9g} is spent", quote.total.spent, quote.total.limit);
  if (quote.epsilon == 0)
    return notice("ledger: nothing charged to the total{}, {}", payments_words(quote), spent);
  notice("ledger: charged {:.9g} to the total for {} new release{}{}, {}", quote.epsilon, quote.charged,
         quote.charged == 1 ? "" : "s", payments_words(quote), spent);
}

}  // namespace hushwalk::cli
