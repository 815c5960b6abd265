// Plans as a ledger charges them.
#pragma once

#include <memory>
#include <string>

#include "hushwalk/plan.h"
#include "ledger/books.h"

namespace hushwalk::ledger {

// A plan with what is made of it.
struct KnownPlan {
  ReleaseParameters asked;  // those that were left open are filled in in the plan
  Plan plan;
  Json document, cost;
  Drawn drawn;         // the cost in numbers
  int arithmetic;      // the version of release arithmetic
  std::string digest;  // of both
};

// The plan of one ranking of a release; `before` again where it is the same, since most releases of a ledger
// are of one plan.
std::shared_ptr<const KnownPlan> plan_to_charge(const PublicFacts& graph, const ReleaseParameters& release,
                                                const Terms& terms, std::shared_ptr<const KnownPlan> before);

// What one ranking of a plan, with its privacy_cost(), adds to the accounts.
Drawn cost_of(const Plan& plan, const PrivacyCost& cost, const Terms& terms);

}  // namespace hushwalk::ledger
