// One step over all rows, in parallel: gather a block of rows into a small buffer, then finish the rows
// there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "diffusion/gather_sum.h"

namespace hushwalk {

struct RowBlock {
  Row first, last;
};

// All rows in blocks of at most `max_rows` rows and about `max_edges` edges: hubs come first, so blocks of
// equal rows would be of very unequal work.
inline std::vector<RowBlock> row_blocks(const Csr& csr, Row max_rows, std::uint64_t max_edges) {
  std::vector<RowBlock> blocks;
  const Row rows = static_cast<Row>(csr.rows());
  for (Row first = 0, last = 0; first < rows; first = last) {
    do ++last;
    while (last < rows && last - first < max_rows && csr.offsets[last + 1] - csr.offsets[first] <= max_edges);
    blocks.push_back({first, last});
  }
  return blocks;
}

// Sums of a block stay in the first-level cache until its epilogue has used them.
inline constexpr Row sums_per_block = 2048;
inline constexpr std::uint64_t loads_per_block = 1 << 16;

template <int lanes>
std::vector<RowBlock> row_blocks_for(const Csr& csr) {
  return row_blocks(csr, sums_per_block / lanes, loads_per_block / lanes);
}

// epilogue(block, sums) for every block, sums[(r - block.first) * lanes + l] as of gather_sum; it may
// overwrite them. Blocks run on any thread in any order; an epilogue writes to rows of its block only, and
// never to x.
template <class T, int lanes, class Epilogue>
void sweep(const Csr& csr, const std::vector<RowBlock>& blocks, const T* x, const Epilogue& epilogue) {
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    alignas(64) std::array<T, sums_per_block> sums;
    for (std::size_t i = begin; i < end; ++i) {
      gather_sum<T, lanes>(csr, x, blocks[i].first, blocks[i].last, sums.data());
      epilogue(blocks[i], sums.data());
    }
  });
}

}  // namespace hushwalk
