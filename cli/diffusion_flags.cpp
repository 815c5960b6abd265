#include "diffusion_flags.h"

namespace hushwalk::cli {

void DiffusionFlags::add_to(CLI::App& verb) {
  verb.add_option("--diffusion", choice.name,
                  "ppr (lazy walk, the default), pagerank (simple walk), heat or custom")
      ->check(CLI::IsMember({"ppr", "pagerank", "heat", "custom"}).description(""))
      ->type_name("NAME");
  verb.add_option("--beta", choice.beta, "ppr, pagerank: how likely the walk goes on (default: 0.8)")
      ->type_name("B");
  verb.add_option("--time", choice.time,
                  "heat: how long heat flows, at most the number of steps (default: 5)")
      ->type_name("T");
  add_count(verb, "--steps", choice.steps, "How many steps (default: 100)")->type_name("K");
  verb.add_option("--coefficients", coefficients,
                  "custom: a JSON file with the lists gamma1, gamma2 and gamma3, one number a step")
      ->type_name("FILE");
}

Diffusion DiffusionFlags::make() const {
  DiffusionChoice made = choice;
  if (coefficients) made.coefficients = Diffusion::custom_from_file(*coefficients);
  return make_diffusion(made);
}

}  // namespace hushwalk::cli
