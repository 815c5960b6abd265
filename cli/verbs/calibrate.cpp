#include <memory>

#include "noise_flags.h"
#include "tables.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  NoiseFlags noise;
  Epsilon epsilon{1};
};

std::string to_text(const Diffusion& diffusion, const NoiseDesign& design, const Calibration& found) {
  const Sensitivity sensitivity = proven_sensitivity(design);
  return design_rows(diffusion, design) + row("laplace_scale", number_text(found.laplace_scale.value())) +
         row("sensitivity", fmt::format("{}, by the {}", number_text(sensitivity.value), sensitivity.bound)) +
         row("distortion", fmt::format("{} a step", number_text(distortion(design)))) +
         guarantee_rows(found.guarantee) + "\n" + guarantee_sentence(design, found.guarantee) + "\n";
}

void run(const Flags& flags, const Common& common) {
  const Diffusion diffusion = flags.noise.diffusion.make();
  const NoiseDesign design = flags.noise.design(diffusion);
  const Calibration found = calibrate(design, flags.epsilon, flags.noise.delta);
  common.json ? print_json(calibration_json(diffusion, design, found))
              : print_text(to_text(diffusion, design, found));
}

}  // namespace

void add_calibrate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "calibrate", "Find the noise that a privacy target needs",
               "hushwalk calibrate --diffusion ppr --steps 100 --eta 1e-6 --epsilon 1 --scope personalized",
               [flags, &common] { run(*flags, common); });
  add_epsilon(*verb, flags->epsilon, "The privacy that is wanted: smaller is more private")->required();
  flags->noise.add_to(*verb);
}

}  // namespace hushwalk::cli
