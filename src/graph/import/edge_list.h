// Edge lists: two ids a line.
#pragma once

#include <atomic>

#include "graph/import/edge_line.h"
#include "graph/import/interner.h"
#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"
#include "hushwalk/graph.h"

namespace hushwalk {

// Where ids go. With a list, edges are its nodes at once; without, they are small numbers as long as all ids
// are such, and handles of the interner in every block where one is not.
struct IdSpace {
  const NodeList* list = nullptr;
  Interner* interner = nullptr;
  LineLayout layout = {};
  std::atomic<bool> prefer_interner = false;  // a hint: blocks so far were not all small numbers
};

ParsedBlock parse_edge_list(const LineBlock& block, IdSpace& ids);

}  // namespace hushwalk
