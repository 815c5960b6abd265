#include "hushwalk/import.h"

#include <cctype>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "graph/build_csr.h"
#include "graph/graph_file.h"
#include "graph/graph_impl.h"
#include "graph/import/collect.h"
#include "graph/import/matrix_market.h"
#include "graph/import/metis.h"
#include "graph/import/text_parts.h"
#include "hushwalk/graph_notes.h"

namespace hushwalk {
namespace {

// --- formats with numbered nodes ---------------------------------------------------------------------------

void refuse_edge_list_options(const ImportOptions& options, std::string_view reason) {
  const char* const option = options.nodes                ? "`nodes`"
                             : options.header             ? "`header`"
                             : options.delimiter          ? "`delimiter`"
                             : options.columns            ? "`columns`"
                             : options.string_ids         ? "`string_ids`"
                             : options.skip_bad_lines > 0 ? "`skip_bad_lines`"
                                                          : nullptr;
  if (option != nullptr) fail_usage("{} goes with edge lists; {}", option, reason);
}

const char* const ignored_weights = "ignored the weights in the file";

Collected read_matrix_market(LineBlocks& lines, const ImportOptions& options, const Progress& progress) {
  refuse_edge_list_options(options, "a Matrix Market file has its own header and nodes 1..n");
  const MatrixMarketHeader header = read_matrix_market_header(lines);
  Collected collected;
  for_each_block(
      lines, progress, [&](const LineBlock& block) { return parse_matrix_market(block, header); },
      [&](ParsedBlock block) { collected.edges.add(std::move(block.edges)); });
  const std::uint64_t entries = collected.edges.added();
  if (entries != header.entries)
    fail("{} holds {} entries but its size line promises {}: it is truncated or damaged", lines.name(),
         entries, header.entries);
  if (header.values) collected.report.notices.emplace_back(ignored_weights);
  collected.nodes = NodeList::range(1, header.nodes);
  return collected;
}

Collected read_metis(LineBlocks& lines, const ImportOptions& options, const Progress& progress) {
  refuse_edge_list_options(options, "a METIS file has its own header and nodes 1..n");
  const MetisHeader header = read_metis_header(lines);
  Collected collected;
  std::uint64_t balance = 0;
  for_each_block(
      lines, progress, [&](const LineBlock& block) { return parse_metis(block, header); },
      [&](ParsedBlock block) {
        balance += block.balance;
        collected.edges.add(std::move(block.edges));
      });
  if (balance != 0)
    fail("{} is not symmetric: an edge must stand in the lines of both its ends", lines.name());
  const std::uint64_t edges = collected.edges.added();
  if (edges != header.edges)
    fail("{} holds {} edges but its header promises {}: it is truncated or damaged", lines.name(), edges,
         header.edges);
  if (header.edge_weights || header.numbers_per_node > 0)
    collected.report.notices.emplace_back(ignored_weights);
  collected.nodes = NodeList::range(1, header.nodes);
  return collected;
}

// Every graph file that was ever written can be written again as it is written today, under the same id.
Import convert(const std::filesystem::path& path, const ImportOptions& options) {
  refuse_edge_list_options(options, "a graph file has its own node list");
  if (options.max_edges) fail_usage("`max_edges` goes with texts; a graph file has its own bound");
  auto [graph, newest] = read_graph_file(path);
  if (newest)
    fail_usage("'{}' is a graph file of the current version already; nothing needs to be imported",
               path.string());
  static_cast<void>(read_notes(path, graph));  // those of another graph are refused
  graph.check();
  const std::uint64_t edges = graph.secret_edges();
  return {std::move(graph), {.lines = edges, .edges = edges, .lasting = true, .notices = {}}};
}

Import build(NodeList nodes, EdgePieces edges, const EdgeOptions& options, ImportReport report,
             const Progress& progress) {
  BuiltCsr built = build_csr(nodes.size(), std::move(edges), progress);
  report.edges = built.csr.neighbors.size() / 2;
  report.self_loops += built.self_loops;
  report.duplicates += built.duplicates;
  PublicFacts facts = make_facts(nodes.size(), report.edges, options.max_edges, options.nodes_declared);
  return {GraphAccess::make(std::move(facts), report.edges, std::move(nodes), std::move(built.csr)),
          std::move(report)};
}

Collected read_text(const TextParts& parts, const ImportOptions& options, const Progress& progress) {
  auto lines = std::make_unique<LineBlocks>(parts[0]);
  const TextFormat format =
      options.format == TextFormat::automatic ? detect_format(*lines, parts[0]) : options.format;
  if (format == TextFormat::matrix_market) return read_matrix_market(*lines, options, progress);
  if (format == TextFormat::metis) return read_metis(*lines, options, progress);
  return collect_edge_list(parts, std::move(lines), options, progress);
}

Collected read_texts(const TextParts& parts, const ImportOptions& options, const Progress& progress) {
  return collect_edge_list(parts, parts.open_edge_list(0, options.format), options, progress);
}

Import build_text(const TextParts& parts, Collected collected, const ImportOptions& options,
                  const Progress& progress) {
  ImportReport& report = collected.report;
  report.lines = collected.edges.added();
  report.self_loops = collected.edges.dropped().self_loops;
  report.duplicates = collected.edges.dropped().duplicates;
  Import made = build(std::move(collected.nodes), std::move(collected.edges.pieces()),
                      {options.nodes.has_value(), options.max_edges}, std::move(report), progress);
  check_has_edges(made.report, parts, options);
  return made;
}

const std::map<std::string_view, TextFormat> formats = {{"auto", TextFormat::automatic},
                                                        {"edges", TextFormat::edge_list},
                                                        {"mtx", TextFormat::matrix_market},
                                                        {"metis", TextFormat::metis}};

const std::map<std::string_view, char> delimiters = {
    {"tab", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"bar", '|'}, {"blank", ' '}};

}  // namespace

void check_has_edges(const ImportReport& report, const TextParts& parts, const ImportOptions& options) {
  // With a public node list a graph without edges is a graph like any other, and next to those with one.
  if (report.edges == 0 && !options.nodes)
    fail("{} has no edge{}", parts.name_of_all(),
         report.self_loops > 0 ? " but self-loops" : "; an edge list has two ids on each line");
}

TextFormat text_format_of(std::string_view name) {
  const auto found = formats.find(name);
  if (found == formats.end()) fail_usage("`format` takes auto, edges, mtx or metis, not '{}'", name);
  return found->second;
}

char delimiter_of(std::string_view name) {
  if (const auto named = delimiters.find(name); named != delimiters.end()) return named->second;
  // A letter, a digit or a quote would cut ids into pieces; of longer texts there are none.
  const bool mark = name.size() == 1 && name[0] > ' ' && name[0] <= '~' && std::isalnum(name[0]) == 0 &&
                    name != "\"" && name != "-";
  if (!mark)
    fail_usage("`delimiter` takes tab, comma, semicolon, bar, blank, or another mark such as ':', not '{}'",
               name);
  return name[0];
}

Import import_graph(const std::filesystem::path& path, const ImportOptions& options,
                    const Progress& progress) {
  return import_graph(std::vector<std::filesystem::path>{path}, options, progress);
}

Import import_graph(const std::vector<std::filesystem::path>& paths, const ImportOptions& options,
                    const Progress& progress) {
  const bool alone = paths.size() == 1;
  if (alone && holds_graph_file(paths[0])) return convert(paths[0], options);
  const TextParts parts(paths);
  parts.check();
  return build_text(parts, alone ? read_text(parts, options, progress) : read_texts(parts, options, progress),
                    options, progress);
}

Import import_edges(NodeList nodes, std::span<const Node> from, std::span<const Node> to,
                    const EdgeOptions& options, const Progress& progress) {
  if (from.size() != to.size())
    fail_usage("{} edges have a first end and {} a second", from.size(), to.size());
  EdgePieces pieces(1);
  pieces[0].reserve(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] >= nodes.size() || to[i] >= nodes.size())
      fail_usage("edge ({}, {}) leaves the node list, which has {} nodes", from[i], to[i], nodes.size());
    pieces[0].push_back({from[i], to[i]});
  }
  ImportReport report{.lines = from.size(), .notices = {}};
  return build(std::move(nodes), std::move(pieces), options, std::move(report), progress);
}

Import open_graph(const std::filesystem::path& path, const Progress& progress) {
  if (!holds_graph_file(path)) return import_graph(path, {}, progress);
  Graph graph = Graph::open(path);
  static_cast<void>(read_notes(path, graph));  // those of another graph are refused
  return {std::move(graph), {.lasting = true, .notices = {}}};
}

Graph open_lasting_graph(const std::filesystem::path& path, const Progress& progress) {
  auto [graph, report] = open_graph(path, progress);
  if (!report.lasting)
    refuse(
        "'{}' is a text and gets a new id every time it is read, so that nothing can be counted or kept for it; import it into a graph file first",
        path.string());
  return graph;
}

}  // namespace hushwalk
