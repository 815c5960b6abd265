// What a release is asked for: the one list of parameters that requests, plans, certificates, ledgers,
// evaluations and flags share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hushwalk/accounting.h"
#include "hushwalk/diffusion.h"
#include "hushwalk/step.h"

namespace hushwalk {

inline constexpr double default_eta = 1e-6;

// A parameter that is not given gets a public default; those of a plan are the ones it came to.
struct ReleaseParameters {
  std::string mechanism = "auto";  // or one of mechanism_names()
  Scope scope = Scope::personalized;
  Epsilon epsilon{1};  // of each ranking
  std::optional<Delta> delta = {};
  Diffusion diffusion = Diffusion::ppr();
  std::optional<Eta> eta = {};  // `paper`, `output`, `pushflow`: default_eta
  // `twohop`: r, from 0 to 1. Without it an epsilon from 0.4 on gets separate numbers instead of one score.
  std::optional<double> background = {};
  std::optional<double> taper =
      {};                      // `twohop`, `shared`: a whole number from 1, or infinity: the plain degree
  std::uint64_t rankings = 1;  // how many answers
  std::uint64_t seeds_per_ranking = 1;  // the size of the largest seed set
  friend bool operator==(const ReleaseParameters&, const ReleaseParameters&) = default;
};

// Calls visit(name, field) for every parameter, in the order of their declaration. Whatever copies, prints,
// reads or hashes parameters goes through it, so that none can be forgotten.
template <class Parameters, class Visit>
void each_parameter(Parameters& parameters, const Visit& visit) {
  visit("mechanism", parameters.mechanism);
  visit("scope", parameters.scope);
  visit("epsilon", parameters.epsilon);
  visit("delta", parameters.delta);
  visit("diffusion", parameters.diffusion);
  visit("eta", parameters.eta);
  visit("background", parameters.background);
  visit("taper", parameters.taper);
  visit("rankings", parameters.rankings);
  visit("seeds_per_ranking", parameters.seeds_per_ranking);
}

}  // namespace hushwalk
