#include "codec/json.h"

namespace hushwalk {
namespace {

Json design_json(const Diffusion& diffusion, const NoiseDesign& design) {
  return {{"mechanism", name(design.placement)},
          {"diffusion", short_diffusion_json(diffusion)},
          {"eta", design.eta.value()},
          {"scope", name(design.scope)},
          {"draws", design.draws}};
}

Json guarantee_json(const Guarantee& guarantee) {
  Json json = {{"epsilon", guarantee.epsilon},
               {"delta", optional_json(guarantee.delta)},
               {"pure", guarantee.pure()},
               {"rdp", guarantee.rdp},
               {"order", number_json(guarantee.order)},
               {"tau", nullptr},
               {"pure_epsilon", guarantee.pure_epsilon},
               {"accountant", name(guarantee.accountant)}};
  if (guarantee.tau) json["tau"] = *guarantee.tau;
  return json;
}

Json verdicts_json(const std::vector<AccountantVerdict>& verdicts) {
  Json list = Json::array();
  for (const auto& [accountant, unfit, guarantee] : verdicts)
    list.push_back(guarantee ? guarantee_json(*guarantee)
                             : Json{{"accountant", name(accountant)}, {"refused", unfit}});
  return list;
}

}  // namespace

std::string account_json(const Diffusion& diffusion, const NoisyRun& run, const Guarantee& guarantee,
                         const std::vector<AccountantVerdict>& all) {
  Json json = guarantee_json(guarantee);
  json["laplace_scale"] = run.laplace_scale.value();
  json.update(design_json(diffusion, run.design));
  if (!all.empty()) json["accountants"] = verdicts_json(all);
  json["guarantee"] = guarantee_sentence(run.design, guarantee);
  return json.dump(2);
}

std::string calibration_json(const Diffusion& diffusion, const NoiseDesign& design,
                             const Calibration& found) {
  const Sensitivity sensitivity = proven_sensitivity(design);
  Json json = {{"laplace_scale", found.laplace_scale.value()},
               {"sensitivity", sensitivity.value},
               {"sensitivity_bound", sensitivity.bound},
               {"distortion", distortion(design)}};
  json.update(guarantee_json(found.guarantee));
  json.update(design_json(diffusion, design));
  json["guarantee"] = guarantee_sentence(design, found.guarantee);
  return json.dump(2);
}

}  // namespace hushwalk
