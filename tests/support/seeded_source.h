// A random source that repeats itself: for tests, in a target (hushwalk_seeded) that nothing but tests links.
// tests/unit/noise/seeded_source_test.py proves it.
#pragma once

#include <cstdint>
#include <memory>

#include "noise/random_source.h"

namespace hushwalk::testing {

class SeededSource final : public RandomSource {
 public:
  explicit SeededSource(std::uint64_t seed) : seed_(seed) {}
  std::unique_ptr<RandomStream> stream(std::uint64_t index) const override;

 private:
  std::uint64_t seed_;
};

}  // namespace hushwalk::testing
