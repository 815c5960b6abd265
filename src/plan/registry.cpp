// Every mechanism that can be planned, in the order to show them.
#include <fmt/ranges.h>

#include <mutex>
#include <shared_mutex>

#include "base/fail.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

struct Registry {
  std::shared_mutex mutex;
  std::vector<std::unique_ptr<Planner>> planners;

  Registry() {
#define HUSHWALK_ADDED(name, code) add(name, code##_planner());
    HUSHWALK_MECHANISMS(HUSHWALK_ADDED)
#undef HUSHWALK_ADDED
  }
  void add(const char* name, std::unique_ptr<Planner> planner) {
    if (planner->name() != name) fail("the planner of '{}' is called '{}'", name, planner->name());
    planners.push_back(std::move(planner));
  }

  const Planner* find(const std::string& name) const {
    for (const auto& planner : planners)
      if (planner->name() == name) return planner.get();
    return nullptr;
  }
};

Registry& registry() {
  static Registry all;
  return all;
}

std::vector<std::string> names_where(const auto& chosen) {
  const std::shared_lock lock(registry().mutex);
  std::vector<std::string> names;
  for (const auto& planner : registry().planners)
    if (chosen(*planner)) names.push_back(planner->name());
  return names;
}

}  // namespace

std::vector<std::string> mechanism_names() {
  return names_where([](const Planner&) { return true; });
}

const Planner& find_planner(const std::string& mechanism) {
  {
    const std::shared_lock lock(registry().mutex);
    if (const Planner* const found = registry().find(mechanism)) return *found;
  }
  fail_usage("there is no mechanism '{}'; choose from: auto {}", mechanism,
             fmt::join(mechanism_names(), " "));
}

void add_planner(std::unique_ptr<Planner> planner) {
  const std::string name = planner->name();
  const bool plain =
      !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-_") == std::string::npos;
  if (!plain) fail_usage("a mechanism's name has small letters, digits, +, - and _ only, not '{}'", name);
  const std::unique_lock lock(registry().mutex);
  if (name == "auto" || name == "exact" || name == "free" || registry().find(name) != nullptr)
    fail_usage("there is a mechanism '{}' already", name);
  registry().planners.push_back(std::move(planner));
}

ParameterUse parameter_use(const std::string& mechanism) {
  if (mechanism == "auto") return {.background = true, .taper = true};
  return find_planner(mechanism).uses();
}

void check_uses(const ReleaseParameters& given, const ParameterUse& has, const std::string& mechanisms) {
  each_use([&](const char* name, auto use, auto parameter) {
    if (!(given.*parameter) || has.*use) return;
    const auto others = names_where([&](const Planner& planner) { return planner.uses().*use; });
    fail_usage("`{}` goes with {}, not with {}", name, fmt::join(others, ", "), mechanisms);
  });
}

}  // namespace hushwalk
