// Where the time goes.
#include "hushwalk/timings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/phase.h"

namespace hushwalk {
namespace {

PhaseTime found(const std::string& name) {
  const std::vector<PhaseTime> all = recorded_timings();
  const auto one = std::ranges::find(all, name, &PhaseTime::name);
  return one == all.end() ? PhaseTime{} : *one;
}

// One test: recording does not end.
TEST(Timings, AreThoseOfAPhaseWithoutPhasesWithinIt) {
  {
    const Phase before("before anybody records");
  }
  record_timings();
  constexpr std::chrono::milliseconds some(20);
  const auto begun = std::chrono::steady_clock::now();
  {
    const Phase outer("outer");
    for (int i = 0; i < 3; ++i) {
      const Phase inner("inner");
      std::this_thread::sleep_for(some);
    }
    std::jthread([&] {
      const Phase beside("on another thread");
      std::this_thread::sleep_for(some);
    }).join();
  }
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  EXPECT_LE(found("outer").seconds + found("inner").seconds, elapsed);  // neither has the time of the other
  EXPECT_EQ(found("before anybody records").times, 0U);
  EXPECT_EQ(found("outer").times, 1U);
  EXPECT_EQ(found("inner").times, 3U);
  EXPECT_GE(found("inner").seconds, 0.06);
  EXPECT_GE(found("outer").seconds, 0.02);  // it waited for the thread
  EXPECT_GE(found("on another thread").seconds, 0.02);
  EXPECT_EQ(recorded_timings().front().name, "outer");
}

}  // namespace
}  // namespace hushwalk
