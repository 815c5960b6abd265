#include <memory>

#include "noise_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  NoiseFlags noise;
  double laplace_scale = 0;
  std::optional<RenyiOrder> order;
  std::string accountant = "best";
};

std::string comparison(const std::vector<AccountantVerdict>& verdicts) {
  std::vector<std::vector<std::string>> rows = {{"accountant", "epsilon", "order", "tau"}};
  for (const auto& [accountant, unfit, g] : verdicts)
    rows.push_back(g ? std::vector{std::string(name(accountant)), number_text(g->epsilon),
                                   number_text(g->order), g->tau ? fmt::format("{}", *g->tau) : "-"}
                     : std::vector{std::string(name(accountant)), "refused: " + unfit});
  return "\n" + columns(rows, style_of().width);
}

void run(const Flags& flags, const Common& common) {
  const Diffusion diffusion = flags.noise.diffusion.make();
  const NoisyRun noisy{flags.noise.design(diffusion), LaplaceScale(flags.laplace_scale)};
  const Guarantee guarantee =
      account(noisy, flags.noise.delta, accountant_named(flags.accountant), flags.order);
  std::vector<AccountantVerdict> all;
  if (flags.accountant == "all") all = compare_accountants(noisy, flags.noise.delta, flags.order);
  if (common.json) return print_json(account_json(diffusion, noisy, guarantee, all));
  print_text(
      design_rows(diffusion, noisy.design) + row("laplace_scale", number_text(noisy.laplace_scale.value())) +
      guarantee_rows(guarantee) +
      row("rdp", fmt::format("{} at order {}", number_text(guarantee.rdp), number_text(guarantee.order))) +
      row("pure_epsilon", number_text(guarantee.pure_epsilon)) + (all.empty() ? "" : comparison(all)) + "\n" +
      guarantee_sentence(noisy.design, guarantee) + "\n");
}

}  // namespace

void add_account(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb = add_verb(
      app, common, "account", "Say how private a given noise is",
      "hushwalk account --diffusion ppr --steps 100 --eta 1e-6 --laplace-scale 8e-6 --delta 1e-6 --accountant all",
      [flags, &common] { run(*flags, common); });
  verb->add_option("--laplace-scale", flags->laplace_scale, "The noise: b of the density exp(-|x|/b) / 2b")
      ->required()
      ->type_name("B");
  flags->noise.add_to(*verb);
  add_number(
      *verb, "--order", [flags](double value) { flags->order.emplace(value); },
      "The divergence of this Rényi order, above 1 or inf; with a delta, epsilon from it (default: the best)")
      ->type_name("A");
  verb->add_option("--accountant", flags->accountant,
                   "best (the default), theorem, shift, composition, pure, or all to compare them")
      ->check(CLI::IsMember({"best", "theorem", "shift", "composition", "pure", "all"}).description(""))
      ->type_name("NAME");
}

}  // namespace hushwalk::cli
