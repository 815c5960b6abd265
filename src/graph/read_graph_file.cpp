// Nothing read from a graph file is trusted: sizes are checked against the file before a span is made of
// them, and every number that will be used as an index is checked before the first use of its section.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/fail.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "graph/graph_file.h"
#include "graph/graph_file_layout.h"
#include "graph/graph_impl.h"
#include "graph/symmetry_check.h"

namespace hushwalk {
namespace {

using namespace graph_file;

struct OpenFile {
  std::filesystem::path path;
  MappedFile map;
  Header header{};

  explicit OpenFile(const std::filesystem::path& p) : path(p), map(p) {}

  template <class... Args>
  [[noreturn]] void corrupt(fmt::format_string<Args...> reason, Args&&... args) const {
    fail(for_custodian(reason, std::forward<Args>(args)...),
         "'{}' is damaged. Import it again from its source", path.string());
  }

  template <class T>
  std::span<const T> section(SectionIndex index) const {
    const Section& entry = header.table[index];
    return {reinterpret_cast<const T*>(map.bytes().data() + entry.offset), entry.size / sizeof(T)};
  }

  // Feeds a section to `check` in pieces of whole records and compares its checksum, in one streaming pass.
  template <class T, class Check>
  void check_section(SectionIndex index, Check check) const {
    Pieces<T> pieces(*this, index);
    while (const auto piece = pieces.next()) pieces.require(check(piece->first, piece->records));
    pieces.check_sum();
  }

  // The same with pieces checked side by side: `check` runs on many threads, in any order, and gives
  // something for `use`, or nullopt for an impossible value.
  template <class T, class Check, class Use>
  void check_section_in_parallel(SectionIndex index, const Check& check, const Use& use) const {
    Pieces<T> pieces(*this, index);
    parallel_pipeline([&] { return pieces.next(); },
                      [&](const Piece<T>& piece) { return check(piece.first, piece.records); },
                      [&](const auto& found) { pieces.require(found.has_value()), use(*found); });
    pieces.check_sum();
  }

  template <class T>
  struct Piece {
    std::size_t first;  // the position of its first record
    std::span<const T> records;
  };

  // A section piece by piece, hashed on the way.
  template <class T>
  class Pieces {
   public:
    Pieces(const OpenFile& file, SectionIndex index)
        : file_(file), index_(index), state_(XXH3_createState(), &XXH3_freeState) {
      XXH3_64bits_reset(state_.get());
    }

    std::optional<Piece<T>> next() {
      constexpr std::size_t most = (std::size_t{1} << 18) / sizeof(T);
      const auto left = file_.section<T>(index_).subspan(next_);
      if (left.empty()) return std::nullopt;
      const Piece<T> piece{next_, left.first(std::min(most, left.size()))};
      XXH3_64bits_update(state_.get(), piece.records.data(), piece.records.size_bytes());
      next_ += piece.records.size();
      return piece;
    }

    void require(bool good) const {
      if (!good) file_.corrupt("the section '{}' holds an impossible value", section_names[index_]);
    }

    void check_sum() const {
      if (XXH3_64bits_digest(state_.get()) != file_.header.table[index_].checksum)
        file_.corrupt("the checksum of the section '{}' does not match", section_names[index_]);
    }

