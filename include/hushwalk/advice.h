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

// What `auto` would have taken, had it not been for the number of rankings.
struct OtherPlan {
  std::string mechanism;
  double total_epsilon = 0;  // what all rankings spend together by it
  std::string words;
};
// None when somebody chose the mechanism, or when many rankings alter nothing.
std::optional<OtherPlan> alternative_to(const Plan& plan, const ReleaseParameters& request);

// All that can be said before anything is spent.
struct PlannedAnswer {
  Plan plan;
  CertificateContext context;  // of the certificate that the answer would have
  std::optional<OtherPlan> alternative;
};

}  // namespace hushwalk
