#include <array>
#include <span>
#include <string>

#include "graph/graph_file.h"
#include "graph/graph_file_layout.h"
#include "graph/graph_impl.h"
#include "hushwalk/output_file.h"

namespace hushwalk {
namespace {

using namespace graph_file;

std::array<unsigned char, 16> parse_graph_id(const std::string& hex) {
  std::array<unsigned char, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return bytes;
}

}  // namespace

void write_graph_file(const Graph& graph, const std::filesystem::path& path, Permissions permissions) {
  const PublicFacts& facts = graph.facts();
  const Csr& csr = csr_of(graph);
  const NodeList::Impl& ids = GraphAccess::ids(graph.node_list());
  const std::array<std::span<const std::byte>, sections> contents = {
      std::as_bytes(csr.offsets),
      std::as_bytes(csr.neighbors),
      std::as_bytes(csr.node_of_row),
      std::as_bytes(csr.row_of_node),
      ids.are_integers ? std::as_bytes(ids.integers) : std::as_bytes(ids.text_offsets),
      std::as_bytes(ids.text)};

  Header header{};
  header.magic = magic;
  header.version = format_version;
  header.flags = (ids.are_integers ? 0U : ids_are_text) | (facts.nodes_declared ? nodes_declared : 0U) |
                 (facts.max_edges_declared ? max_edges_declared : 0U);
  header.nodes = facts.nodes;
  header.edges = graph.secret_edges();
  header.max_edges = facts.max_edges;
  header.graph_id = parse_graph_id(facts.graph_id);
  std::uint64_t end = sizeof(Header);
  for (std::size_t i = 0; i < sections; ++i) {
    header.table[i] = {aligned(end), contents[i].size(), XXH3_64bits(contents[i].data(), contents[i].size())};
    end = header.table[i].offset + contents[i].size();
  }
  header.file_size = end;
  header.checksum = header_checksum(header);

  OutputFile file(path, FileKind::graph, permissions);
  file.write(std::as_bytes(std::span(&header, 1)));
  std::uint64_t position = sizeof(Header);
  for (std::size_t i = 0; i < sections; ++i) {
    const std::array<std::byte, alignment> zeros{};
    file.write(std::span(zeros).first(header.table[i].offset - position));
    file.write(contents[i]);
    position = header.table[i].offset + contents[i].size();
  }
  file.commit();
}

}  // namespace hushwalk
