// From an open file to a graph. Rows that are read one by one are checked one by one; whoever takes them all
// has everything checked that the proofs rest on, before the first use.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "base/alone.h"
#include "base/phase.h"
#include "base/utf8.h"
#include "graph/graph_file.h"
#include "graph/graph_impl.h"
#include "graph/open_graph_file.h"
#include "graph/spread_file.h"

namespace hushwalk {
namespace {

using namespace graph_file;
using File = std::shared_ptr<const OpenGraphFile>;

// Ascending, each after the one before it in its section.
bool is_ascending(auto all, std::size_t first, std::size_t count) {
  bool good = true;
  for (std::size_t i = std::max<std::size_t>(first, 1); i < first + count; ++i) good &= all[i] > all[i - 1];
  return good;
}

// From 0 to the number of entries, and no row longer than the one before it.
void check_offsets(const OpenGraphFile& file, const Csr& csr, const CheckShare& share) {
  const std::uint64_t nodes = file.header().nodes, entries = csr.neighbors.size();
  file.check_section<std::uint64_t>(
      offsets_section,
      [&](std::size_t first, auto part) {
        bool good = first > 0 || part[0] == 0;
        for (std::size_t i = std::max<std::size_t>(first, 1); i < first + part.size(); ++i) {
          const std::uint64_t longest = i == 1 ? nodes : csr.offsets[i - 1] - csr.offsets[i - 2];
          good &= csr.offsets[i] >= csr.offsets[i - 1] && csr.offsets[i] <= entries &&
                  csr.offsets[i] - csr.offsets[i - 1] <= longest;
        }
        return good;
      },
      share);
  if (csr.offsets[nodes] != entries) file.corrupt("its rows do not hold its edges");
}

Row row_at(const Csr& csr, std::size_t place) {
  return static_cast<Row>(std::ranges::upper_bound(csr.offsets, place) - csr.offsets.begin() - 1);
}

// Within rows they ascend and are below the number of rows.
bool are_ascending(const Csr& csr, Row row, std::size_t first, std::size_t last) {
  std::size_t between_rows = 0;
  bool below = true;
  for (std::size_t at = first; at < last; ++row) {
    if (csr.offsets[row] == at && at > 0) between_rows += csr.neighbors[at] <= csr.neighbors[at - 1] ? 1 : 0;
    at = std::min<std::size_t>(csr.offsets[row + 1], last);
    below &= csr.neighbors[at - 1] < csr.rows();
  }
  return below && descents(csr.neighbors, first, last) == between_rows;
}

// Returns what the share adds to the balance of all.
std::uint64_t check_neighbors(const OpenGraphFile& file, const Csr& csr, const SymmetryCheck& symmetry,
                              const CheckShare& share) {
  std::atomic<std::uint64_t> balance = 0;
  file.check_section<Row>(
      neighbors_section,
      [&](std::size_t first, auto part) {
        const std::size_t last = first + part.size();
        const Row row = row_at(csr, first);
        if (!are_ascending(csr, row, first, last)) return false;
        balance += symmetry.share(csr, row, first, last);
        return true;
      },
      share);
  return balance;
}

// That edges stand in both directions is checked, too: the proofs are about undirected graphs, and a
// certificate for anything else would be false.
void check_balance(const OpenGraphFile& file, std::uint64_t balance) {
  if (balance != 0)
    fail(
        "'{}' is not symmetric: an edge stands in the row of one of its ends only, or a row names itself, and no guarantee holds for such a graph. Import it again from the original edges",
        file.path().string());
}

// A permutation and its inverse; rows of equal length in the order of their nodes.
void check_order(const OpenGraphFile& file, const Csr& csr, const CheckShare& share) {
  const std::uint64_t nodes = file.header().nodes;
  file.check_section<Row>(
      row_of_node_section,
      [&](std::size_t, auto part) { return std::ranges::all_of(part, [&](Row row) { return row < nodes; }); },
      share);
  file.check_section<Node>(
      node_of_row_section,
      [&](std::size_t first, auto part) {
        bool good = true;
        for (std::size_t r = first; r < first + part.size() && good; ++r) {
          const auto row = static_cast<Row>(r);
          good = csr.node_of_row[r] < nodes && csr.row_of_node[csr.node_of_row[r]] == row &&
                 (r == 0 || csr.degree(row) != csr.degree(row - 1) ||
                  csr.node_of_row[r] > csr.node_of_row[r - 1]);
        }
        return good;
      },
      share);
}

Csr mapped_rows(const File& file) {
  return {.offsets = file->section<std::uint64_t>(offsets_section),
          .neighbors = file->section<Row>(neighbors_section),
          .node_of_row = file->section<Node>(node_of_row_section),
          .row_of_node = file->section<Row>(row_of_node_section),
          .owner = file};
}

Csr checked_rows(const File& file) {
  const Phase phase("checking the rows of the graph file");
  Csr csr = mapped_rows(file);
  file->expect_all();
  check_offsets(*file, csr, {});
  check_balance(*file, check_neighbors(*file, csr, SymmetryCheck(csr.rows()), {}));
  check_order(*file, csr, {});
  return csr;
}

NodeList checked_nodes(const File& file) {
  const Phase phase("checking the nodes of the graph file");
  NodeList::Impl ids;
  ids.owner = file;
  ids.are_integers = (file->header().flags & ids_are_text) == 0;
  if (ids.are_integers) {
    ids.integers = file->section<std::int64_t>(ids_section);
    file->check_section<std::int64_t>(ids_section, [&](std::size_t first, auto part) {
      return is_ascending(ids.integers, first, part.size());
    });
    file->check_section<char>(text_section, [](std::size_t, auto) { return true; });
    return NodeList(std::make_shared<const NodeList::Impl>(std::move(ids)));
  }
  ids.text_offsets = file->section<std::uint64_t>(ids_section);
  ids.text = file->section<char>(text_section);
  file->check_section<std::uint64_t>(ids_section, [&](std::size_t first, auto part) {
    return (first > 0 || part[0] == 0) && is_ascending(ids.text_offsets, first, part.size());
  });
  if (ids.text_offsets.back() != ids.text.size()) file->corrupt("its node ids do not fill their section");
  file->check_section<char>(text_section, [](std::size_t, auto) { return true; });
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!is_printable_utf8(ids.text_of(i)) || (i > 0 && ids.text_of(i - 1) >= ids.text_of(i)))
      file->corrupt("node id {} is not in order, or not UTF-8", i);
  return NodeList(std::make_shared<const NodeList::Impl>(std::move(ids)));
}

// Reads the pieces that a row needs, and no others.
class RowsOfFile final : public SingleRows {
 public:
  explicit RowsOfFile(File file) : file_(std::move(file)) {}

