// The graph file byte by byte, as in docs/formats.md.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/checksum.h"
#include "base/file_kind.h"
#include "base/sha256.h"

namespace hushwalk::graph_file {

static_assert(std::endian::native == std::endian::little,
              "graph files are little-endian and mapped as they are");

inline constexpr auto magic = graph_file_magic;
inline constexpr std::uint32_t oldest_version = 1, newest_version = 2;
// Sections start at multiples of it: of a page, in version 2.
constexpr std::uint64_t alignment(std::uint32_t version) { return version == 1 ? 64 : 4096; }
// Sections are cut into pieces of so many bytes, each with its own checksum. No number crosses a cut.
inline constexpr std::uint64_t piece_size = std::uint64_t{1} << 14;

enum Flag : std::uint32_t { ids_are_text = 1, nodes_declared = 2, max_edges_declared = 4, all_flags = 7 };

enum SectionIndex : std::size_t {
  offsets_section,
  neighbors_section,
  node_of_row_section,
  row_of_node_section,
  ids_section,
  text_section
};
inline constexpr std::array section_names = {"row offsets", "neighbours", "row order",
                                             "node order",  "node ids",   "id text"};
inline constexpr std::size_t sections = section_names.size();

struct Section {
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t
      mark;  // version 1: the checksum of the section; else the place of its first piece in the list
};

struct Header {
  std::array<unsigned char, 8> magic;
  std::uint32_t version;
  std::uint32_t flags;
  std::uint64_t nodes;
  std::uint64_t edges;
  std::uint64_t max_edges;
  std::array<unsigned char, 16> graph_id;
  std::uint64_t file_size;
  std::array<Section, sections> table;
  Sha256 content;            // version 1: zero
  std::uint64_t piece_size;  // likewise
  std::uint64_t checksum;    // of all bytes before it
};
static_assert(sizeof(Header) == 256);

inline std::uint64_t header_checksum(const Header& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
}

// The checksums of all pieces follow the header.
inline constexpr std::uint64_t piece_list_offset = sizeof(Header);

constexpr std::uint64_t pieces_in(std::uint64_t size) { return (size + piece_size - 1) / piece_size; }

constexpr std::uint64_t round_up(std::uint64_t position, std::uint64_t multiple) {
  return (position + multiple - 1) / multiple * multiple;
}

}  // namespace hushwalk::graph_file
