#include "graph/import/metis.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "graph/import/numbers.h"

namespace hushwalk {
namespace {

std::uint64_t edge_hash(Node smaller, Node larger) {
  const std::uint64_t key = std::uint64_t{smaller} << 32 | larger;
  return XXH3_64bits(&key, sizeof key);
}

// One line of the file: the neighbours of `node`, or a fault.
const char* parse_row(std::string_view row, Node node, const MetisHeader& header, ParsedBlock& parsed) {
  for (std::uint64_t i = 0; i < header.numbers_per_node; ++i)
    if (!to_number(next_word(row))) return "the size or a weight of the node is missing or not a number";
  while (!trim(row).empty()) {
    const auto neighbor = to_number(next_word(row));
    if (!neighbor || *neighbor < 1 || *neighbor > header.nodes) return "a neighbour is not a number in 1..n";
    if (header.edge_weights && next_word(row).empty()) return "the weight of the last edge is missing";
    const auto other = static_cast<Node>(*neighbor - 1);
    if (other >= node) parsed.edges.push_back({node, other});
    if (other > node) parsed.balance += edge_hash(node, other);
    if (other < node) parsed.balance -= edge_hash(other, node);
  }
  return nullptr;
}

}  // namespace

MetisHeader read_metis_header(LineBlocks& lines) {
  while (lines.peek_line() && (lines.peek_line()->starts_with('%') || trim(*lines.peek_line()).empty()))
    lines.skip_line();
  const std::string_view line = lines.peek_line().value_or("");
  const auto numbers = to_numbers(line);
  const auto bad = [&](std::string reason) {
    fail_at(lines.name(), {lines.line_number(), std::move(reason), quotable(line)});
  };
  if (!numbers || numbers->size() < 2 || numbers->size() > 4)
    bad("a METIS file starts with: nodes edges [format [weights per node]]");
  const std::uint64_t format = numbers->size() > 2 ? (*numbers)[2] : 0;
  const auto digit = [&](std::uint64_t place) { return format / place % 10; };
  if ((*numbers)[0] > max_nodes) bad(fmt::format("a graph can have at most {} nodes", max_nodes));
  if (format > 111 || digit(1) > 1 || digit(10) > 1) bad("the METIS format must be three digits 0 or 1");
  const std::uint64_t weights = numbers->size() > 3 ? (*numbers)[3] : 1;
  const MetisHeader header{.nodes = (*numbers)[0],
                           .edges = (*numbers)[1],
                           .numbers_per_node = digit(100) + (digit(10) == 1 ? weights : 0),
                           .edge_weights = digit(1) == 1};
  lines.skip_line();
  lines.count_rows();
  return header;
}

ParsedBlock parse_metis(const LineBlock& block, const MetisHeader& header) {
  ParsedBlock parsed;
  const std::string_view text = block.text;
  std::uint64_t row = block.first_row;
  for (std::size_t at = 0; at < text.size() && !parsed.fatal;) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end - at);
    if (!line.starts_with('%')) {
      const bool beyond = row >= header.nodes;
      const char* fault =
          beyond ? (trim(line).empty() ? nullptr : "the file has more lines than its header has nodes")
                 : parse_row(line, static_cast<Node>(row), header, parsed);
      if (fault != nullptr) parsed.fatal = note_line(block, at, fault);
      ++row;
    }
    at = end + 1;
  }
  return parsed;
}

}  // namespace hushwalk
