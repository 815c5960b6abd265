#include <memory>

#include "accounting_flags.h"
#include "verbs.h"

namespace hushwalk::cli {
namespace {

struct Flags {
  AccountingFlags accounting;
  double epsilon = 0;
};

Json to_json(const Flags& flags, const NoiseDesign& design, const Calibration& found) {
  const Sensitivity sensitivity = proven_sensitivity(design);
  Json json = {{"laplace_scale", found.laplace_scale.value()},
               {"sensitivity", sensitivity.value},
               {"sensitivity_bound", sensitivity.bound},
               {"distortion", distortion(design)}};
  json.update(guarantee_json(found.guarantee));
  json.update(design_json(flags.accounting, design));
  json["guarantee"] = sentence(design, found.guarantee);
  return json;
}

std::string to_text(const Flags& flags, const NoiseDesign& design, const Calibration& found) {
  const Sensitivity sensitivity = proven_sensitivity(design);
  return design_rows(flags.accounting, design) +
         row("laplace_scale", number_text(found.laplace_scale.value())) +
         row("sensitivity", fmt::format("{}, by the {}", number_text(sensitivity.value), sensitivity.bound)) +
         row("distortion", fmt::format("{} a step", number_text(distortion(design)))) +
         guarantee_rows(found.guarantee) + "\n" + sentence(design, found.guarantee) + "\n";
}

void run(const Flags& flags, const Common& common) {
  const NoiseDesign design = flags.accounting.design();
  const Calibration found = calibrate(design, Epsilon(flags.epsilon), flags.accounting.parsed_delta());
  print_out(common.json ? to_json(flags, design, found).dump(2) + "\n" : to_text(flags, design, found));
}

}  // namespace

void add_calibrate(CLI::App& app, Common& common) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const verb =
      add_verb(app, common, "calibrate", "Find the noise that a privacy target needs",
               "hushwalk calibrate --diffusion ppr --steps 100 --eta 1e-6 --epsilon 1 --scope personalized",
               [flags, &common] { run(*flags, common); });
  verb->add_option("--epsilon", flags->epsilon, "The privacy that is wanted: smaller is more private")
      ->required()
      ->type_name("E");
  flags->accounting.add_to(*verb);
}

}  // namespace hushwalk::cli
