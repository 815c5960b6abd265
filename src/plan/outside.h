#pragma once

#include <functional>
#include <memory>
#include <string>

#include "plan/planner.h"

namespace hushwalk {

// Plans for a mechanism from outside this repository.
using ReleasedBy = std::function<ReleasedNumbers(const PublicFacts&, const ReleaseParameters&)>;
std::unique_ptr<Planner> outside_planner(std::string name, std::string proof, ReleasedBy released);

}  // namespace hushwalk
