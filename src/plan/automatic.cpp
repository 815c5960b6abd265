#include "accounting/circles.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

// Below it the noise of `twohop` drowns a neighbourhood, above it `twohop` knows more (docs/utility.md).
constexpr double shared_below = 0.03;
// One artefact for all spends epsilon once; for more rankings than these that is worth its coarser answers.
constexpr std::uint64_t many_rankings = 10;

}  // namespace

ReleaseParameters choose_artefact(const ReleaseParameters& request) {
  if (request.mechanism != "auto") return request;
  ReleaseParameters chosen = request;
  chosen.mechanism = request.epsilon.value() >= accounting::circles_from && !request.taper ? "circles" : "shared";
  return chosen;
}

ReleaseParameters choose_mechanism(const ReleaseParameters& request) {
  if (request.mechanism != "auto") return request;
  ReleaseParameters chosen = request;
  // A parameter that only one mechanism has is a wish for that one.
  if (request.eta)
    chosen.mechanism = "paper";
  else if (!request.background && (request.scope == Scope::edge || request.epsilon.value() < shared_below))
    chosen.mechanism = "shared";
  else if (!request.background && request.rankings > many_rankings)
    return choose_artefact(request);
  else
    chosen.mechanism = "twohop";
  return chosen;
}

}  // namespace hushwalk
