#include "plan/parameter_json.h"

#include <vector>

#include "base/fail.h"

namespace hushwalk {

Json diffusion_json(const Diffusion& diffusion) {
  Json document = {{"name", diffusion.name()}};
  if (diffusion.parameter()) document[diffusion.name() == "heat" ? "time" : "beta"] = *diffusion.parameter();
  document["steps"] = diffusion.steps().size();
  if (diffusion.parameter()) return document;
  for (const Step& step : diffusion.steps()) {
    document["gamma1"].push_back(step.walk);
    document["gamma2"].push_back(step.stay);
    document["gamma3"].push_back(step.restart);
  }
  return document;
}

Diffusion diffusion_in(const Json& document) {
  DiffusionChoice choice{.name = document.at("name")};
  if (choice.name == "custom") {
    const std::vector<double> walk = document.at("gamma1"), stay = document.at("gamma2"),
                              restart = document.at("gamma3");
    if (walk.size() != stay.size() || walk.size() != restart.size()) fail("its coefficients do not match");
    std::vector<Step> steps;
    steps.reserve(walk.size());
    for (std::size_t k = 0; k < walk.size(); ++k) steps.push_back({walk[k], stay[k], restart[k]});
    return Diffusion::custom(std::move(steps));
  }
  choice.steps = document.at("steps").get<int>();  // a document leaves nothing open
  (choice.name == "heat" ? choice.time : choice.beta) =
      document.at(choice.name == "heat" ? "time" : "beta").get<double>();
  return make_diffusion(choice);
}

}  // namespace hushwalk
