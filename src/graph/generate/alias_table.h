// Weighted choice in constant time (Walker 1977, built as in Vose 1991), eight bytes per item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hushwalk {

class AliasTable {
 public:
  // Weights must be positive and at most 2^32 of them; their scale does not matter.
  explicit AliasTable(std::span<const double> weights);

  // An index, from one random word.
  std::uint32_t pick(std::uint64_t word) const noexcept;

 private:
  struct Slot {
    std::uint32_t keep;  // share of the slot that is its own, in units of 2^-32
    std::uint32_t other;
  };
  std::vector<Slot> slots_;
};

}  // namespace hushwalk
