// Texts that several processes make one graph of: the file has the bytes that one machine writes for all
// texts one after the other, but for the random id of the graph.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/json.h"
#include "distributed/job.h"
#include "distributed/number_ids.h"
#include "distributed/rows_of_edges.h"
#include "distributed/write_parts.h"
#include "graph/graph_content.h"
#include "graph/import/collect.h"
#include "hushwalk/import.h"

namespace hushwalk {

// What all processes are to do, but for the node list, which may be large. Made by the first.
struct ImportTask {
  TextParts parts;
  ImportOptions options;
  ListStart start = {};
  std::vector<std::size_t> reader = {};  // which process reads which text

  // Opens texts until one says something, and returns that one.
  std::unique_ptr<LineBlocks> begin(std::size_t processes);
  Json json() const;
  static ImportTask from(const Json& json);
};

// What one process has of the graph. All calls are exchanges.
class ImportedPart {
 public:
  // `begun`, in the first process, is the text in which the list starts. Error in all processes, the one that
  // a single process would meet first.
  ImportedPart(const Job& job, ImportTask task, std::unique_ptr<LineBlocks> begun, const Progress& progress);

  const ImportReport& report() const noexcept { return report_; }
  std::uint64_t nodes() const noexcept { return ids_.nodes; }

  GraphShape shape(const PublicFacts& facts) const;  // of the file

  // Writes all but the header, which the first process gives: to it, the digests of all pieces.
  std::vector<Sha256> save(const OpenedAs& file, graph_file::Header header) const;

 private:
  Collected collect(const ImportTask& task, std::unique_ptr<LineBlocks> begun, const Progress& progress);
  std::vector<std::uint64_t> sorted_edges(EdgeHeap heap);
  SectionParts sections() const;

  const Job& job_;
  ImportReport report_;
  NumberedIds ids_;
  RowParts rows_;
  std::array<std::uint64_t, graph_file::sections> sizes_;
};

}  // namespace hushwalk
