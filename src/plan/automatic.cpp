#include <fmt/format.h>

#include "accounting/circles.h"
#include "hushwalk/advice.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

using accounting::circles_from;

// Below it the noise of `twohop` drowns a neighbourhood. From here to `told_more_from` it depends on the
// graph which of the two knows more: at epsilon = 0.1 `shared` did on three graphs of four
// (docs/decisions/0033).
constexpr double shared_below = 0.03;

// With its reason in words, so that neither is changed without the other.
struct Choice {
  const char* mechanism;
  std::string why;
};

Choice artefact_choice(const ReleaseParameters& request) {
  if (request.epsilon.value() < circles_from)
    return {"shared",
            fmt::format("below epsilon = {} nothing is left to tell who belongs together, as circles does",
                        circles_from)};
  if (request.taper)
    return {"shared",
            fmt::format("a taper is asked for, which circles has not from epsilon = {} on", circles_from)};
  return {"circles",
          fmt::format("from epsilon = {} on circles can tell who belongs together, too, and shared "
                      "counts links alone",
                      circles_from)};
}

std::string what_neighbours_told(Epsilon epsilon) {
  return epsilon.value() < told_more_from
             ? fmt::format(
                   "below epsilon = {} it depends on the graph whether these tell more than popularity "
                   "alone (tune with a public proxy tells)",
                   told_more_from)
             : fmt::format(
                   "from about epsilon = {} on these told more than popularity alone on every graph "
                   "they were measured on",
                   told_more_from);
}

Choice choice(const ReleaseParameters& request) {
  // A parameter that only one mechanism has is a wish for that one.
  if (request.eta) return {"paper", "an eta is asked for, and of the mechanisms of auto only paper has one"};
  if (request.background)
    return {"twohop", "a background is asked for, and of the mechanisms of auto only twohop has one"};
  if (request.scope == Scope::edge)
    return {
        "shared",
        "the scope is edge: there one edge decides whether a node is a neighbour, so that who is one is a "
        "secret, too; twohop needs to know the neighbours, shared does not"};
  if (request.epsilon.value() < shared_below)
    return {"shared",
            fmt::format("epsilon is below {}: there noise drowns the neighbourhood that twohop looks at",
                        shared_below)};
  if (request.rankings > many_rankings) {
    const Choice one = artefact_choice(request);
    return {one.mechanism, fmt::format("for more than {} rankings one artefact for all is worth its coarser "
                                       "answers, as it spends epsilon once; {}",
                                       many_rankings, one.why)};
  }
  return {"twohop",
          fmt::format("it looks at the links of the seed's neighbours; {}; auto takes it for up to {} "
                      "rankings",
                      what_neighbours_told(request.epsilon), many_rankings)};
}

ReleaseParameters with(ReleaseParameters request, const char* mechanism) {
  request.mechanism = mechanism;
  return request;
}

}  // namespace

ReleaseParameters choose_artefact(const ReleaseParameters& request) {
  return request.mechanism == "auto" ? with(request, artefact_choice(request).mechanism) : request;
}

ReleaseParameters choose_mechanism(const ReleaseParameters& request) {
  return request.mechanism == "auto" ? with(request, choice(request).mechanism) : request;
}

std::string why_chosen(const ReleaseParameters& request) {
  return request.mechanism == "auto" ? choice(request).why : "as asked for";
}

}  // namespace hushwalk
