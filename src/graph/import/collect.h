// From the lines of a text to nodes and a heap of edges: what every format's reader hands to build_csr.
#pragma once

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "graph/import/edge_heap.h"
#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"
#include "hushwalk/import.h"

namespace hushwalk {

struct Collected {
  NodeList nodes;
  EdgeHeap edges;
  ImportReport report;
};

// Parses all blocks side by side and gives the results to `sink` in order.
template <class Parse, class Sink>
void for_each_block(LineBlocks& lines, const Progress& progress, const Parse& parse, const Sink& sink) {
  parallel_pipeline(
      [&] {
        std::optional<LineBlock> block = lines.next();
        if (progress) progress("reading", lines.fraction());
        return block;
      },
      [&](const LineBlock& block) { return parse(block); },
      [&](ParsedBlock block) {
        if (block.fatal) fail_at(lines.name(), *block.fatal);
        sink(std::move(block));
      });
}

// Reads the rest of `lines` as an edge list.
Collected collect_edge_list(LineBlocks& lines, const ImportOptions& options, const Progress& progress);

}  // namespace hushwalk
