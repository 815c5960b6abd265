#include "graph/graph_content.h"

#include <algorithm>

#include "base/parallel.h"
#include "graph/graph_impl.h"

namespace hushwalk {

using namespace graph_file;

GraphContent content_of(const Graph& graph) {
  const PublicFacts& facts = graph.facts();
  const Csr& csr = csr_of(graph);
  const NodeList::Impl& ids = GraphAccess::ids(graph.node_list());
  return {.flags = flags_of(facts, ids.are_integers),
          .nodes = facts.nodes,
          .edges = graph.secret_edges(),
          .max_edges = facts.max_edges,
          .sections = {std::as_bytes(csr.offsets), std::as_bytes(csr.neighbors),
                       std::as_bytes(csr.node_of_row), std::as_bytes(csr.row_of_node),
                       ids.are_integers ? std::as_bytes(ids.integers) : std::as_bytes(ids.text_offsets),
                       std::as_bytes(ids.text)}};
}

std::uint32_t flags_of(const PublicFacts& facts, bool integer_ids) {
  return (integer_ids ? 0U : ids_are_text) | (facts.nodes_declared ? nodes_declared : 0U) |
         (facts.max_edges_declared ? max_edges_declared : 0U);
}

GraphShape GraphContent::shape() const {
  GraphShape shape{flags, nodes, edges, max_edges, {}};
  for (std::size_t i = 0; i < graph_file::sections; ++i) shape.sizes[i] = sections[i].size();
  return shape;
}

namespace {

std::array<unsigned char, 16> parse_graph_id(const std::string& hex) {
  std::array<unsigned char, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return bytes;
}

}  // namespace

Header header_for(const GraphShape& shape, const std::string& graph_id) {
  Header header{.magic = magic,
                .version = newest_version,
                .flags = shape.flags,
                .nodes = shape.nodes,
                .edges = shape.edges,
                .max_edges = shape.max_edges,
                .graph_id = parse_graph_id(graph_id),
                .file_size = 0,
                .table = {},
                .content = {},
                .piece_size = piece_size,
                .checksum = 0};
  std::uint64_t pieces = 0;
  for (const std::uint64_t size : shape.sizes) pieces += pieces_in(size);
  std::uint64_t end = piece_list_offset + pieces * sizeof(std::uint64_t), piece = 0;
  for (std::size_t i = 0; i < sections; ++i) {
    header.table[i] = {round_up(end, alignment(newest_version)), shape.sizes[i], piece};
    end = header.table[i].offset + shape.sizes[i];
    piece += pieces_in(shape.sizes[i]);
  }
  header.file_size = end;
  return header;
}

std::vector<PieceOfContent> pieces_of(const GraphContent& content) {
  std::vector<PieceOfContent> pieces;
  for (std::size_t section = 0; section < sections; ++section) {
    const auto bytes = content.sections[section];
    for (std::uint64_t at = 0; at < bytes.size(); at += piece_size)
      pieces.push_back({section, at, bytes.subspan(at, std::min(piece_size, bytes.size() - at))});
  }
  return pieces;
}

Sha256 digest_of(const GraphShape& shape, std::span<const Sha256> pieces) {
  std::vector<std::byte> text;
  const auto add = [&](std::span<const std::byte> bytes) {
    text.insert(text.end(), bytes.begin(), bytes.end());
  };
  const auto add_number = [&](std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); };
  add(std::as_bytes(std::span("hushwalk graph 1")));  // with the zero at its end
  for (const std::uint64_t number : {std::uint64_t{shape.flags}, shape.nodes, shape.edges, shape.max_edges})
    add_number(number);
  for (const std::uint64_t size : shape.sizes) add_number(size);
  add(std::as_bytes(pieces));
  return sha256(text);
}

Sha256 digest_of(const GraphContent& content) {
  const std::vector<PieceOfContent> pieces = pieces_of(content);
  std::vector<Sha256> digests(pieces.size());
  parallel_for(pieces.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) digests[i] = sha256(pieces[i].bytes);
  });
  return digest_of(content.shape(), digests);
}

}  // namespace hushwalk
