#include "graph/generate/alias_table.h"

#include <numeric>

#include "graph/generate/counter_random.h"

namespace hushwalk {

AliasTable::AliasTable(std::span<const double> weights) : slots_(weights.size()) {
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<double> share(weights.size());
  std::vector<std::uint32_t> poor, rich;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    slots_[i] = {.keep = UINT32_MAX, .other = i};
    share[i] = weights[i] / mean;
    (share[i] < 1 ? poor : rich).push_back(i);
  }
  // Every poor slot is topped up by one rich item. What rounding leaves over keeps its whole slot.
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t small = poor.back(), large = rich.back();
    poor.pop_back();
    slots_[small] = {.keep = static_cast<std::uint32_t>(share[small] * 0x1p32), .other = large};
    share[large] -= 1 - share[small];
    if (share[large] < 1) {
      rich.pop_back();
      poor.push_back(large);
    }
  }
}

std::uint32_t AliasTable::pick(std::uint64_t word) const noexcept {
  const Uint128 scaled = Uint128{word} * slots_.size();
  const auto slot = static_cast<std::uint32_t>(scaled >> 64);
  const auto fraction = static_cast<std::uint32_t>(static_cast<std::uint64_t>(scaled) >> 32);
  return fraction < slots_[slot].keep ? slot : slots_[slot].other;
}

}  // namespace hushwalk
