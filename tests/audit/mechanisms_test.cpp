// Every mechanism against every attack. HUSHWALK_AUDIT_TRIALS chooses how many releases an attack sees (make
// test-slow: a million).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "hushwalk/audit.h"
#include "hushwalk/error.h"
#include "support/sanitized.h"

namespace hushwalk {
namespace {

constexpr double ALPHA = 1e-6;  // that a sound mechanism is called violated

constexpr std::uint64_t usual_trials = testing::sanitized ? 2000 : 100'000;
constexpr std::uint64_t enough_trials = 100'000;  // for a bound that means something

std::uint64_t trials() {
  const char* const given = std::getenv("HUSHWALK_AUDIT_TRIALS");
  return given != nullptr ? std::stoull(given) : usual_trials;
}

struct Attacked {
  std::string mechanism;
  Scope scope;
  bool tight;  // its proof leaves nothing over
};

class Mechanisms : public ::testing::TestWithParam<Attacked> {};
class Climbs : public ::testing::TestWithParam<Attacked> {};

std::string name_of(const ::testing::TestParamInfo<Attacked>& tested) {
  std::string name = tested.param.mechanism + (tested.param.scope == Scope::edge ? "Edge" : "Personalized");
  std::erase(name, '+');
  return name;
}

TEST_P(Mechanisms, StandsAllAttacks) {
  const auto& [mechanism, scope, tight] = GetParam();
  AuditRequest request;
  request.release.mechanism = mechanism;
  request.release.scope = scope;
  request.trials = trials();
  request.confidence = 1 - ALPHA;
  const AuditReport report = audit(request);
  for (const std::string& finding : report.findings) ADD_FAILURE() << finding;
  EXPECT_EQ(report.verdict(), "consistent");
  EXPECT_LE(report.epsilon_lower_bound, 1);
  EXPECT_LE(report.worst_sensitivity_ratio, 1 + 1e-9);
  // An audit that sees less would mean nothing.
  EXPECT_GE(report.worst_sensitivity_ratio, 0.95);
  if (trials() >= enough_trials) {
    EXPECT_GE(report.epsilon_lower_bound, tight ? 0.8 : 0.3);
  }
}

TEST_P(Climbs, NoneExceedsTheProvenBound) {
  AuditRequest request;
  request.release.mechanism = GetParam().mechanism;
  request.release.scope = GetParam().scope;
  request.trials = 0;
  request.sensitivity = true;
  request.climb_steps = trials() / 50;
  for (const double epsilon : {0.05, 1.0}) {
    request.release.epsilon = Epsilon(epsilon);
    const AuditReport report = audit(request);
    for (const std::string& finding : report.findings) ADD_FAILURE() << finding;
    EXPECT_GE(report.worst_sensitivity_ratio, 0.95);
    EXPECT_LE(report.worst_sensitivity_ratio, 1 + 1e-9);
  }
}

// Two draws hide what one would show: `paper` is not tight at a single step.
const auto all = ::testing::Values(
    Attacked{"twohop", Scope::personalized, true}, Attacked{"frontier", Scope::personalized, true},
    Attacked{"shared", Scope::personalized, true}, Attacked{"shared", Scope::edge, true},
    Attacked{"output", Scope::personalized, true}, Attacked{"output", Scope::edge, true},
    Attacked{"paper", Scope::personalized, false}, Attacked{"paper", Scope::edge, false},
    Attacked{"pushflow", Scope::personalized, true}, Attacked{"pushflow", Scope::edge, true},
    Attacked{"circles", Scope::personalized, true}, Attacked{"circles", Scope::edge, true},
    Attacked{"edgeflip", Scope::personalized, true}, Attacked{"edgeflip", Scope::edge, true});
INSTANTIATE_TEST_SUITE_P(Audit, Mechanisms, all, name_of);
INSTANTIATE_TEST_SUITE_P(Audit, Climbs, all, name_of);
// The numbers are those of the others, the scores are not.
INSTANTIATE_TEST_SUITE_P(AuditOfOwnLinks, Climbs,
                         ::testing::Values(Attacked{"pushflow+own", Scope::personalized, true},
                                           Attacked{"edgeflip+own", Scope::personalized, true}),
                         name_of);

TEST(Audit, RefusesWhatMakesNoSense) {
  AuditRequest request;
  request.trials = 10;
  request.confidence = 1;
  EXPECT_THROW(audit(request), Error);
  request.confidence = 0.9;
  request.release.mechanism = "nonsense";
  EXPECT_THROW(audit(request), Error);
  request.release.mechanism = "twohop";
  request.release.scope = Scope::edge;
  EXPECT_THROW(audit(request), Error);
}

}  // namespace
}  // namespace hushwalk
