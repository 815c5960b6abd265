#include "hushwalk/import.h"

#include <unistd.h>

#include <array>
#include <span>
#include <string>
#include <utility>

#include "base/fail.h"
#include "base/files.h"
#include "graph/build_csr.h"
#include "graph/graph_file.h"
#include "graph/graph_impl.h"
#include "graph/import/collect.h"
#include "graph/import/matrix_market.h"
#include "graph/import/metis.h"

namespace hushwalk {
namespace {

// --- formats with numbered nodes ---------------------------------------------------------------------------

void refuse_edge_list_options(const ImportOptions& options, std::string_view format) {
  const char* const flag = options.nodes                ? "--nodes"
                           : options.header             ? "--header"
                           : options.string_ids         ? "--string-ids"
                           : options.skip_bad_lines > 0 ? "--skip-bad-lines"
                                                        : nullptr;
  if (flag != nullptr)
    fail_usage("{} goes with edge lists; a {} file has its own header and nodes 1..n", flag, format);
}

EdgePieces collect_pieces(LineBlocks& lines, const Progress& progress, const auto& parse) {
  EdgePieces pieces;
  for_each_block(lines, progress, parse,
                 [&](ParsedBlock block) { pieces.push_back(std::move(block.edges)); });
  return pieces;
}

std::uint64_t count_edges(const EdgePieces& pieces) {
  std::uint64_t count = 0;
  for (const auto& piece : pieces) count += piece.size();
  return count;
}

Collected read_matrix_market(LineBlocks& lines, const ImportOptions& options, const Progress& progress) {
  refuse_edge_list_options(options, "Matrix Market");
  const MatrixMarketHeader header = read_matrix_market_header(lines);
  Collected collected{
      .nodes = {},
      .pieces = collect_pieces(lines, progress,
                               [&](const LineBlock& block) { return parse_matrix_market(block, header); }),
      .report = {}};
  const std::uint64_t entries = count_edges(collected.pieces);
  if (entries != header.entries)
    fail("{} holds {} entries but its size line promises {}: it is truncated or damaged", lines.name(),
         entries, header.entries);
  collected.nodes = NodeList::range(1, header.nodes);
  return collected;
}

// The edges a METIS file promises are compared with those it has after the rows have been built.
Collected read_metis(LineBlocks& lines, const ImportOptions& options, const Progress& progress,
                     MetisHeader& header) {
  refuse_edge_list_options(options, "METIS");
  header = read_metis_header(lines);
  Collected collected{
      .nodes = {},
      .pieces =
          collect_pieces(lines, progress, [&](const LineBlock& block) { return parse_metis(block, header); }),
      .report = {}};
  collected.nodes = NodeList::range(1, header.nodes);
  return collected;
}

// Every edge stands in two lines; only what is beyond that is a duplicate.
void check_metis(const MetisHeader& header, const std::string& name, ImportReport& report) {
  if (report.duplicates < report.edges)
    fail("{} is not symmetric: an edge must stand in the lines of both its ends", name);
  report.duplicates -= report.edges;
  report.lines -= report.edges;
  if (report.edges != header.edges)
    fail("{} holds {} edges but its header promises {}: it is truncated or damaged", name, report.edges,
         header.edges);
}

TextFormat detect_format(LineBlocks& lines, const std::filesystem::path& path) {
  if (starts_matrix_market(lines)) return TextFormat::matrix_market;
  std::filesystem::path name = path;
  for (const char* ending : {".gz", ".zst", ".xz"})
    if (name.extension() == ending) name.replace_extension();
  const bool metis = name.extension() == ".graph" || name.extension() == ".metis";
  return metis ? TextFormat::metis : TextFormat::edge_list;
}

}  // namespace

Import import_graph(const std::filesystem::path& path, const ImportOptions& options,
                    const Progress& progress) {
  LineBlocks lines(path);
  const TextFormat format =
      options.format == TextFormat::automatic ? detect_format(lines, path) : options.format;
  MetisHeader metis;
  Collected collected = format == TextFormat::matrix_market ? read_matrix_market(lines, options, progress)
                        : format == TextFormat::metis       ? read_metis(lines, options, progress, metis)
                                                            : collect_edge_list(lines, options, progress);
  ImportReport& report = collected.report;
  report.lines = count_edges(collected.pieces);
  BuiltCsr built = build_csr(collected.nodes.size(), std::move(collected.pieces), progress);
  report.edges = built.csr.neighbors.size() / 2;
  report.self_loops = built.self_loops;
  report.duplicates = built.duplicates;
  if (format == TextFormat::metis) check_metis(metis, lines.name(), report);
  if (report.edges == 0)
    fail("{} has no edge{}", lines.name(),
         report.self_loops > 0 ? " but self-loops" : "; an edge list has two ids on each line");
  GraphFacts facts =
      make_facts(collected.nodes.size(), report.edges, options.max_edges, options.nodes.has_value());
  return {GraphAccess::make(std::move(facts), std::move(collected.nodes), std::move(built.csr)),
          std::move(report)};
}

Graph open_graph(const std::filesystem::path& path, const Progress& progress) {
  std::error_code none;  // a missing file shows when it is opened
  if (path != "-" && std::filesystem::is_regular_file(path, none)) {  // a pipe can be read only once
    std::array<char, 8> start{};
    const FileHandle file = open_for_reading(path);
    const ssize_t got = pread(file.get(), start.data(), start.size(), 0);
    if (got == std::ssize(start) && looks_like_graph_file(std::as_bytes(std::span(start))))
      return Graph::open(path);
  }
  return import_graph(path, {}, progress).graph;
}

}  // namespace hushwalk
