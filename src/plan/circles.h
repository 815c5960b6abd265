// What the plan and the release of `circles` agree on.
#pragma once

#include "hushwalk/plan.h"

namespace hushwalk {

// Rows of links; else it is `shared`.
bool releases_rows(const ReleaseParameters& parameters);

}  // namespace hushwalk
