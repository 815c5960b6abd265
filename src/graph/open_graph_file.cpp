#include "graph/open_graph_file.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/split_file.h"
#include "graph/graph_file.h"
#include "hushwalk/facts.h"

namespace hushwalk {

using namespace graph_file;

OpenGraphFile::OpenGraphFile(const std::filesystem::path& path) : path_(path), map_(open_parts(path)) {
  check_header();
  check_table();
  if (in_pieces()) map_.expect_little();
}

std::string OpenGraphFile::in_part(std::uint64_t first, std::uint64_t last) const {
  const std::vector<FilePart>& parts = map_.parts();
  if (parts.front().path == path_) return "";
  const auto name = [&](std::uint64_t at) {
    return parts[std::min<std::uint64_t>(at / parts.front().size, parts.size() - 1)].path.string();
  };
  const std::string one = name(first), other = name(last);
  return one == other ? fmt::format(", in '{}'", one) : fmt::format(", in '{}' or '{}'", one, other);
}

std::string OpenGraphFile::cut_words() const {
  const std::vector<FilePart>& parts = map_.parts();
  const FilePart& last = parts.back();
  std::string cut = fmt::format("'{}' is truncated", last.path.string());
  const bool whole = last.size == parts.front().size && last.size % part_unit == 0;
  if (last.path == path_ || !whole) return cut;
  return fmt::format("'{}' is missing, or {}", (path_ / part_name(parts.size())).string(), cut);
}

void OpenGraphFile::check_header() {
  const auto bytes = map_.bytes();
  const std::string name = map_.parts().front().path.string();
  if (!looks_like_graph_file(bytes)) fail("'{}' is not a hushwalk graph file; import it into one", name);
  if (bytes.size() < sizeof(Header)) fail("'{}' is truncated: it ends inside the header", name);
  std::memcpy(&header_, bytes.data(), sizeof(Header));
  if (header_.version < oldest_version || header_.version > newest_version)
    fail(
        "'{}' has graph file version {}; this program reads versions {} to {}. Import it again from its source",
        name, header_.version, oldest_version, newest_version);
  if (header_.checksum != header_checksum(header_)) corrupt("the checksum of the header does not match");
  if (bytes.size() < header_.file_size)
    fail(for_custodian("{} of {} bytes are there", bytes.size(), header_.file_size), "{}", cut_words());
  if (bytes.size() > header_.file_size)
    corrupt("{} bytes follow its end{}", bytes.size() - header_.file_size,
            in_part(header_.file_size, header_.file_size));
  if (header_.nodes > max_nodes) corrupt("it claims {} nodes", header_.nodes);
  if ((header_.flags & ~std::uint32_t{all_flags}) != 0) corrupt("it has unknown flags {:#x}", header_.flags);
  if (in_pieces() ? header_.piece_size != piece_size : header_.piece_size != 0 || header_.content != Sha256{})
    corrupt("its reserved bytes are not zero, or its pieces not of {} bytes", piece_size);
  const bool fits = header_.edges <= header_.max_edges && header_.edges <= header_.file_size / 8;
  if (header_.max_edges > all_pairs(header_.nodes) || !fits)
    corrupt("it claims {} edges, at most {}, for {} nodes", header_.edges, header_.max_edges, header_.nodes);
  // Plans and certificates take the bound for public, and only a declared one is said to be.
  if ((header_.flags & max_edges_declared) == 0 && header_.max_edges != all_pairs(header_.nodes))
    corrupt("its bound of {} edges is neither declared nor all pairs", header_.max_edges);
}

// The size a section must have; that of the id text is bounded by the file alone.
std::uint64_t OpenGraphFile::size_of(std::size_t section) const {
  const bool text = (header_.flags & ids_are_text) != 0;
  switch (section) {
    case offsets_section:
      return 8 * (header_.nodes + 1);
    case neighbors_section:
      return 8 * header_.edges;
    case node_of_row_section:
    case row_of_node_section:
      return 4 * header_.nodes;
    case ids_section:
      return 8 * (header_.nodes + (text ? 1 : 0));
    default:
      return text ? std::min(header_.table[text_section].size, header_.file_size) : 0;
  }
}

std::uint64_t OpenGraphFile::end_of_table() const {
  std::uint64_t pieces = 0;
  if (in_pieces())
    for (std::size_t i = 0; i < sections; ++i) pieces += pieces_in(size_of(i));
  return piece_list_offset + pieces * sizeof(std::uint64_t);
}

void OpenGraphFile::check_table() {
  std::uint64_t end = end_of_table(), piece = 0;
  for (std::size_t i = 0; i < sections; ++i) {
    const auto& [offset, size, mark] = header_.table[i];
    const bool inside = offset <= header_.file_size && size <= header_.file_size - offset;
    if (offset != round_up(end, alignment(header_.version)) || !inside || size != size_of(i) ||
        (in_pieces() && mark != piece))
      corrupt("the section '{}' is not where it must be", section_names[i]);
    end = offset + size;
    piece += pieces_in(size);
  }
  if (end != header_.file_size) corrupt("its sections end at {}, not at {}", end, header_.file_size);
}

void OpenGraphFile::check_zeros(std::uint64_t first, std::uint64_t last) const {
  if (std::ranges::any_of(map_.bytes().subspan(first, last - first),
                          [](std::byte b) { return b != std::byte{0}; }))
    corrupt("the bytes {} to {}, between two sections, are not zero", first, last);
}

// Its whole checksum, of version 1; and that there is nothing before and behind it.
void OpenGraphFile::check_around(SectionIndex index) const {
  const auto& [offset, size, mark] = header_.table[index];
  const auto previous = index == 0 ? Section{0, end_of_table(), 0} : header_.table[index - 1];
  check_zeros(previous.offset + previous.size, offset);
  if (index + 1 < sections) check_zeros(offset + size, header_.table[index + 1].offset);
  if (!in_pieces() && checksum(section<std::byte>(index)) != mark)
    corrupt("the checksum of the section '{}' does not match", section_names[index]);
}

// Asks the system for some pieces at once instead of page by page. Does nothing where it cannot.
void OpenGraphFile::expect_reading(SectionIndex index, std::size_t first, std::size_t last) const {
  const std::uint64_t begin = header_.table[index].offset + first * piece_size,
                      end = std::min(header_.table[index].offset + last * piece_size, header_.file_size);
  map_.read_ahead(begin, end - begin);
}

bool OpenGraphFile::is_whole(SectionIndex index, std::size_t piece) const {
  if (!in_pieces()) return true;
  const auto& [offset, size, first_piece] = header_.table[index];
  std::uint64_t expected = 0;
  std::memcpy(&expected, map_.bytes().data() + piece_list_offset + (first_piece + piece) * sizeof expected,
              sizeof expected);
  const std::uint64_t begin = piece * piece_size;
  return checksum(section<std::byte>(index).subspan(begin, std::min(piece_size, size - begin))) == expected;
}

void OpenGraphFile::copy_checked(SectionIndex index, std::uint64_t offset, std::span<std::byte> to) const {
  const Section& section = header_.table[index];
  std::vector<std::byte> buffer(piece_size);
  while (!to.empty()) {
    const std::uint64_t piece = offset / piece_size, begin = piece * piece_size;
    const auto bytes = std::span(buffer).first(std::min(piece_size, section.size - begin));
    map_.read(section.offset + begin, bytes);
    std::uint64_t expected = 0;
    map_.read(piece_list_offset + (section.mark + piece) * sizeof expected,
              std::as_writable_bytes(std::span(&expected, 1)));
    if (checksum(bytes) != expected) refuse_piece(index, piece, none);
    const auto wanted = bytes.subspan(offset - begin, std::min(to.size(), begin + bytes.size() - offset));
    std::ranges::copy(wanted, to.begin());
    to = to.subspan(wanted.size());
    offset += wanted.size();
  }
}

void OpenGraphFile::lower_to(std::atomic<std::size_t>& least, std::size_t piece) {
  std::size_t now = least.load();
  while (piece < now && !least.compare_exchange_weak(now, piece)) {
  }
}

void OpenGraphFile::refuse_piece(SectionIndex index, std::size_t damaged, std::size_t impossible) const {
  const std::size_t piece = std::min(damaged, impossible);
  if (piece == none) return;
  const auto& [offset, size, mark] = header_.table[index];
  const std::uint64_t begin = offset + piece * piece_size,
                      end = offset + std::min((piece + 1) * piece_size, size);
  const char* const why = damaged < impossible ? "has another checksum" : "holds an impossible value";
  corrupt("the section '{}' {}, in piece {} (from byte {} on{})", section_names[index], why, piece, begin,
          in_part(begin, end - 1));
}

bool looks_like_graph_file(std::span<const std::byte> start) noexcept {
  return start.size() >= graph_file::magic.size() &&
         std::memcmp(start.data(), graph_file::magic.data(), graph_file::magic.size()) == 0;
}

}  // namespace hushwalk
