// Noise that is recorded on one graph and replayed on another, so that all that differs is the graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "noise/random_source.h"

namespace hushwalk::auditing {

// The words of every stream that was asked for, in the order in which they were handed out. A stream that is
// asked for twice has two entries.
using Words = std::map<std::uint64_t, std::vector<std::vector<std::uint64_t>>>;

// Words come from a tape while it has any, then from `fresh`; what was handed out is remembered.
class TapeSource final : public RandomSource {
 public:
  explicit TapeSource(const RandomSource& fresh, Words tape = {});
  ~TapeSource() override;

  std::unique_ptr<RandomStream> stream(std::uint64_t index) const override;

  // Once every stream is gone.
  Words used() const;

 private:
  struct Log;
  const RandomSource& fresh_;
  Words tape_;
  std::shared_ptr<Log> log_;
};

}  // namespace hushwalk::auditing
