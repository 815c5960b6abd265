#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "graph/graph_content.h"
#include "graph/graph_file.h"
#include "graph/graph_file_layout.h"
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

Header header_for(const GraphContent& content, const std::string& graph_id, std::uint64_t pieces) {
  Header header{.magic = magic,
                .version = newest_version,
                .flags = content.flags,
                .nodes = content.nodes,
                .edges = content.edges,
                .max_edges = content.max_edges,
                .graph_id = parse_graph_id(graph_id),
                .file_size = 0,
                .table = {},
                .content = {},
                .piece_size = piece_size,
                .checksum = 0};
  std::uint64_t end = piece_list_offset + pieces * sizeof(std::uint64_t), piece = 0;
  for (std::size_t i = 0; i < sections; ++i) {
    const std::uint64_t size = content.sections[i].size();
    header.table[i] = {round_up(end, alignment(newest_version)), size, piece};
    end = header.table[i].offset + size;
    piece += pieces_in(size);
  }
  header.file_size = end;
  return header;
}

}  // namespace

// Pieces are hashed and written side by side, each at its place; header and checksums come last.
void write_graph_file(const Graph& graph, const std::filesystem::path& path, Permissions permissions) {
  const GraphContent content = content_of(graph);
  const std::vector<PieceOfContent> pieces = pieces_of(content);
  Header header = header_for(content, graph.facts().graph_id, pieces.size());
  std::vector<std::uint64_t> checksums(pieces.size());
  std::vector<Sha256> digests(pieces.size());
  OutputFile file(path, FileKind::graph, permissions);
  file.set_size(header.file_size);
  constexpr std::size_t together = 64;
  parallel_for(pieces.size(), together, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      checksums[i] = checksum(pieces[i].bytes);
      digests[i] = sha256(pieces[i].bytes);
      file.write_at(header.table[pieces[i].section].offset + pieces[i].offset, pieces[i].bytes);
    }
  });
  header.content = digest_of(content, digests);
  header.checksum = header_checksum(header);
  file.write_at(piece_list_offset, std::as_bytes(std::span(checksums)));
  file.write_at(0, std::as_bytes(std::span(&header, 1)));
  file.commit();
}

}  // namespace hushwalk