  std::vector<Node> neighbors(Node node) const override {
    const auto [row, first, last] = place(node);
    const std::uint64_t count = file_->header().nodes;
    std::vector<Node> nodes, piece;
    std::uint64_t piece_begin = 0;
    std::int64_t previous = -1;
    for (const Row entry : file_->records<Row>(neighbors_section, first, last - first)) {
      if (entry <= previous || entry == row || entry >= count) file_->corrupt("a row is not one");
      previous = entry;
      if (entry >= piece_begin + piece.size()) {  // entries ascend: each piece is read once
        piece_begin = entry / nodes_per_piece * nodes_per_piece;
        piece = file_->records<Node>(node_of_row_section, piece_begin,
                                     std::min(nodes_per_piece, count - piece_begin));
      }
      nodes.push_back(bounded(node_of_row_section, piece[entry - piece_begin]));
    }
    return nodes;
  }
  std::uint64_t degree(Node node) const override {
    const auto [row, first, last] = place(node);
    return last - first;
  }

 private:
  struct Place {
    Row row;
    std::uint64_t first, last;
  };

  static constexpr std::uint64_t nodes_per_piece = piece_size / sizeof(Node);

  // A node or row that is there.
  std::uint32_t bounded(SectionIndex index, std::uint32_t value) const {
    if (value >= file_->header().nodes)
      file_->corrupt("the section '{}' names a node that is not there", section_names[index]);
    return value;
  }

