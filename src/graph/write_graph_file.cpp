#include <span>
#include <vector>

#include "base/parallel.h"
#include "graph/graph_content.h"
#include "graph/graph_file.h"
#include "graph/graph_file_layout.h"
#include "hushwalk/output_file.h"

namespace hushwalk {
using namespace graph_file;

// Pieces are hashed and written side by side, each at its place; header and checksums come last.
void write_graph_file(const Graph& graph, const std::filesystem::path& path, Permissions permissions,
                      std::size_t parts) {
  const GraphContent content = content_of(graph);
  const std::vector<PieceOfContent> pieces = pieces_of(content);
  Header header = header_for(content.shape(), graph.facts().graph_id);
  std::vector<std::uint64_t> checksums(pieces.size());
  std::vector<Sha256> digests(pieces.size());
  OutputFile file(path, FileKind::graph, permissions, Links::follow, parts);
  file.set_size(header.file_size);
  constexpr std::size_t together = 64;
  parallel_for(pieces.size(), together, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      checksums[i] = checksum(pieces[i].bytes);
      digests[i] = sha256(pieces[i].bytes);
      file.write_at(header.table[pieces[i].section].offset + pieces[i].offset, pieces[i].bytes);
    }
  });
  header.content = digest_of(content.shape(), digests);
  header.checksum = header_checksum(header);
  file.write_at(piece_list_offset, std::as_bytes(std::span(checksums)));
  file.write_at(0, std::as_bytes(std::span(&header, 1)));
  file.commit();
}

}  // namespace hushwalk
