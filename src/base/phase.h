#pragma once

#include <chrono>

namespace hushwalk {

// What a thread is doing while this lives (hushwalk/timings.h); the time of a phase within it is not its own.
// Costs next to nothing when nobody records.
class Phase {
 public:
  explicit Phase(const char* name) noexcept;  // a literal
  ~Phase();
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  void pause(Clock::time_point now) noexcept { spent_ += now - resumed_; }

  const char* name_ = nullptr;  // null: nobody records
  Phase* around_ = nullptr;
  Clock::time_point resumed_{};
  Clock::duration spent_{};
};

}  // namespace hushwalk
