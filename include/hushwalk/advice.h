// What somebody should know of a plan before they rely on it. Sees public numbers only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hushwalk/certificate.h"
#include "hushwalk/plan.h"

namespace hushwalk {

// Where a promise is weak or a parameter has no effect, a sentence each.
std::vector<std::string> weak_points(const Plan& plan);

// What to expect of answers by the plan, as far as it is known without the graph: a sentence.
std::string expected_of(const Plan& plan);

// Another way to the same answers, and its price.
struct OtherPlan {
  std::string mechanism;
  double total_epsilon = 0;  // what all rankings spend together by it
  std::string words;
};
// What `auto` would have taken for one ranking. None when somebody chose the mechanism, when many rankings
// alter nothing, or where the other would be refused.
std::optional<OtherPlan> alternative_for_few(const Plan& plan, const ReleaseParameters& request);
// The same, or else what is worth a thought: one artefact in the place of noise for each of several rankings;
// for one ranking, at the same price, `twohop` in the place of an artefact that was named, and `frontier` in
// the place of `twohop`, each only where it was measured. None where no other is sensible
// or it would be refused, or where a parameter that only some mechanisms have was asked for.
std::optional<OtherPlan> alternative_to(const Plan& plan, const ReleaseParameters& request);

// All that can be said before anything is spent.
struct PlannedAnswer {
  Plan plan;
  CertificateContext context;  // of the certificate that the answer would have
  std::optional<OtherPlan> alternative;
  std::string why;      // this mechanism
  std::string expects;  // see expected_of()
};

}  // namespace hushwalk
