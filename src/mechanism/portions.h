// How many answers are held in memory at a time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hushwalk {

// Portions of about 256 MB; `columns` are numbers of eight bytes for each node and answer.
inline std::size_t portion_size(std::uint64_t nodes, std::uint64_t columns) {
  const std::uint64_t fit =
      (std::uint64_t{1} << 28) / (columns * sizeof(double) * std::max<std::uint64_t>(nodes, 1));
  return std::clamp<std::uint64_t>(fit, 1, 1024);
}

}  // namespace hushwalk
