#include "plan/planner.h"

namespace hushwalk {
namespace {

// Below it the noise of `twohop` drowns a neighbourhood, above it `twohop` knows more (docs/utility.md).
constexpr double shared_below = 0.03;
// One artefact for all spends epsilon once; for more rankings than these that is worth its coarser answers.
constexpr std::uint64_t many_rankings = 10;

}  // namespace

ReleaseParameters choose_mechanism(const ReleaseParameters& request) {
  if (request.mechanism != "auto") return request;
  ReleaseParameters chosen = request;
  const bool shared = request.scope == Scope::edge || request.epsilon.value() < shared_below ||
                      request.rankings > many_rankings;
  // A parameter that only one mechanism has is a wish for that one.
  if (request.eta)
    chosen.mechanism = "paper";
  else if (request.background)
    chosen.mechanism = "twohop";
  else
    chosen.mechanism = shared ? "shared" : "twohop";
  return chosen;
}

}  // namespace hushwalk
