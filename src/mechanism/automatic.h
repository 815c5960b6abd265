// What `auto` stands for.
#pragma once

#include "hushwalk/mechanism.h"

namespace hushwalk {

// The request with a mechanism in place of `auto`. It sees scope, epsilon and how many rankings share the
// budget.
ReleaseRequest choose_mechanism(const ReleaseRequest& request);

}  // namespace hushwalk
