#include "diffusion_flags.h"

namespace hushwalk::cli {

void DiffusionFlags::add_to(CLI::App& verb) {
  verb.add_option("--diffusion", name, "ppr (lazy walk, the default), pagerank (simple walk), heat or custom")
      ->check(CLI::IsMember({"ppr", "pagerank", "heat", "custom"}).description(""))
      ->type_name("NAME");
  verb.add_option("--beta", beta, "ppr, pagerank: how likely the walk goes on (default: 0.8)")
      ->type_name("B");
  verb.add_option("--time", time, "heat: how long heat flows, at most the number of steps (default: 5)")
      ->type_name("T");
  add_count(verb, "--steps", steps, "How many steps (default: 100)")->type_name("K");
  verb.add_option("--coefficients", coefficients,
                  "custom: a JSON file with the lists gamma1, gamma2 and gamma3, one number a step")
      ->type_name("FILE");
}

Diffusion DiffusionFlags::make() const {
  const bool walk = name == "ppr" || name == "pagerank";
  if (beta && !walk) usage_error("--beta does not go with --diffusion {}", name);
  if (time && name != "heat") usage_error("--time goes with --diffusion heat, not {}", name);
  if (coefficients && name != "custom") usage_error("--coefficients goes with --diffusion custom");
  if (name == "custom") {
    if (steps) usage_error("--steps does not go with --diffusion custom: its coefficients say how many");
    if (!coefficients) usage_error("--diffusion custom needs --coefficients FILE");
    return Diffusion::custom_from_file(*coefficients);
  }
  const int count = steps.value_or(100);
  if (name == "heat") return Diffusion::heat(time.value_or(5), count);
  return name == "ppr" ? Diffusion::ppr(beta.value_or(0.8), count)
                       : Diffusion::pagerank(beta.value_or(0.8), count);
}

}  // namespace hushwalk::cli
