#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "noise/random_source.h"

namespace hushwalk::testing {

// Hands out chosen words, to get to branches that chance would never find, then zeros.
class ReplayStream final : public RandomStream {
 public:
  explicit ReplayStream(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

  void fill(std::span<std::uint64_t> words) override {
    for (std::uint64_t& word : words) word = next_ < words_.size() ? words_[next_++] : 0;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
};

inline std::vector<std::uint64_t> take(RandomStream& stream, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words) word = stream.next_word();
  return words;
}

}  // namespace hushwalk::testing
