// Which release belongs to which name.
#include <map>
#include <mutex>
#include <shared_mutex>

#include "base/fail.h"
#include "mechanism/mechanism.h"
#include "plan/planner.h"

namespace hushwalk {
namespace {

struct Registry {
  std::shared_mutex mutex;
  std::map<std::string, std::unique_ptr<Mechanism>> mechanisms;

  Registry() {
#define HUSHWALK_ADDED(name, code) mechanisms[name] = code##_mechanism();
    HUSHWALK_MECHANISMS(HUSHWALK_ADDED)
#undef HUSHWALK_ADDED
  }
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

namespace {

[[noreturn]] void fail_no_artefact(const Plan& plan) {
  fail_usage("{} has no artefact that can be kept", plan.parameters.mechanism);
}

}  // namespace

std::vector<std::int64_t> Mechanism::artefact(const Plan& plan, const Graph&, NoiseSource&,
                                              const Progress&) const {
  fail_no_artefact(plan);
}
void Mechanism::check_artefact(const Plan& plan, std::span<const std::int64_t>) const {
  fail_no_artefact(plan);
}
std::vector<PrivateScores> Mechanism::answers(const Plan& plan, std::span<const std::int64_t>, const Graph&,
                                              std::span<const SeedVector>) const {
  fail_no_artefact(plan);
}

std::unique_ptr<ArtefactAnswers> Mechanism::list(const Plan& plan, std::span<const std::int64_t>,
                                                 const Graph&, const Listing&) const {
  fail_no_artefact(plan);
}

const Mechanism& find_mechanism(const std::string& name) {
  const std::shared_lock lock(registry().mutex);
  const auto found = registry().mechanisms.find(name);
  if (found == registry().mechanisms.end()) fail_usage("there is no mechanism '{}'", name);
  return *found->second;
}

std::vector<MechanismKind> mechanism_kinds() {
  std::vector<MechanismKind> kinds;
  for (const std::string& name : mechanism_names()) {
    const Planner& planner = find_planner(name);
    const auto [eta, background, taper] = planner.uses();
    kinds.push_back({name, eta, background, taper, planner.artefact()});
  }
  return kinds;
}

void replace_mechanisms(
    const std::function<std::unique_ptr<Mechanism>(const std::string&, std::unique_ptr<Mechanism>)>& by) {
  const std::unique_lock lock(registry().mutex);
  for (auto& [name, mechanism] : registry().mechanisms) mechanism = by(name, std::move(mechanism));
}

void add_mechanism(const std::string& name, std::unique_ptr<Mechanism> mechanism) {
  const std::unique_lock lock(registry().mutex);
  registry().mechanisms[name] = std::move(mechanism);
}

}  // namespace hushwalk
