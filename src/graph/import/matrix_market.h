// Matrix Market coordinate files: a line per entry, nodes numbered from 1.
#pragma once

#include <cstdint>

#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"

namespace hushwalk {

struct MatrixMarketHeader {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;
  bool values = false;  // entries have one, which is ignored
};

bool starts_matrix_market(LineBlocks& lines);
MatrixMarketHeader read_matrix_market_header(LineBlocks& lines);
ParsedBlock parse_matrix_market(const LineBlock& block, const MatrixMarketHeader& header);

}  // namespace hushwalk
