#include "noise_flags.h"

#include <cmath>

#include "tables.h"

namespace hushwalk::cli {

void NoiseFlags::add_to(CLI::App& verb) {
  verb.add_option("--mechanism", mechanism,
                  "paper (noise in every step, the default) or output (noise at the end)")
      ->check(CLI::IsMember({"paper", "output"}).description(""))
      ->type_name("NAME");
  diffusion.add_to(verb);
  add_eta(verb, eta, "");
  add_delta(verb, delta, "Allow this probability of failure (default: none, a pure guarantee)");
  add_scope(verb, scope);
  verb.add_option("--draws", draws,
                  "Independent draws of noise where there is noise (default: paper 2, output 1)")
      ->type_name("N");
}

NoiseDesign NoiseFlags::design(const Diffusion& over) const {
  return noise_design(mechanism, over.steps(), eta.value_or(Eta(default_eta)), scope, draws);
}

std::string design_rows(const Diffusion& diffusion, const NoiseDesign& design) {
  const bool paper = design.placement == NoisePlacement::every_step;
  return row("mechanism", fmt::format("{}, {} draw{} {}", name(design.placement), design.draws,
                                      design.draws == 1 ? "" : "s",
                                      !paper                                ? "at the end"
                                      : design.scope == Scope::personalized ? "in every step from step 2"
                                                                            : "in every step")) +
         row("diffusion", fmt::format("{}, {} step{}, eta {}", diffusion.name(), design.steps.size(),
                                      design.steps.size() == 1 ? "" : "s", design.eta.value())) +
         row("scope", name(design.scope));
}

std::string guarantee_rows(const Guarantee& guarantee) {
  // An order that was asked for without a delta is that of the divergence, not of the pure epsilon.
  const bool by_order = guarantee.delta || std::isinf(guarantee.order);
  return row("epsilon", number_text(guarantee.epsilon)) +
         row("delta", guarantee.pure() ? "0 (pure)" : fmt::format("{:g}", *guarantee.delta)) +
         row("accountant",
             fmt::format("{}, order {}{}", name(guarantee.accountant),
                         by_order ? number_text(guarantee.order) : "inf",
                         by_order && guarantee.tau ? fmt::format(", tau {}", *guarantee.tau) : ""));
}

}  // namespace hushwalk::cli
