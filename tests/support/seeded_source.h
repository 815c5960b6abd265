// Random words that repeat themselves: for tests of samplers, in a target (hushwalk_seeded) that nothing but
// tests links. tests/unit/noise/seeded_source_test.py proves it.
#pragma once

#include <cstdint>
#include <memory>

#include "noise/random_source.h"

namespace hushwalk::testing {

class SeededSource {
 public:
  explicit SeededSource(std::uint64_t seed) : seed_(seed) {}
  std::unique_ptr<RandomStream> stream(std::uint64_t index) const;

 private:
  std::uint64_t seed_;
};

}  // namespace hushwalk::testing
