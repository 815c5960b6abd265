// Text in, graph out: edge lists, Matrix Market and METIS, plain or compressed. See docs/formats.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hushwalk/graph.h"
#include "hushwalk/progress.h"

namespace hushwalk {

enum class TextFormat {
  automatic,  // Matrix Market by its banner, METIS by the endings .graph and .metis, else an edge list
  edge_list,
  matrix_market,
  metis,
};

struct ImportOptions {
  TextFormat format = TextFormat::automatic;
  std::optional<NodeList> nodes = {};           // the public node list; an edge outside it is an error
  std::optional<std::uint64_t> max_edges = {};  // a public bound; Error{refused} when the file has more
  bool header = false;                          // skip the first line that is not a comment
  std::optional<char> delimiter = {};           // between columns; none: tabs, commas or blanks, line by line
  // Where the two ids stand: names in the first line, which is a header then, or numbers from 1 on.
  std::optional<std::pair<std::string, std::string>> columns = {};
  bool string_ids = false;           // take ids as text even when all are integers
  std::uint64_t skip_bad_lines = 0;  // how many malformed lines to pass over
};

struct ImportReport {
  std::uint64_t lines = 0;  // lines (or entries) that name an edge: edges + self_loops + duplicates
  std::uint64_t edges = 0;
  std::uint64_t self_loops = 0;
  std::uint64_t duplicates = 0;      // a reversed repeat is a duplicate
  std::uint64_t bad_lines = 0;       // malformed, passed over
  bool lasting = false;              // opened from a graph file, which has the same id every time
  std::vector<std::string> notices;  // what the user should know: ignored columns, a skipped header, …
};

struct Import {
  Graph graph;
  ImportReport report;
};

// Reads the file at `path`, or standard input when `path` is "-".
// Error{failed} names the file, the line and its text.
Import import_graph(const std::filesystem::path& path, const ImportOptions& options = {},
                    const Progress& progress = {});
// Several edge lists, one after the other as if they were one; errors name the file and its own line. A
// header stands in the first: a later file that starts with the same line has it there, too.
// Error{usage} for other formats, and for standard input beside other files.
Import import_graph(const std::vector<std::filesystem::path>& paths, const ImportOptions& options = {},
                    const Progress& progress = {});
// The files that are named, or match a pattern with *, ? or [ that is not a file's name itself: in the order
// given, those of a pattern in the order of their names. Error{failed} when a pattern has none.
std::vector<std::filesystem::path> matching_files(std::span<const std::string> names);

// Edges that are in memory already, from[i] - to[i], with the checks and counts of a text. `nodes_declared`
// says that the list is public in itself; else it was collected from the edges, and certificates say so.
// Error{usage} when an end is not in the list or one span is longer, Error{refused} for more edges than
// `max_edges`.
struct EdgeOptions {
  bool nodes_declared = false;
  std::optional<std::uint64_t> max_edges = {};
};
Import import_edges(NodeList nodes, std::span<const Node> from, std::span<const Node> to,
                    const EdgeOptions& options = {}, const Progress& progress = {});

// Lists of ids: one on each line, comments and blank lines skipped; the file may be compressed, "-" is
// standard input. Error{failed} names the file and the line of what is wrong.
NodeList read_node_list(const std::filesystem::path& path, bool string_ids = false);
std::vector<Node> read_nodes(const std::filesystem::path& path,
                             const NodeList& nodes);  // in the file's order
// An id, or an id and its weight, separated by a blank, a tab or a comma.
std::vector<std::pair<Node, double>> read_weighted_nodes(const std::filesystem::path& path,
                                                         const NodeList& nodes);

// The graph file at `path`; Error{refused} for a text, whose id is a new one every time, so that nothing can
// be counted or kept for it.
Graph open_lasting_graph(const std::filesystem::path& path, const Progress& progress = {});

// A graph file if `path` holds one (then the report is empty), else a text.
Import open_graph(const std::filesystem::path& path, const Progress& progress = {});

// How users name formats and delimiters, the same at every door: auto, edges, mtx or metis; tab, comma,
// semicolon, bar, blank, or a mark such as ":". Error{usage} for another, or for what would cut ids into
// pieces.
TextFormat text_format_of(std::string_view name);
char delimiter_of(std::string_view name);

}  // namespace hushwalk