   private:
    const OpenFile& file_;
    SectionIndex index_;
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
    std::size_t next_ = 0;
  };
};

// The size each section must have; the size of the id text is bounded by the file alone.
std::uint64_t expected_size(const Header& header, std::size_t index) {
  const bool text = (header.flags & ids_are_text) != 0;
  switch (index) {
    case offsets_section:
      return 8 * (header.nodes + 1);
    case neighbors_section:
      return 8 * header.edges;
    case node_of_row_section:
    case row_of_node_section:
      return 4 * header.nodes;
    case ids_section:
      return 8 * (header.nodes + (text ? 1 : 0));
    default:
      return text ? header.table[text_section].size : 0;
  }
}

void check_header(OpenFile& file) {
  const auto bytes = file.map.bytes();
  const std::string name = file.path.string();
  if (!looks_like_graph_file(bytes)) fail("'{}' is not a hushwalk graph file; import it into one", name);
  if (bytes.size() < sizeof(Header)) fail("'{}' is truncated: it ends inside the header", name);
  std::memcpy(&file.header, bytes.data(), sizeof(Header));
  const Header& header = file.header;
  if (header.version != format_version)
    fail("'{}' has graph file version {}; this program reads version {}. Import it again from its source",
         name, header.version, format_version);
  if (header.checksum != header_checksum(header)) file.corrupt("the checksum of the header does not match");
  if (bytes.size() < header.file_size)
    fail(for_custodian("{} of {} bytes are there", bytes.size(), header.file_size), "'{}' is truncated",
         name);
  if (bytes.size() > header.file_size)
    file.corrupt("{} bytes follow its end", bytes.size() - header.file_size);

  const std::uint64_t n = header.nodes;
  if (n > max_nodes) file.corrupt("it claims {} nodes", n);
  if (std::ranges::any_of(header.reserved, [](std::uint64_t word) { return word != 0; }))
    file.corrupt("its reserved bytes are not zero");
  if ((header.flags & ~std::uint32_t{all_flags}) != 0)
    file.corrupt("it has unknown flags {:#x}", header.flags);
  const bool fits = header.edges <= header.max_edges && header.edges <= header.file_size / 8;
  if (header.max_edges > all_pairs(n) || !fits)
    file.corrupt("it claims {} edges, at most {}, for {} nodes", header.edges, header.max_edges, n);
  std::uint64_t end = sizeof(Header);
  for (std::size_t i = 0; i < sections; ++i) {
    const auto& [offset, size, checksum] = header.table[i];
    const bool inside = offset <= header.file_size && size <= header.file_size - offset;
    if (offset != aligned(end) || !inside || size != expected_size(header, i))
      file.corrupt("the section '{}' is not where it must be", section_names[i]);
    if (std::ranges::any_of(bytes.subspan(end, offset - end), [](std::byte b) { return b != std::byte{0}; }))
      file.corrupt("the bytes before the section '{}' are not zero", section_names[i]);
    end = offset + size;
  }
  if (end != header.file_size) file.corrupt("its sections end at {}, not at {}", end, header.file_size);
}

bool is_ascending(auto records, auto previous_or_first) {
  auto previous = previous_or_first;
  bool good = true;
  for (const auto record : records) good &= record > previous, previous = record;
  return good;
}

// Some consecutive entries of a row, from position `at` on: below the number of rows, never the row itself,
// ascending.
bool are_neighbors(const Csr& csr, Row row, std::size_t at, std::span<const Row> entries) {
  std::int64_t previous = at == csr.offsets[row] ? -1 : std::int64_t{csr.neighbors[at - 1]};
  bool good = true;
  for (const Row entry : entries) {
    good &= entry < csr.rows() && entry != row && std::int64_t{entry} > previous;
    previous = entry;
  }
  return good;
}

// The share of the entries from position `first` on, nullopt when one of them cannot be.
std::optional<std::uint64_t> share_of(const Csr& csr, const SymmetryCheck& symmetry, std::size_t first,
                                      std::size_t last) {
  auto row = static_cast<Row>(std::ranges::upper_bound(csr.offsets, first) - csr.offsets.begin() - 1);
  std::uint64_t share = 0;
  for (std::size_t at = first; at < last; ++row) {
    const std::size_t end = std::min<std::size_t>(csr.offsets[row + 1], last);
    const auto entries = csr.neighbors.subspan(at, end - at);
    if (!are_neighbors(csr, row, at, entries)) return std::nullopt;
    share += symmetry.share(row, entries);
    at = end;
  }
  return share;
}

// That edges stand in both directions is checked, too: the proofs are about undirected graphs, and a
// certificate for anything else would be false.
void check_neighbors(const OpenFile& file, const Csr& csr) {
  const SymmetryCheck symmetry(csr.rows());
  std::uint64_t balance = 0;
  file.check_section_in_parallel<Row>(
      neighbors_section,
      [&](std::size_t first, auto part) { return share_of(csr, symmetry, first, first + part.size()); },
      [&](std::uint64_t share) { balance += share; });
  if (balance != 0)
    fail(
        "'{}' is not symmetric: an edge stands in the row of one of its ends only, and no guarantee holds for such a graph. Import it again from the original edges",
        file.path.string());
}

Csr read_csr(const std::shared_ptr<const OpenFile>& file) {
  const std::uint64_t nodes = file->header.nodes;
  Csr csr{.offsets = file->section<std::uint64_t>(offsets_section),
          .neighbors = file->section<Row>(neighbors_section),
          .node_of_row = file->section<Node>(node_of_row_section),
          .row_of_node = file->section<Row>(row_of_node_section),
          .owner = file};
  std::uint64_t largest_degree = nodes;
  file->check_section<std::uint64_t>(offsets_section, [&](std::size_t first, auto part) {
    if (first == 0 && part[0] != 0) return false;
    std::uint64_t previous = first == 0 ? 0 : csr.offsets[first - 1];
    bool good = true;
    for (std::size_t i = first == 0 ? 1 : 0; i < part.size(); ++i) {
      const std::uint64_t offset = part[i], degree = offset - previous;
      good &= offset >= previous && offset <= csr.neighbors.size() && degree <= largest_degree;
      previous = offset;
      largest_degree = degree;  // rows come by descending degree
    }
    return good;
  });
  if (csr.offsets[nodes] != csr.neighbors.size()) file->corrupt("its rows do not hold its edges");
  check_neighbors(*file, csr);
  const auto below_nodes = [&](std::size_t, auto part) {
    return std::ranges::all_of(part, [&](auto id) { return id < nodes; });
  };
  file->check_section<Row>(row_of_node_section, below_nodes);
  file->check_section<Node>(node_of_row_section, below_nodes);
  for (std::size_t r = 0; r < nodes; ++r) {
    if (csr.row_of_node[csr.node_of_row[r]] != r) file->corrupt("its row order is not a permutation");
    const bool tie = r > 0 && csr.degree(static_cast<Row>(r)) == csr.degree(static_cast<Row>(r - 1));
    if (tie && csr.node_of_row[r] < csr.node_of_row[r - 1])
      file->corrupt("rows of equal degree are not in the order of their nodes");
  }
  return csr;
}

NodeList read_nodes(const std::shared_ptr<const OpenFile>& file) {
  NodeList::Impl ids;
  ids.owner = file;
  ids.are_integers = (file->header.flags & ids_are_text) == 0;
  if (ids.are_integers) {
    ids.integers = file->section<std::int64_t>(ids_section);
    file->check_section<std::int64_t>(ids_section, [&](std::size_t first, auto part) {
      return first == 0 ? is_ascending(part.subspan(1), part[0])
                        : is_ascending(part, ids.integers[first - 1]);
    });
    return NodeList(std::make_shared<const NodeList::Impl>(std::move(ids)));
  }
  ids.text_offsets = file->section<std::uint64_t>(ids_section);
  ids.text = file->section<char>(text_section);
  file->check_section<std::uint64_t>(ids_section, [&](std::size_t first, auto part) {
    if (first == 0) return part[0] == 0 && is_ascending(part.subspan(1), part[0]);
    return is_ascending(part, ids.text_offsets[first - 1]);
  });
  if (ids.text_offsets.back() != ids.text.size()) file->corrupt("its node ids do not fill their section");
  file->check_section<char>(text_section, [](std::size_t, auto) { return true; });
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!is_printable_utf8(ids.text_of(i)) || (i > 0 && ids.text_of(i - 1) >= ids.text_of(i)))
      file->corrupt("node id {} is not in order, or not UTF-8", i);
  return NodeList(std::make_shared<const NodeList::Impl>(std::move(ids)));
}

}  // namespace

bool looks_like_graph_file(std::span<const std::byte> start) noexcept {
  return start.size() >= graph_file::magic.size() &&
         std::memcmp(start.data(), graph_file::magic.data(), graph_file::magic.size()) == 0;
}

Graph read_graph_file(const std::filesystem::path& path) {
  const auto file = std::make_shared<OpenFile>(path);
  check_header(*file);
  const Header& header = file->header;
  PublicFacts facts{.nodes = header.nodes,
                    .max_edges = header.max_edges,
                    .nodes_declared = (header.flags & nodes_declared) != 0,
                    .max_edges_declared = (header.flags & max_edges_declared) != 0,
                    .graph_id = fmt::format("{:02x}", fmt::join(header.graph_id, ""))};
  return GraphAccess::make(
      std::move(facts), header.edges, [file] { return read_nodes(file); }, [file] { return read_csr(file); });
}

}  // namespace hushwalk
