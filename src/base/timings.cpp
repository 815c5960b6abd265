#include "hushwalk/timings.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/phase.h"

namespace hushwalk {
namespace {

struct Record {
  std::atomic<bool> wanted = false;
  std::mutex mutex;
  std::vector<PhaseTime> phases;

  // Phases are few.
  PhaseTime& of(const char* name) {
    const auto found = std::ranges::find(phases, name, &PhaseTime::name);
    return found != phases.end() ? *found : phases.emplace_back(PhaseTime{.name = name});
  }
};

Record& record() {
  static Record one;
  return one;
}

thread_local Phase* innermost = nullptr;

}  // namespace

Phase::Phase(const char* name) noexcept {
  if (!record().wanted.load(std::memory_order_relaxed)) return;
  name_ = name;
  resumed_ = Clock::now();
  around_ = innermost;
  if (around_) around_->pause(resumed_);
  innermost = this;
  const std::scoped_lock lock(record().mutex);
  ++record().of(name).times;
}

Phase::~Phase() {
  if (!name_) return;
  const Clock::time_point now = Clock::now();
  pause(now);
  innermost = around_;
  if (around_) around_->resumed_ = now;
  const std::scoped_lock lock(record().mutex);
  record().of(name_).seconds += std::chrono::duration<double>(spent_).count();
}

void record_timings() { record().wanted = true; }

std::vector<PhaseTime> recorded_timings() {
  const std::scoped_lock lock(record().mutex);
  return record().phases;
}

}  // namespace hushwalk
