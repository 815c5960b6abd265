#include "release_flags.h"

#include <fmt/ranges.h>

#include "suggest.h"

namespace hushwalk::cli {

void add_scope(CLI::App& verb, Scope& scope) {
  verb.add_option_function<std::string>(
          "--scope", [&scope](const std::string& name) { scope = scope_named(name); },
          "personalized: the answer goes to the seed's owner only, edges at the seed are known to them (the default); edge: every edge is protected, the answer may be published")
      ->check(CLI::IsMember({"personalized", "edge"}).description(""))
      ->type_name("NAME");
}

CLI::Option* add_epsilon(CLI::App& verb, Epsilon& epsilon, const std::string& description) {
  return add_number(
             verb, "--epsilon", [&epsilon](double value) { epsilon = Epsilon(value); }, description)
      ->type_name("E");
}

CLI::Option* add_delta(CLI::App& verb, std::optional<Delta>& delta, const std::string& description) {
  return add_number(
             verb, "--delta", [&delta](double value) { delta.emplace(value); }, description)
      ->type_name("D");
}

CLI::Option* add_eta(CLI::App& verb, std::optional<Eta>& eta, const std::string& mechanisms) {
  return add_number(
             verb, "--eta", [&eta](double value) { eta.emplace(value); },
             mechanisms + "values are clipped to eta times the degree (default: 1e-6)")
      ->type_name("X");
}

CLI::Option* add_taper(CLI::App& verb, std::optional<double>& taper, const std::string& description) {
  return add_number(verb, "--taper", [&taper](double value) { taper = value; }, description)->type_name("T");
}

std::string mechanisms_with(const std::function<bool(const MechanismKind&)>& it, const char* between) {
  std::vector<std::string> names;
  for (const MechanismKind& kind : mechanism_kinds())
    if (it(kind)) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, between));
}

void check_mechanism(const std::string& name, const std::vector<std::string>& more) {
  std::vector<std::string> names = mechanism_names();
  names.insert(names.begin(), "auto");
  names.insert(names.end(), more.begin(), more.end());
  check_name("mechanism", name, names);
}

void ReleaseFlags::add_to(CLI::App& verb) {
  epsilon_ =
      add_epsilon(verb, given_.epsilon, "What each ranking may leak about an edge: smaller is more private");
  add_delta(verb, given_.delta, "paper: a chance of failure to allow, for less noise (default: none)");
  add_scope(verb, given_.scope);
  verb.add_option("--mechanism", given_.mechanism,
                  fmt::format("One of auto, {} (default: auto)", fmt::join(mechanism_names(), ", ")))
      ->type_name("NAME");
  add_eta(verb, given_.eta, mechanisms_with(&MechanismKind::eta) + ": ");
  verb.add_option(
          "--background", given_.background,
          mechanisms_with(&MechanismKind::background) +
              ": one score with this weight of links away from the seed's neighbours, 0 to 1 (default: from epsilon; separate numbers from epsilon 0.4 on)")
      ->type_name("R");
  add_taper(
      verb, given_.taper,
      mechanisms_with(&MechanismKind::taper) +
          ": the degree from which hubs count less, or inf (default: from epsilon; circles: below 0.25 only)");
  diffusion.add_to(verb);
}

ReleaseParameters ReleaseFlags::parameters() const {
  check_mechanism(given_.mechanism);
  ReleaseParameters parameters = given_;
  parameters.diffusion = diffusion.make();
  return parameters;
}

}  // namespace hushwalk::cli
