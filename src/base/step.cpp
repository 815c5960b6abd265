#include "hushwalk/step.h"

#include "base/fail.h"

namespace hushwalk {

std::string name(Scope scope) { return scope == Scope::edge ? "edge" : "personalized"; }

Scope scope_named(std::string_view name) {
  if (name == "edge") return Scope::edge;
  if (name == "personalized") return Scope::personalized;
  fail_usage("there is no scope '{}'; choose from: personalized edge", name);
}

}  // namespace hushwalk
