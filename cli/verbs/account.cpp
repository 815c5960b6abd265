#include <algorithm>
#include <memory>

#include "accounting_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  AccountingFlags accounting;
  double laplace_scale = 0;
  std::optional<double> order;
  std::string accountant = "best";
};

std::optional<Accountant> chosen(const std::string& text) {
  const auto found = std::ranges::find(all_accountants, text, name);
  return found == std::end(all_accountants) ? std::nullopt : std::optional(*found);
}

// One accountant of the comparison: its guarantee, or why it does not fit.
struct Entry {
  Accountant accountant;
  std::string misfit;
  std::optional<Guarantee> guarantee;
};

std::vector<Entry> compare(const NoisyRun& noisy, std::optional<Delta> delta,
                           std::optional<RenyiOrder> order) {
  std::vector<Entry> entries;
  for (const Accountant accountant : all_accountants) {
    Entry entry{accountant, misfit(accountant, noisy.design), {}};
    if (entry.misfit.empty()) entry.guarantee = account(noisy, delta, accountant, order);
    entries.push_back(entry);
  }
  return entries;
}

Json entries_json(const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries)
    list.push_back(entry.guarantee ? guarantee_json(*entry.guarantee)
                                   : Json{{"accountant", name(entry.accountant)}, {"refused", entry.misfit}});
  return list;
}

std::string entries_text(const std::vector<Entry>& entries) {
  std::string text = "\naccountant      epsilon         order           tau\n";
  for (const Entry& entry : entries) {
    const auto& g = entry.guarantee;
    text += g ? fmt::format("{:<16}{:<16}{:<16}{}\n", name(entry.accountant), number_text(g->epsilon),
                            number_text(g->order), g->tau ? fmt::format("{}", *g->tau) : "-")
              : fmt::format("{:<16}refused: {}\n", name(entry.accountant), entry.misfit);
  }
  return text;
}

void run(const Flags& flags, const Common& common) {
  const NoisyRun noisy{flags.accounting.design(), LaplaceScale(flags.laplace_scale)};
  const std::optional<Delta> delta = flags.accounting.parsed_delta();
  const auto order = flags.order ? std::optional(RenyiOrder(*flags.order)) : std::nullopt;
  const Guarantee guarantee = account(noisy, delta, chosen(flags.accountant), order);
  const bool all = flags.accountant == "all";
  const std::vector<Entry> entries = all ? compare(noisy, delta, order) : std::vector<Entry>{};
  if (common.json) {
    Json json = guarantee_json(guarantee);
    json["laplace_scale"] = noisy.laplace_scale.value();
    json.update(design_json(flags.accounting, noisy.design));
    if (all) json["accountants"] = entries_json(entries);
    json["guarantee"] = sentence(noisy.design, guarantee);
    return print_out(json.dump(2) + "\n");
  }
  print_out(
      design_rows(flags.accounting, noisy.design) +
      row("laplace_scale", number_text(noisy.laplace_scale.value())) + guarantee_rows(guarantee) +
      row("rdp", fmt::format("{} at order {}", number_text(guarantee.rdp), number_text(guarantee.order))) +
      row("pure_epsilon", number_text(guarantee.pure_epsilon)) + (all ? entries_text(entries) : "") + "\n" +
      sentence(noisy.design, guarantee) + "\n");
}

}  // namespace

void add_account(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "account", "Say how private a given noise is",
               "hushwalk account --diffusion ppr --steps 100 --eta 1e-6 --laplace-scale 8e-6 "
               "--delta 1e-6 --accountant all",
               [flags, &common] { run(*flags, common); });
  verb->add_option("--laplace-scale", flags->laplace_scale, "The noise: b of the density exp(-|x|/b) / 2b")
      ->required()
      ->type_name("B");
  flags->accounting.add_to(*verb);
  verb->add_option("--order", flags->order,
                   "The divergence of this Rényi order, above 1 or inf; with a delta, epsilon from it "
                   "(default: the best)")
      ->type_name("A");
  verb->add_option("--accountant", flags->accountant,
                   "best (the default), theorem, shift, composition, pure, or all to compare them")
      ->check(CLI::IsMember({"best", "theorem", "shift", "composition", "pure", "all"}).description(""))
      ->type_name("NAME");
}

}  // namespace hushwalk::cli
