#include "release_flags.h"

#include <fmt/ranges.h>

#include <charconv>
#include <limits>

namespace hushwalk::cli {

Scope parsed_scope(const std::string& name) { return name == "edge" ? Scope::edge : Scope::personalized; }

void add_scope(CLI::App& verb, std::string& scope) {
  verb.add_option(
          "--scope", scope,
          "personalized: the answer goes to the seed's owner only, edges at the seed are known to them "
          "(the default); edge: every edge is protected, the answer may be published")
      ->check(CLI::IsMember({"personalized", "edge"}).description(""))
      ->type_name("NAME");
}

std::optional<double> parsed_taper(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  if (*text == "inf") return std::numeric_limits<double>::infinity();
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size())
    usage_error(fmt::format("--taper is '{}'; it must be a whole number from 1, or inf", *text));
  return value;
}

void ReleaseFlags::add_to(CLI::App& verb) {
  verb.add_option("--epsilon", epsilon, "What each ranking may leak about an edge: smaller is more private")
      ->type_name("E");
  verb.add_option("--delta", delta, "paper: a chance of failure to allow, for less noise (default: none)")
      ->type_name("D");
  add_scope(verb, scope);
  std::vector<std::string> names = mechanism_names();
  names.insert(names.begin(), "auto");
  verb.add_option("--mechanism", mechanism, fmt::format("One of {} (default: auto)", fmt::join(names, ", ")))
      ->type_name("NAME");
  verb.add_option("--eta", eta,
                  "paper, output, pushflow: values are clipped to eta times the degree (default: 1e-6)")
      ->type_name("X");
  verb.add_option("--background", background,
                  "twohop: one score with this weight of links away from the seed's neighbours, 0 to 1 "
                  "(default: from epsilon; separate numbers from epsilon 0.4 on)")
      ->type_name("R");
  verb.add_option("--taper", taper,
                  "twohop, shared: the degree from which hubs count less, or inf (default: from epsilon)")
      ->type_name("T");
  diffusion.add_to(verb);
}

ReleaseRequest ReleaseFlags::request() const {
  if (!epsilon) usage_error("say how private the answer must be: --epsilon E, for example --epsilon 1");
  ReleaseRequest request;
  request.mechanism = mechanism;
  request.diffusion = diffusion.make();
  request.scope = parsed_scope(scope);
  request.epsilon = Epsilon(*epsilon);
  if (delta) request.delta = Delta(*delta);
  if (eta) request.eta = Eta(*eta);
  request.background = background;
  request.taper = parsed_taper(taper);
  return request;
}

bool ReleaseFlags::any_private() const {
  return epsilon || delta || eta || background || taper || mechanism != "auto";
}

}  // namespace hushwalk::cli
