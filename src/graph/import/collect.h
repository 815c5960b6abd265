// From the lines of a text to nodes and a heap of edges: what every format's reader hands to build_csr.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "graph/import/edge_header.h"
#include "graph/import/edge_heap.h"
#include "graph/import/edge_list.h"
#include "graph/import/line_blocks.h"
#include "graph/import/parsed_block.h"
#include "graph/import/text_parts.h"
#include "hushwalk/import.h"

namespace hushwalk {

struct Collected {
  NodeList nodes = {};
  EdgeHeap edges = EdgeHeap();
  ImportReport report = {};
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

// --- edge lists --------------------------------------------------------------------------------------------

// Where a list begins that may stand in several texts.
struct ListStart {
  std::size_t part = 0;  // texts before it say nothing
  EdgeHeader header = {};
  std::vector<std::string> notices = {};
};

// What the texts of a list say besides edges. What several processes have read of it adds up.
struct ListSummary {
  struct BadLines {
    std::size_t part;
    std::uint64_t count;
  };
  struct FirstBlock {
    std::size_t part;
    bool first_column_counts;
  };
  struct Failure {  // what reading a text ended in
    std::size_t part;
    int code;
    std::string message, for_custodian;
  };

  std::uint64_t edges = 0;         // lines that name one
  std::uint64_t wide_lines = 0;    // with more than two columns
  std::uint64_t headers = 0;       // texts that start with the header of the first
  std::vector<BadLines> bad = {};  // by block, in the order of the texts
  std::optional<LineNote> first_bad = {}, first_huge = {};
  std::optional<FirstBlock> first_block = {};
  std::optional<Failure> failure = {};
  bool all_integers = true;

  void add(const ParsedBlock& block, std::size_t part);
  void add(const ListSummary& others);
  std::uint64_t bad_lines() const;
};

// Reads texts of an edge list, all of them or those of one process. Not for sharing among threads.
class EdgeListReader {
 public:
  EdgeListReader(const TextParts& parts, const ImportOptions& options, ListStart start);

  // The rest of a text, in the order of the texts. A header like that of the first text is skipped. Error
  // {failed} for a line that cannot be passed over.
  void read(LineBlocks& lines, const Progress& progress);
  // What that throws is kept in the summary; false then, and nothing more needs to be read. Opens the text,
  // unless `begun` is it.
  bool try_to_read(std::size_t part, std::unique_ptr<LineBlocks> begun, const Progress& progress);

  const ListSummary& summary() const noexcept { return summary_; }
  // Error as one process would have met it first that reads all texts in their order.
  void check(const ListSummary& all) const;

  // What was read here, numbered, when all texts say `all`. The first line, if it is an edge, is added where
  // `has_first_line`.
  Collected finish(const ListSummary& all, bool has_first_line);

 private:
  void check_bad_lines(std::uint64_t so_far, const std::optional<LineNote>& first_bad) const;
  bool first_line_is_edge(const ListSummary& all);
  void add_first_line(std::uint64_t times);
  void tell(const ListSummary& all);
  NodeList number();

  const TextParts& parts_;
  const ImportOptions& options_;
  ListStart start_;
  std::unique_ptr<Interner> interner_;
  IdSpace ids_;
  EdgeHeap edges_;
  ListSummary summary_;
  std::uint32_t largest_ = 0;
  bool any_interned_ = false;
  std::uint64_t bad_lines_ = 0;
  ImportReport report_;
};

// Opens texts until one says something; `lines` is the first of them. Returns the one in which the list
// begins, behind its header.
std::unique_ptr<LineBlocks> find_start(const TextParts& parts, std::unique_ptr<LineBlocks> lines,
                                       const ImportOptions& options, ListStart& start);

// Reads all texts as one edge list; `lines` is the first of them.
Collected collect_edge_list(const TextParts& parts, std::unique_ptr<LineBlocks> lines,
                            const ImportOptions& options, const Progress& progress);

// Error{failed} when there are none, unless a public node list says that the nodes are there.
void check_has_edges(const ImportReport& report, const TextParts& parts, const ImportOptions& options);

}  // namespace hushwalk
