#pragma once

#include <string>

namespace hushwalk {

// 32 hex digits from the operating system: an id that says nothing about what it names. Error{failed} without
// randomness.
std::string random_id();

}  // namespace hushwalk
