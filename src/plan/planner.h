// What a mechanism adds to a plan: public numbers in; noise, guarantee and work out. It cannot see a graph.
// To add one, write such a class in a file of its own and name it in mechanism_list.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hushwalk/plan.h"
#include "plan/mechanism_list.h"

namespace hushwalk {

// Which of the parameters that only some mechanisms have.
struct ParameterUse {
  bool eta = false, background = false, taper = false;
};

// Calls visit(name, use, parameter) for each of them, with pointers to its members in ParameterUse and in
// ReleaseParameters.
template <class Visit>
void each_use(const Visit& visit) {
  // Does not compile once there are more: visit those, too.
  [[maybe_unused]] const auto& [eta, background, taper] = ParameterUse{};
  visit("eta", &ParameterUse::eta, &ReleaseParameters::eta);
  visit("background", &ParameterUse::background, &ReleaseParameters::background);
  visit("taper", &ParameterUse::taper, &ReleaseParameters::taper);
}

// A request for which a pair of graphs comes close to the proven bound: what an audit aims at.
struct TightRequest {
  std::string setting;  // in words
  ReleaseParameters parameters;
  bool sampled = true;  // else it is too slow for many trials, and only compared
};

class Planner {
 public:
  virtual ~Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  virtual std::string name() const = 0;
  virtual ParameterUse uses() const = 0;
  virtual Artefact artefact() const { return Artefact::none; }

  // Adds lattice, noise and guarantee to a plan that has its facts and its parameters as they were asked for,
  // and replaces parameters that were left open by what they come to. Error{refused} when no proof covers it,
  // with what to use instead.
  virtual void complete(Plan& plan) const = 0;

  // See privacy_cost(). All that is known of a pure release is its epsilon.
  virtual PrivacyCost cost(const Plan& plan) const { return PrivacyCost::of(plan.parameters.epsilon); }

  virtual PlanWork work(const Plan& plan) const = 0;

  // The version of release arithmetic (mechanism/mechanism.h) that first gave the numbers it gives now.
  virtual int release_arithmetic(const Plan&) const { return 1; }

  // By what it ranks people who are not linked to the seed, in words: all that is known of its answers
  // without the graph.
  virtual std::string strangers_are_ranked_by(const Plan&) const { return "by what is released of them"; }
  // What only the released numbers decide about that, in words; empty where they decide nothing.
  virtual std::string released_numbers_decide(const Plan&) const { return ""; }

  // Whether ledgers know an artefact by its epsilon and taper alone, as they did when there was one kind.
  virtual bool has_short_artefact_key() const { return false; }

  // The theorems of proofs/ that say of one release of the plan what its guarantee says.
  virtual std::vector<std::string> machine_checked(const Plan&) const { return {}; }

  // `request` has mechanism, scope and epsilon.
  virtual std::vector<TightRequest> tight_requests(const ReleaseParameters& request) const {
    return {{"defaults", request}};
  }

  // What `tune` tries, from the simplest on: the request, which leaves all parameters open, with some of them
  // chosen.
  virtual std::vector<ReleaseParameters> variants(const ReleaseParameters& request) const {
    return {request};
  }

 protected:
  Planner() = default;
};

// Error{usage} naming those there are.
const Planner& find_planner(const std::string& mechanism);

// Those of `auto` are what it may hand on to its choice when several mechanisms are compared: not eta, which
// every mechanism that has one is then given, and by which `auto` would choose one of these.
ParameterUse parameter_use(const std::string& mechanism);
// Error{usage} when one is given that `has` has not: that is a misunderstanding, not something to ignore.
// `mechanisms` names those that `has` is of.
void check_uses(const ReleaseParameters& given, const ParameterUse& has, const std::string& mechanisms);

// For more rankings than these `auto` takes one artefact for all: a convention.
inline constexpr std::uint64_t many_rankings = 10;
// From this epsilon on `twohop` told more than popularity alone (`shared`) on every graph it was measured on;
// below, that depends on the graph.
inline constexpr double told_more_from = 1;

// The request with a mechanism in the place of `auto`. It sees scope, epsilon and how many rankings
// share the budget.
ReleaseParameters choose_mechanism(const ReleaseParameters& request);
// The same for one artefact that serves everybody.
ReleaseParameters choose_artefact(const ReleaseParameters& request);
// The reason of choose_mechanism(), in words; "as asked for" where the request names a mechanism.
std::string why_chosen(const ReleaseParameters& request);

// One from outside this repository; Error{usage} when the name is taken, or is none.
void add_planner(std::unique_ptr<Planner> planner);

// The planners of this repository.
#define HUSHWALK_DECLARED(name, code) std::unique_ptr<Planner> code##_planner();
HUSHWALK_MECHANISMS(HUSHWALK_DECLARED)
#undef HUSHWALK_DECLARED

// Where scores use what the recipient knows: Error{refused} in edge scope, and what the theorem then adds.
void check_own_links(const Plan& plan);
inline constexpr const char* own_links_words =
    "; the recipient's own links are added afterwards (docs/math/17-joint-dp.md)";

// The work of a release that keeps `arrays` numbers of eight bytes for each node, reads all edges in each of
// `steps` and draws noise in `noisy_steps` of them.
PlanWork array_work(const Plan& plan, double arrays, double steps = 1, double noisy_steps = 1);

}  // namespace hushwalk
