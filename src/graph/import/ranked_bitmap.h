// A set of small integers that can tell how many of its members are below a given one.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace hushwalk {

class RankedBitmap {
 public:
  explicit RankedBitmap(std::uint64_t limit)
      : words_(limit / 64 + 1), below_(words_.size() + 1) {}  // members < limit

  // Any thread may insert, until finish.
  void insert(std::uint32_t member) {
    const std::uint64_t bit = std::uint64_t{1} << (member % 64);
    std::atomic<std::uint64_t>& word = words_[member / 64];
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  void finish() {
    for (std::size_t i = 0; i < words_.size(); ++i)
      below_[i + 1] =
          below_[i] + static_cast<std::uint32_t>(std::popcount(words_[i].load(std::memory_order_relaxed)));
  }

  // After finish:
  std::uint32_t rank(std::uint32_t member) const {
    const std::uint64_t lower =
        words_[member / 64].load(std::memory_order_relaxed) & ((std::uint64_t{1} << (member % 64)) - 1);
    return below_[member / 64] + static_cast<std::uint32_t>(std::popcount(lower));
  }
  std::vector<std::int64_t> members() const {
    std::vector<std::int64_t> result;
    result.reserve(below_.back());
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        result.push_back(static_cast<std::int64_t>(64 * i) + std::countr_zero(word));
    return result;
  }

 private:
  std::vector<std::atomic<std::uint64_t>> words_;
  std::vector<std::uint32_t> below_;  // members below each word
};

}  // namespace hushwalk
