// METIS graphs: line v lists the neighbours of node v, so every edge stands twice. It is taken from the line
// of its smaller end; that it also stands at the other end is checked by a sum of hashes.
#pragma once

#include <cstdint>

#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"

namespace hushwalk {

struct MetisHeader {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t numbers_per_node = 0;  // size and weights in front of the neighbours
  bool edge_weights = false;
};

MetisHeader read_metis_header(LineBlocks& lines);
ParsedBlock parse_metis(const LineBlock& block, const MetisHeader& header);

}  // namespace hushwalk
