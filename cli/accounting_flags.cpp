#include "accounting_flags.h"

#include <cmath>

namespace hushwalk::cli {

void AccountingFlags::add_to(CLI::App& verb) {
  verb.add_option("--mechanism", mechanism,
                  "paper (noise in every step, the default) or output (noise at the end)")
      ->check(CLI::IsMember({"paper", "output"}).description(""))
      ->type_name("NAME");
  diffusion.add_to(verb);
  verb.add_option("--eta", eta, "Values are clipped to eta times the degree (default: 1e-6)")->type_name("X");
  verb.add_option("--delta", delta, "Allow this probability of failure (default: none, a pure guarantee)")
      ->type_name("D");
  verb.add_option("--scope", scope, "personalized (edges not at the seed, the default) or edge (all edges)")
      ->check(CLI::IsMember({"personalized", "edge"}).description(""))
      ->type_name("NAME");
  verb.add_option("--draws", draws,
                  "Independent draws of noise where there is noise (default: paper 2, output 1)")
      ->type_name("N");
}

NoiseDesign AccountingFlags::design() const {
  const bool paper = mechanism == "paper";
  const Diffusion made = diffusion.make();
  return {{made.steps().begin(), made.steps().end()},
          Eta(eta.value_or(1e-6)),
          scope == "edge" ? Scope::edge : Scope::personalized,
          paper ? NoisePlacement::every_step : NoisePlacement::at_end,
          draws.value_or(paper ? 2 : 1)};
}

std::optional<Delta> AccountingFlags::parsed_delta() const {
  return delta ? std::optional(Delta(*delta)) : std::nullopt;
}

Json number_json(double value) { return std::isinf(value) ? Json("inf") : Json(value); }

std::string number_text(double value) {
  return std::isinf(value) ? "inf" : fmt::format("{}", value);
}  // all digits: a shorter number could be too small

Json design_json(const AccountingFlags& flags, const NoiseDesign& design) {
  return {{"mechanism", flags.mechanism},
          {"diffusion", diffusion_json(flags.diffusion, flags.diffusion.make())},
          {"eta", design.eta.value()},
          {"scope", flags.scope},
          {"draws", design.draws}};
}

Json guarantee_json(const Guarantee& guarantee) {
  Json json = {{"epsilon", guarantee.epsilon},
               {"delta", nullptr},
               {"pure", guarantee.pure()},
               {"rdp", guarantee.rdp},
               {"order", number_json(guarantee.order)},
               {"tau", nullptr},
               {"pure_epsilon", guarantee.pure_epsilon},
               {"accountant", name(guarantee.accountant)}};
  if (guarantee.delta) json["delta"] = *guarantee.delta;
  if (guarantee.tau) json["tau"] = *guarantee.tau;
  return json;
}

namespace {

std::string theorem(const NoiseDesign& design, Accountant accountant) {
  switch (accountant) {
    case Accountant::pure:
      return "the Laplace mechanism on the sensitivity of the clipped diffusion";
    case Accountant::theorem:
      return design.scope == Scope::edge ? "Theorem 1 of Wei, Chien and Li"
                                         : "Theorem 2 of Wei, Chien and Li, corrected";
    case Accountant::shift:
      return "shift reduction with the best shifts";
    case Accountant::composition:
      return "composition of the steps";
  }
  return "";
}

}  // namespace

std::string sentence(const NoiseDesign& design, const Guarantee& guarantee) {
  const bool edge = design.scope == Scope::edge;
  if (proven_sensitivity(design).value == 0)
    return fmt::format(
        "{} protected completely, with or without noise: the answer reads none of them, so epsilon = 0 and "
        "delta = 0.",
        edge ? "All edges of the graph are" : "All edges that do not touch the seed are");
  return fmt::format(
      "{} protected against {}: the answer is differentially private with epsilon = {} and delta = {} by "
      "{}, for continuous Laplace noise in real arithmetic.",
      edge ? "Every edge of the graph is" : "Every edge that does not touch the seed is",
      edge ? "anyone who sees the answer"
           : "the seed's owner, to whom alone the answer goes and who knows the seed's own edges",
      guarantee.epsilon, guarantee.pure() ? "0" : fmt::format("{}", *guarantee.delta),
      theorem(design, guarantee.accountant));
}

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("{:<16}{}\n", name, value);
}

std::string design_rows(const AccountingFlags& flags, const NoiseDesign& design) {
  return row("mechanism",
             fmt::format("{}, {} draw{} {}", flags.mechanism, design.draws, design.draws == 1 ? "" : "s",
                         flags.mechanism != "paper"            ? "at the end"
                         : design.scope == Scope::personalized ? "in every step from step 2"
                                                               : "in every step")) +
         row("diffusion", fmt::format("{}, {} step{}, eta {}", flags.diffusion.name, design.steps.size(),
                                      design.steps.size() == 1 ? "" : "s", design.eta.value())) +
         row("scope", flags.scope);
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