  Place place(Node node) const {
    if (node >= file_->header().nodes) file_->corrupt("a node is not there");
    const Row row = bounded(row_of_node_section, file_->records<Row>(row_of_node_section, node, 1).front());
    const auto offsets = file_->records<std::uint64_t>(offsets_section, row, 2);
    const bool possible = offsets[0] <= offsets[1] && offsets[1] <= 2 * file_->header().edges &&
                          offsets[1] - offsets[0] < file_->header().nodes;
    if (!possible) file_->corrupt("a row is not where it can be");
    return {row, offsets[0], offsets[1]};
  }

  File file_;
};

PublicFacts facts_in(const Header& header) {
  return {.nodes = header.nodes,
          .max_edges = header.max_edges,
          .nodes_declared = (header.flags & nodes_declared) != 0,
          .max_edges_declared = (header.flags & max_edges_declared) != 0,
          .graph_id = fmt::format("{:02x}", fmt::join(header.graph_id, ""))};
}

}  // namespace

GraphFile read_graph_file(const std::filesystem::path& path) {
  const auto file = std::make_shared<OpenGraphFile>(path);
  const Header& header = file->header();
  return {GraphAccess::make(
              facts_in(header), header.edges, [file] { return alone([&] { return checked_nodes(file); }); },
              [file] { return alone([&] { return checked_rows(file); }); },
              file->in_pieces() ? std::make_unique<const RowsOfFile>(file) : nullptr,
              file->in_pieces() ? std::optional(header.content) : std::nullopt),
          header.version == newest_version};
}

SpreadFile::SpreadFile(const std::filesystem::path& path, const CheckShare& share)
    : file_(std::make_shared<OpenGraphFile>(path)), share_(share), rows_(mapped_rows(file_)) {
  if (!file_->in_pieces())
    fail("'{}' is a graph file of version 1, which several processes cannot check together; import it again",
         path.string());
}

const Header& SpreadFile::header() const noexcept { return file_->header(); }
void SpreadFile::check_offsets() const { hushwalk::check_offsets(*file_, rows_, share_); }
std::uint64_t SpreadFile::check_neighbors(const SymmetryCheck& symmetry) const {
  return hushwalk::check_neighbors(*file_, rows_, symmetry, share_);
}
void SpreadFile::check_balance(std::uint64_t sum) const { hushwalk::check_balance(*file_, sum); }
void SpreadFile::check_order() const { hushwalk::check_order(*file_, rows_, share_); }

GraphContent SpreadFile::content() const {
  GraphContent content{header().flags, header().nodes, header().edges, header().max_edges, {}};
  for (std::size_t i = 0; i < sections; ++i)
    content.sections[i] = file_->section<std::byte>(static_cast<SectionIndex>(i));
  return content;
}

std::vector<Sha256> SpreadFile::digests() const {
  const std::vector<PieceOfContent> pieces = pieces_of(content());
  const std::size_t begin = share_.first(pieces.size());
  std::vector<Sha256> digests(share_.last(pieces.size()) - begin);
  parallel_for(digests.size(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) digests[i] = sha256(pieces[begin + i].bytes);
  });
  return digests;
}

Sha256 SpreadFile::digest(std::span<const Sha256> of_all) const {
  return digest_of(content().shape(), of_all);
}

Graph SpreadFile::graph(std::shared_ptr<const SpreadGraph> spread) const {
  return GraphAccess::make(
      facts_in(header()), header().edges,
      [file = file_] { return alone([&] { return checked_nodes(file); }); },
      [file = file_] { return alone([&] { return checked_rows(file); }); },
      std::make_unique<const RowsOfFile>(file_), header().content, std::move(spread));
}

}  // namespace hushwalk
